import { splitSentences } from "../../../src/turn/sentences.ts";
import type { TurnText } from "../../../src/turn/text.ts";
import type { Range } from "./said.ts";

/** A quote that is shorter names no sentence, in words. */
const MIN_WORDS = 3;
/** A sentence with this share of its words in a quote that stands nowhere is meant by it. */
const ENOUGH = 0.75;

/**
 * Finds what a reader quoted of a turn, whatever its punctuation and white space; ` … ` parts pieces of a quote. Where it does
 * not stand so, the sentences are meant that have nearly all their words in it. Returns ranges in order; none if nothing is found.
 */
export function findQuote(turn: TurnText, quote: string): Range[] {
  const words = wordsOf(turn.text);
  const pieces = quote
    .split(/\.{3}|…/)
    .map((piece) => wordsOf(piece).map(({ word }) => word))
    .filter(({ length }) => length >= MIN_WORDS);
  const found = pieces.map((piece) => {
    const at = words.findLastIndex((_, i) => piece.every((word, j) => words[i + j]?.word === word));
    return [words[at]?.start, words[at + piece.length - 1]?.end];
  });
  const ranges = found.filter((range): range is Range => range.every((offset) => offset !== undefined));
  const isWhole = ranges.length > 0 && ranges.length === pieces.length;
  return (isWhole ? ranges : meantBy(turn, quote)).sort(([a], [b]) => a - b);
}

function meantBy(turn: TurnText, quote: string): Range[] {
  const quoted = new Set(wordsOf(quote).map(({ word }) => word));
  return splitSentences(turn).flatMap(({ text, start, end }): Range[] => {
    const words = wordsOf(text);
    const held = words.filter(({ word }) => quoted.has(word)).length;
    return words.length >= MIN_WORDS && held >= ENOUGH * words.length ? [[start, end]] : [];
  });
}

function wordsOf(text: string): { word: string; start: number; end: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
