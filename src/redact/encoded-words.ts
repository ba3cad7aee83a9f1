import type { Finder } from "./finder.ts";
import { isMadeUp } from "./made-up.ts";
import { looksMixed } from "./randomness.ts";
import type { Secret } from "./spans.ts";
import { isStandIn } from "./stand-ins.ts";
import { isStrong } from "./strong.ts";

/** How far from the name of an encoding the encoded word is looked for, on its line. */
const [BACK, AHEAD] = [160, 160];
const MAX_PLAIN = 100;

/** True for what only a password, or a user with one, looks like. */
function isPassword(plain: string): boolean {
  if (plain.length < 8 || plain.length > MAX_PLAIN || !/^[!-~]+$/.test(plain) || isStandIn(plain))
    return false;
  if (isStrong(plain) || isMadeUp(plain)) return true;
  const pair = /^[\w.@-]{2,40}:([^\s/:]{8,60})$/.exec(plain)?.[1];
  return pair === undefined ? /^[\w!-/?@^~]{10,64}$/.test(plain) && looksMixed(plain) : isPassword(pair);
}

/** Finds a word on the line of the name of an encoding that stands for a password when it is decoded. */
function encodedAs(words: readonly string[], encoded: RegExp, encoding: "base64" | "hex"): Finder {
  const find = (text: string, at: number): Secret | null => {
    const from = Math.max(0, text.lastIndexOf("\n", at - 1) + 1, at - BACK);
    const line = /^[^\n]*/.exec(text.slice(from, at + AHEAD))?.[0] ?? "";
    for (const match of line.matchAll(encoded)) {
      const plain = Buffer.from(match[0], encoding).toString("latin1").trim();
      const start = from + match.index;
      if (isPassword(plain)) return { start, end: start + match[0].length, kind: "password" };
    }
    return null;
  };
  return { words, find };
}

/** Passwords in Base64 or hex, beside the name of the encoding or a call that decodes. */
export const ENCODED_WORD_FINDERS: readonly Finder[] = [
  encodedAs(
    ["base64", "Base64", "BASE64", "b64dec", "b64_dec", "b64:", "atob("],
    /(?<![\w+/=.-])(?=[a-zA-Z+/]*\d|[A-Za-z]*[A-Z])[A-Za-z\d+/]{12,140}={0,2}(?![\w+/=.-])/g,
    "base64",
  ),
  encodedAs(
    ["fromhex(", "unhexlify(", "hex2bin(", "xxd -r", "'hex'", '"hex"', "(hex)", "hex:", "Hex.decode"],
    /(?<![\w-])(?:[2-7][\da-fA-F]){8,64}(?![\w-])/g,
    "hex",
  ),
];
