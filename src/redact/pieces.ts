import { BOTH_CASES, codeAt, DIGIT, isWordChar, wordSort } from "./classes.ts";

/** A part of a text: from `start` up to, not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

/** The longest word that is looked at. */
export const MAX_WORD = 90;
const MIN_LIKELY = 8;

/** True for a character of ASCII that is no blank. */
export function isInWord(code: number): boolean {
  return code > 32 && code < 127;
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

const QUOTES = /["'`]/;
/** A user's or a field's name before a value. */
const NAMED = /^[A-Za-z][\w.-]{0,30}(?::|=>?|->)(?=.{8})/;
const [LEAD, TAIL] = [/^(?:[([{<|,;]|\*\*|__)+/, /(?:[)\]}>|,;.:]|\*\*|__)+$/];

/** The pieces of a word between quotes, without the name before each and without marks of the sentence around it. */
export function piecesOf(text: string, { start, end }: Range): Range[] {
  const word = text.slice(start, end);
  if (!QUOTES.test(word)) return [stripped(word, start)];
  const pieces: Range[] = [];
  let at = start;
  for (const piece of word.split(QUOTES)) {
    if (piece.length >= MIN_LIKELY) pieces.push(stripped(piece, at));
    at += piece.length + 1;
  }
  return pieces;
}

function stripped(piece: string, at: number): Range {
  const lead = isWordChar(codeAt(piece, 0)) ? 0 : (LEAD.exec(piece)?.[0].length ?? 0);
  const isPlain = isWordChar(codeAt(piece, piece.length - 1));
  const tail = isPlain ? 0 : (TAIL.exec(piece.slice(lead))?.[0].length ?? 0);
  const named = NAMED.exec(piece.slice(lead, piece.length - tail))?.[0].length ?? 0;
  return { start: at + lead + named, end: at + piece.length - tail };
}
