import { isStopWord } from "../../text/stop-words.ts";
import { wordForm } from "../background/word-form.ts";
import { shareOfTexts } from "../background/words.ts";

/** A word of a sentence. Offsets are in UTF-16 units. */
export interface Word {
  /** The word without its ending, in lower case. */
  form: string;
  start: number;
  end: number;
  /** True for what looks like a name or a number. */
  isName: boolean;
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_]|[-'.](?=[\p{L}\p{N}]))*/gu;
const NAME = /\d|[_.]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}/u;

/** Returns the words of a sentence that say what it is about. */
export function wordsIn(sentence: string): Word[] {
  return [...sentence.matchAll(WORD)].flatMap(({ 0: word, index: start }): Word[] => {
    const lower = word.toLowerCase().replace(/'s$/, "");
    if (isStopWord(lower) || (lower.length < 2 && !/\d/.test(lower))) return [];
    const isCapital = start > 0 && /^\p{Lu}/u.test(word);
    const isName = isCapital || sentence[start - 1] === "`" || NAME.test(word);
    return [{ form: wordForm(lower), start, end: start + word.length, isName }];
  });
}

/** A word that is in fewer than one in so many texts for developers, as a logarithm, is rare. */
export const RARE = 5;

/** Returns how rare a word is in texts for developers, in nats. */
export function rarityOfForm(form: string): number {
  return -Math.log(shareOfTexts(form));
}
