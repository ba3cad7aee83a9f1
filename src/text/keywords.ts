import { MAX_QUERY_TERMS } from "../constants.ts";
import { wordsOfAscii } from "./identifiers.ts";
import { isStopWord } from "./stop-words.ts";

/**
 * Keywords of texts and queries. `parseTranscript`, `parse_transcript`, `parse-transcript` and "parse transcript" have
 * the same keywords. Text in scripts without blanks is split into overlapping pairs of characters, so that a query
 * matches at any position. The tokenizer of the index (`porter unicode61`) adds stemming and folds accents.
 */

/** Scripts written without blanks between words. */
const UNSPACED =
  /(?:(?=[\p{L}\p{N}\p{M}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー])+/u;
/** Scripts whose words have grammatical endings attached, so that parts of words must match too. */
const SYLLABIC = /(?:(?=\p{L})\p{Script=Hangul})+/u;

/** Runs of letters of one kind of script: unspaced, Hangul, or any other letters, digits and marks with `_`. */
const WORD_RUN = new RegExp(
  `(?<unspaced>${UNSPACED.source})|(?<hangul>${SYLLABIC.source})|[\\p{L}\\p{N}\\p{M}_]+`,
  "gu",
);

/** The boundaries between the parts of an identifier: `aB`, `2B`, `ABc`. */
const JOINTS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const HAS_JOINT = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_/u;
const NEEDS_WORK = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|_|[\u0300-\u{10ffff}]/u;
/**
 * Words joined by hyphens or dots are also indexed as one word: `parse-transcript` is also `parsetranscript`. A match
 * must start at the start of a word; trying every letter of a long word would take quadratic time.
 */
const COMPOUND = /(?<![\p{L}\p{N}_])[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)+/gu;
/** Longer words are data, such as hashes and encoded files. */
const MAX_WORD_CHARS = 64;

/** Returns the text for the keyword index: the text itself, followed by the parts of its identifiers. */
export function keywordText(text: string): string {
  const extra = new Set<string>();
  const words = wordsOfAscii(text);
  if (words === null) addAnyWords(extra, text);
  else {
    for (const compound of words.compounds) addCompound(extra, compound);
    for (const word of words.identifiers) for (const term of identifierTerms(word)) extra.add(term);
  }
  return extra.size === 0 ? text : `${text}\n${[...extra].join(" ")}`;
}

/** Adds the parts of identifiers, and pairs of characters, of a text in any script. */
function addAnyWords(extra: Set<string>, text: string): void {
  for (const [compound] of text.matchAll(COMPOUND)) addCompound(extra, compound);
  if (NEEDS_WORK.test(text)) {
    for (const { 0: run, groups } of text.matchAll(WORD_RUN)) {
      const isUnspaced = (groups?.unspaced ?? groups?.hangul) !== undefined;
      for (const term of isUnspaced ? bigrams(run) : identifierTerms(run)) extra.add(term);
    }
  }
}

function identifierTerms(word: string): string[] {
  return HAS_JOINT.test(word) ? [...partsOf(word), joinedOf(word)] : [];
}

function addCompound(extra: Set<string>, compound: string): void {
  if (compound.length <= MAX_WORD_CHARS && /\p{L}/u.test(compound)) extra.add(joinedOf(compound));
}

/** The parts of an identifier, lower-case. */
function partsOf(word: string): string[] {
  return word
    .split("_")
    .flatMap((piece) => piece.split(JOINTS))
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "" && part.length <= MAX_WORD_CHARS);
}

/** An identifier in the form that all its spellings share. */
function joinedOf(word: string): string {
  return word.replace(/[-._]/g, "").toLowerCase();
}

/**
 * Returns the distinct terms to search for, in the order of the text: words except stop words, identifiers and their
 * parts, and pairs of characters in scripts without blanks. Returns at most `limit` terms of letters and digits.
 */
export function keywordTerms(text: string, limit = MAX_QUERY_TERMS): string[] {
  return [...writtenTerms(text, limit).keys()];
}

/** Returns the same terms, each with how the text writes it first: `already_exists` for `alreadyexists`. */
export function writtenTerms(text: string, limit = MAX_QUERY_TERMS): Map<string, string> {
  const terms = new Map<string, string>();
  const add = (term: string, written = term) => {
    if (terms.size < limit && !terms.has(term) && isTerm(term)) terms.set(term, written);
  };
  for (const [chunk] of text.matchAll(/[^\s,;:!?()[\]{}"'`<>|=]+(?:'[a-z]+)?/gu)) {
    for (const [compound] of chunk.matchAll(COMPOUND)) add(joinedOf(compound), compound);
    for (const { 0: run, groups } of chunk.matchAll(WORD_RUN)) {
      if (groups?.unspaced ?? groups?.hangul) for (const pair of bigrams(run)) add(pair);
      else addWord(run, add);
    }
    if (terms.size >= limit) break;
  }
  return terms;
}

function addWord(run: string, add: (term: string, written?: string) => void): void {
  const parts = partsOf(run);
  if (parts.length > 1) add(joinedOf(run), run);
  for (const part of parts) add(part);
}

function isTerm(term: string): boolean {
  if (term === "" || term.length > MAX_WORD_CHARS || isStopWord(term)) return false;
  // A single letter or digit is in every text, but a single character of a script without blanks is a word.
  return term.length > 1 || !/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u.test(term);
}

/** Returns overlapping pairs of characters, or the character itself when there is only one. */
function bigrams(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
