import { keywordText } from "../../../text/keywords.ts";
import { cutWords, lexemeOf } from "./cut-words.ts";

/** What the index of words holds of a text. */
export interface IndexedWords {
  /** A `tsvector` as text: each word as `<project>:<word>`, with its positions, in the order of the text. */
  words: string;
  /** How often a word occurs, by word, as JSON, of those that occur more than once; null without such words. */
  repeats: string | null;
  /** Number of all words. */
  length: number;
}

/** Limits of a `tsvector`. Words of later positions are found, but phrases are not. */
const MAX_POSITION = 16_382;
const MAX_POSITIONS_PER_WORD = 255;
const MAX_BYTES = 900_000;
/** No query has a longer word. */
const MAX_WORD_BYTES = 256;
/** What a word takes in a `tsvector` beside its letters and two bytes for each position. */
const BYTES_A_WORD = 8;

/** Characters that end a word for SQLite's tokenizer: all of ASCII but letters and digits, dashes, quotes, arrows, boxes. */
const SEPARATORS = /[\0-/:-@[-`{-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u259f]+/;
/** A history repeats its words; longer runs are data, which it seldom repeats. */
const MAX_KEPT_CHARS = 32;
const MAX_KEPT = 100_000;

/** A word that was seen, and what the text that is being indexed has of it. */
interface Word {
  readonly word: string;
  readonly lexeme: string;
  readonly bytes: number;
  count: number;
  /** Its first positions, each after a comma. */
  places: string;
  kept: number;
}

/**
 * Makes what is indexed of texts: the same words, counted the same way, as the index of the SQLite file has. SQLite cuts and
 * stems each run of characters between separators once, for as long as the indexer lives.
 */
export class WordIndexer {
  readonly #project: number;
  readonly #runs = new Map<string, readonly Word[]>();
  readonly #words = new Map<string, Word>();

  constructor(project: number) {
    this.#project = project;
  }

  /** Returns what is indexed of each text, in order. */
  index(texts: readonly string[]): IndexedWords[] {
    const cut = texts.map((text) => keywordText(text).split(SEPARATORS));
    const long = this.#learn(cut);
    const indexed = cut.map((runs) => this.#indexed(runs));
    for (const run of long) this.#runs.delete(run);
    return indexed;
  }

  /** Has the runs cut that are unknown; returns those that are too long to be kept. */
  #learn(cut: readonly (readonly string[])[]): string[] {
    if (this.#runs.size > MAX_KEPT) {
      this.#runs.clear();
      this.#words.clear();
    }
    const unknown = new Set<string>();
    for (const runs of cut) for (const run of runs) if (!this.#runs.has(run)) unknown.add(run);
    const runs = [...unknown];
    for (const [i, words] of cutWords(runs).entries())
      this.#runs.set(
        runs[i] ?? "",
        words.map((word) => this.#word(word)),
      );
    return runs.filter((run) => run.length > MAX_KEPT_CHARS);
  }

  #word(word: string): Word {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const lexeme = lexemeOf(this.#project, word);
    const bytes = Buffer.byteLength(lexeme) + BYTES_A_WORD;
    const made = { word, lexeme, bytes, count: 0, places: "", kept: 0 };
    this.#words.set(word, made);
    return made;
  }

  #indexed(runs: readonly string[]): IndexedWords {
    const found: Word[] = [];
    let length = 0;
    for (const run of runs)
      for (const word of this.#runs.get(run) ?? []) {
        length++;
        if (word.count++ === 0) found.push(word);
        if (length > MAX_POSITION || word.kept === MAX_POSITIONS_PER_WORD) continue;
        word.kept++;
        word.places += `,${length}`;
      }
    return { ...textsOf(found), length };
  }
}

/** A text too long to be indexed whole loses words of its end. Makes the words ready for the next text. */
function textsOf(found: readonly Word[]): Omit<IndexedWords, "length"> {
  let bytes = 0;
  let words = "";
  let repeats = "";
  for (const each of found) {
    const { word, lexeme, count, places, kept } = each;
    each.count = 0;
    each.places = "";
    each.kept = 0;
    bytes += each.bytes + 2 * kept;
    if (bytes > MAX_BYTES || each.bytes > MAX_WORD_BYTES) continue;
    words += kept === 0 ? ` ${lexeme}` : ` ${lexeme}:${places.slice(1)}`;
    if (count > 1) repeats += `,${JSON.stringify(word)}:${count}`;
  }
  return { words: words.slice(1), repeats: repeats === "" ? null : `{${repeats.slice(1)}}` };
}
