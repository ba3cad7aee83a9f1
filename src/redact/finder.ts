import { isCode } from "./code.ts";
import { looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

/** A secret in a text: from `start` up to, not including, `end`. */
export interface Secret {
  start: number;
  end: number;
  kind: string;
  /** Those farther behind that the same rule found. */
  others?: readonly Secret[];
}

/** Sorts secrets and joins those that overlap; the one that starts first names the kind. */
export function joined(secrets: readonly Secret[]): Secret[] {
  const sorted = secrets.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const result: Secret[] = [];
  for (const secret of sorted) {
    const last = result.at(-1);
    if (last && secret.start < last.end) last.end = Math.max(last.end, secret.end);
    else result.push({ start: secret.start, end: secret.end, kind: secret.kind });
  }
  return result;
}

/** Finds a secret where one of its words starts. */
export interface Finder {
  words: readonly string[];
  find: (text: string, at: number) => Secret | null;
}

/** Finds what the first group of a sticky pattern matches; with `random`, only what looks random. */
export function finder(words: readonly string[], kind: string, pattern: RegExp, random = false): Finder {
  return { words, find: (text, at) => found(text, at, pattern, kind, random) };
}

/** The secret that the first group of a sticky pattern matches; null for a stand-in, a flag, or no match. */
export function found(
  text: string,
  at: number,
  pattern: RegExp,
  kind: string,
  random: boolean,
): Secret | null {
  const place = firstGroup(text, at, pattern);
  if (!place) return null;
  const value = text.slice(place.start, place.end);
  if (value.length < 4 || isStandIn(value) || isCode(value) || (random && !looksRandom(value))) return null;
  if (value.startsWith("-") && /\s/.test(text[place.start - 1] ?? "")) return null;
  return { ...place, kind };
}

/** Returns the position of the first group that matched; null when the sticky pattern does not match. */
export function firstGroup(text: string, at: number, pattern: RegExp): { start: number; end: number } | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const value = match?.slice(1).find((group) => group !== undefined);
  if (!match || value === undefined) return null;
  const start = at + match[0].lastIndexOf(value);
  return { start, end: start + value.length };
}

/** A value after a user's name and a mark, with quotes around both or around neither. */
export function valueBehind(user: string): string {
  const quoted = user === "" ? "" : `${user}"([^"\\n]{1,300}?)"|${user}'([^'\\n]{1,300}?)'|`;
  return `(?:${quoted}\\\\{0,15}"${user}([^"\\n]{1,300}?)\\\\{0,15}"|\\\\{0,15}'${user}([^'\\n]{1,300}?)\\\\{0,15}'|${user}((?:[^\\s"'\`|;&<>)]|&(?=[\\w!#%*+@?^~=-])){1,300}))`;
}
