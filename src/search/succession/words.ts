import { isStopWord } from "../../text/stop-words.ts";
import { wordForm } from "../background/word-form.ts";
import { shareOfTexts } from "../background/words.ts";

/** A word of a sentence. Offsets are in UTF-16 units. */
export interface Word {
  /** The word without its ending, in lower case. */
  form: string;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_]|[-'.](?=[\p{L}\p{N}]))*/gu;
const NAME = /\d|[_.]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}/u;
/** The same for ASCII, which is quicker to search for. */
const ASCII = /^[\t\n\r -~]*$/;
const ASCII_WORD = /[a-z0-9](?:[a-z0-9_]|[-'.](?=[a-z0-9]))*/gi;

/** Returns the words of a sentence that say what it is about. */
export function wordsIn(sentence: string): Word[] {
  const words: Word[] = [];
  for (const { 0: word, index: start } of sentence.matchAll(ASCII.test(sentence) ? ASCII_WORD : WORD)) {
    const whole = word.toLowerCase();
    const lower = whole.endsWith("'s") ? whole.slice(0, -2) : whole;
    if (isStopWord(lower) || (lower.length < 2 && !/\d/.test(lower))) continue;
    words.push({ form: wordForm(lower), start, end: start + word.length });
  }
  return words;
}

/** True for what looks like a name or a number. */
export function isName(sentence: string, { start, end }: Word): boolean {
  const word = sentence.slice(start, end);
  return (start > 0 && /^\p{Lu}/u.test(word)) || sentence[start - 1] === "`" || NAME.test(word);
}

/** A word that is in fewer than one in so many texts for developers, as a logarithm, is rare. */
export const RARE = 5;

/** Returns how rare a word is in texts for developers, in nats. */
export function rarityOfForm(form: string): number {
  return -Math.log(shareOfTexts(form));
}
