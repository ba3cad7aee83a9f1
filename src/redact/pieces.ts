import { BOTH_CASES, codeAt, DIGIT, isWordChar, wordSort } from "./classes.ts";

/** A part of a text: from `start` up to, not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

/** The longest word that is looked at. */
export const MAX_WORD = 90;
const MIN_LIKELY = 8;

/** True for a character of ASCII that is no blank and no quote. */
export function isInWord(code: number): boolean {
  return code > 32 && code < 127 && code !== 34 && code !== 39 && code !== 96;
}

/** Where the word ends that starts at a place or goes on there. */
export function wordEnd(text: string, at: number): number {
  let end = at;
  while (end - at < MAX_WORD && isInWord(codeAt(text, end))) end++;
  return end;
}

/** A quick check: eight characters with letters of both cases and a digit. */
export function isLikely(text: string, { start, end }: Range): boolean {
  if (end - start < MIN_LIKELY) return false;
  let seen = 0;
  for (let at = start; at < end; at++) seen |= wordSort(text.charCodeAt(at));
  return seen === (BOTH_CASES | DIGIT);
}

/** A user's or a field's name before a value. */
const NAMED = /^[A-Za-z][\w.-]{0,30}(?::|=>?|->)(?=.{8})/;
const [LEAD, TAIL] = [/^(?:\$?[([{<|,;]|\*\*|__)+/, /(?:[)\]}>|,;.:]|\*\*|__)+$/];

/** A word without the name before its value and without marks of the sentence around it. */
export function stripped(text: string, { start, end }: Range): Range {
  const word = text.slice(start, end);
  const lead = isWordChar(codeAt(word, 0)) ? 0 : (LEAD.exec(word)?.[0].length ?? 0);
  const isPlain = isWordChar(codeAt(word, word.length - 1));
  const tail = isPlain ? 0 : (TAIL.exec(word.slice(lead))?.[0].length ?? 0);
  const named = NAMED.exec(word.slice(lead, word.length - tail))?.[0].length ?? 0;
  return { start: start + lead + named, end: end - tail };
}
