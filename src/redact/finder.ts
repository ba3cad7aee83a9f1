import { isCode } from "./code.ts";
import { looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

/** A secret in a text, with `end` exclusive. */
export interface Secret {
  start: number;
  end: number;
  kind: string;
  /** Later secrets that the same rule found. */
  others?: readonly Secret[];
}

/** Sorts secrets and merges overlapping ones; the earliest gives the kind. */
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

/** Finds a secret at the start of one of its words. */
export interface Finder {
  words: readonly string[];
  /** True when its words count only without a letter or digit before them. */
  startsWord?: boolean;
  find: (text: string, at: number) => Secret | null;
}

/** Returns finders whose words count only at the start of a word. */
export function atWordStarts(finders: readonly Finder[]): readonly Finder[] {
  return finders.map((one) => ({ ...one, startsWord: true }));
}

/** Tells whether a value may be a secret; `before` is the character before it. */
export type Test = (value: string, before: string) => boolean;

/** Returns a finder for the first group of a sticky pattern, if it passes a test. */
export function finder(words: readonly string[], kind: string, pattern: RegExp, test: Test): Finder {
  return { words, find: (text, at) => found(text, at, pattern, kind, test) };
}

/** Returns the secret in the first group of a sticky pattern; null without a match or if the group fails a test. */
export function found(text: string, at: number, pattern: RegExp, kind: string, test: Test): Secret | null {
  const place = firstGroup(text, at, pattern);
  if (!place) return null;
  const value = text.slice(place.start, place.end);
  return test(value, text[place.start - 1] ?? "") ? { ...place, kind } : null;
}

/** Accepts any value except a placeholder, code or a flag. */
export const isPlausible: Test = (value, before) =>
  value.length >= 4 && !isStandIn(value) && !isCode(value) && !(value.startsWith("-") && /\s/.test(before));

/** Accepts such a value if it looks random. */
export const isRandom: Test = (value, before) => isPlausible(value, before) && looksRandom(value);

/** Returns the range of the first group that matched; null when the sticky pattern does not match. */
export function firstGroup(text: string, at: number, pattern: RegExp): { start: number; end: number } | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const value = match?.slice(1).find((group) => group !== undefined);
  if (!match || value === undefined) return null;
  const start = at + match[0].lastIndexOf(value);
  return { start, end: start + value.length };
}

/** Returns the pattern for a value after a user's name and a separator, with quotes around both or neither. */
export function valueBehind(user: string): string {
  const quoted = user === "" ? "" : `${user}"([^"\\n]{1,300}?)"|${user}'([^'\\n]{1,300}?)'|`;
  return `(?:${quoted}\\\\{0,15}"${user}([^"\\n]{1,300}?)\\\\{0,15}"|\\\\{0,15}'${user}([^'\\n]{1,300}?)\\\\{0,15}'|${user}((?:[^\\s"'\`|;&<>)]|&(?=[\\w!#%*+@?^~=-])){1,300}))`;
}
