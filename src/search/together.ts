import { folded } from "../text/fold.ts";
import { wordForm } from "./background/word-form.ts";

/** Characters between the starts of two words that belong together; they stand on one line. */
const NEAR_CHARS = 60;
const CAMEL = /(\p{Ll})(\p{Lu})/gu;
const LATIN_START = /^\p{Script=Latin}/u;

/**
 * Whether two words, each in any of its forms, stand near each other in a text: on one line, and within a short
 * sentence. A word of Latin letters must begin a word of the text, so that `rate` is not found in `strategy`. In
 * identifiers each part is a word.
 */
export function standTogether(a: string, b: string, text: string): boolean {
  const lower = folded(text.replace(CAMEL, "$1 $2"));
  const other = patternOf(b);
  for (const { index } of lower.matchAll(patternOf(a))) {
    const from = Math.max(lower.lastIndexOf("\n", index) + 1, index - NEAR_CHARS);
    const end = lower.indexOf("\n", index);
    const to = Math.min(end === -1 ? lower.length : end, index + NEAR_CHARS);
    if (lower.slice(Math.max(0, from - 1), to).search(other) !== -1) return true;
  }
  return false;
}

function patternOf(word: string): RegExp {
  const form = wordForm(folded(word).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const literal = RegExp.escape(form);
  return new RegExp(LATIN_START.test(form) ? `(?<!\\p{L})${literal}` : literal, "gu");
}
