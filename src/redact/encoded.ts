import type { Finder } from "./finder.ts";
import { PASSWORD } from "./names.ts";
import type { Secret } from "./spans.ts";
import { isSecretValue } from "./values.ts";

/** Names whose settings are found in Base64. */
const NAMES =
  "password Password PASSWORD passwd secret SECRET client_secret api_key apikey apiKey API_KEY token TOKEN".split(
    " ",
  );
/** The longest text in Base64 that is decoded, before and behind a name in it. */
const MAX_RUN = 4_000;
const [BACK, AHEAD] = [/[A-Za-z0-9+/]*$/, /^[A-Za-z0-9+/]*={0,2}/];
const SETTING = /(?:password|passwd|secret|api_?key|token)["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',;&}]{6,200})/gi;

/** How a word looks in Base64, by where it starts among the three bytes that four characters stand for. */
function encodings(word: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${"\0".repeat(shift)}${word}`, "latin1").toString("base64");
    return whole.slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + word.length) * 4) / 3));
  });
}

/** The text in Base64 around a name, if what it stands for has a secret of that name. */
function encodedSetting(text: string, at: number): Secret | null {
  const start = at - (BACK.exec(text.slice(Math.max(0, at - MAX_RUN), at))?.[0].length ?? 0);
  const run = AHEAD.exec(text.slice(start, at + MAX_RUN))?.[0] ?? "";
  const plain = Buffer.from(run, "base64").toString("latin1");
  if (/[^\t\r\n -~\x80-\xff]/.test(plain)) return null;
  const values = Array.from(plain.matchAll(SETTING), ([, value = ""]) => value);
  if (!values.some((value) => isSecretValue(value, PASSWORD, "setting"))) return null;
  return { start, end: start + run.length, kind: "secret" };
}

/** Settings with a secret that are written in Base64 as a whole. */
export const ENCODED_FINDER: Finder = {
  words: [...new Set(NAMES.flatMap(encodings))].filter((word) => word.length > 5),
  find: encodedSetting,
};
