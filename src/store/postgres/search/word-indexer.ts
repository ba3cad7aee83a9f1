import { keywordText } from "../../../text/keywords.ts";
import { cutWords, lexemeOf } from "./keywords.ts";

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
  /** What it takes in a `tsvector` beside its positions. */
  readonly bytes: number;
  count: number;
  /** Its positions that are kept, as a `tsvector` has them. */
  positions: string;
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
    if (this.#runs.size > MAX_KEPT) {
      this.#runs.clear();
      this.#words.clear();
    }
    const unknown = new Set<string>();
    const cut = texts.map((text) =>
      keywordText(text)
        .split(SEPARATORS)
        .map((run) => {
          const words = this.#runs.get(run);
          if (words === undefined) unknown.add(run);
          return words ?? run;
        }),
    );
    this.#learn([...unknown]);
    const indexed = cut.map((runs) => this.#indexed(runs));
    for (const run of unknown) if (run.length > MAX_KEPT_CHARS) this.#runs.delete(run);
    return indexed;
  }

  #learn(runs: readonly string[]): void {
    for (const [i, words] of cutWords(runs).entries())
      this.#runs.set(
        runs[i] ?? "",
        words.map((word) => this.#word(word)),
      );
  }

  #word(word: string): Word {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const lexeme = lexemeOf(this.#project, word);
    const bytes = Buffer.byteLength(lexeme) + BYTES_A_WORD;
    const made = { word, lexeme, bytes, count: 0, positions: "", kept: 0 };
    this.#words.set(word, made);
    return made;
  }

  /** @param runs the words of each run; the run itself where they were unknown. */
  #indexed(runs: readonly (string | readonly Word[])[]): IndexedWords {
    const found: Word[] = [];
    const words = runs.flatMap((run) => (typeof run === "string" ? (this.#runs.get(run) ?? []) : run));
    for (const [i, word] of words.entries()) {
      if (word.count++ === 0) found.push(word);
      if (i >= MAX_POSITION || word.kept >= MAX_POSITIONS_PER_WORD) continue;
      word.positions += word.kept++ === 0 ? `:${i + 1}` : `,${i + 1}`;
    }
    return { ...written(found), length: words.length };
  }
}

/** A text too long to be indexed whole loses words of its end. Makes the words ready for the next text. */
function written(found: readonly Word[]): Omit<IndexedWords, "length"> {
  const words: string[] = [];
  const repeats: string[] = [];
  let total = 0;
  for (const each of found) {
    const { word, lexeme, bytes, count, positions, kept } = each;
    Object.assign(each, { count: 0, positions: "", kept: 0 });
    total += bytes + 2 * kept;
    if (total > MAX_BYTES || bytes > MAX_WORD_BYTES) continue;
    words.push(lexeme + positions);
    if (count > 1) repeats.push(`${JSON.stringify(word)}:${count}`);
  }
  return { words: words.join(" "), repeats: repeats.length === 0 ? null : `{${repeats.join(",")}}` };
}
