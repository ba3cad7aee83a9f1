import { keywordText } from "../../../text/keywords.ts";
import { cutWords, lexemeOf } from "./keywords.ts";

const FIRST_BYTES = 1 << 16;
const ZERO = 48;
/** No number is longer. */
const MAX_DIGITS = 10;

/** Makes a text of many short pieces, in UTF-8. To add strings to each other takes half as long again. */
class ByteText {
  #bytes = Buffer.alloc(FIRST_BYTES);
  #length = 0;

  add(piece: Uint8Array): void {
    this.#reserve(piece.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < piece.length; i++) bytes[at++] = piece[i] ?? 0;
    this.#length = at;
  }

  /** Adds a whole number of at most ten digits, behind a character of ASCII where one is given. */
  addNumber(before: number | null, value: number): void {
    this.#reserve(MAX_DIGITS + 1);
    if (before !== null) this.#bytes[this.#length++] = before;
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    let rest = value;
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      this.#bytes[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.#length += digits;
  }

  /** Returns the text, and begins a new one. */
  take(): string {
    const text = this.#bytes.toString("utf8", 0, this.#length);
    this.#length = 0;
    return text;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#bytes.length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

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
  /** ` <lexeme>`, and `,"<word>":`. */
  readonly lexeme: Uint8Array;
  readonly key: Uint8Array;
  /** What it takes in a `tsvector` beside its positions. */
  readonly bytes: number;
  count: number;
  /** Its first and last position of those that are kept. */
  first: number;
  last: number;
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
  /** The position at which the word of a position occurs next. */
  readonly #next = new Uint16Array(MAX_POSITION + 1);
  readonly #lexemes = new ByteText();
  readonly #repeats = new ByteText();

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
    const lexeme = bytesOf(` ${lexemeOf(this.#project, word)}`);
    const key = bytesOf(`,${JSON.stringify(word)}:`);
    const bytes = lexeme.length - 1 + BYTES_A_WORD;
    const made = { lexeme, key, bytes, count: 0, first: 0, last: 0, kept: 0 };
    this.#words.set(word, made);
    return made;
  }

  /** @param runs the words of each run; the run itself where they were unknown. */
  #indexed(runs: readonly (string | readonly Word[])[]): IndexedWords {
    const found: Word[] = [];
    let length = 0;
    for (const run of runs)
      for (const word of typeof run === "string" ? (this.#runs.get(run) ?? []) : run) {
        length++;
        if (word.count++ === 0) found.push(word);
        if (length <= MAX_POSITION && word.kept < MAX_POSITIONS_PER_WORD) this.#keep(word, length);
      }
    return { ...this.#write(found), length };
  }

  #keep(word: Word, position: number): void {
    if (word.kept++ === 0) word.first = position;
    else this.#next[word.last] = position;
    word.last = position;
  }

  /** A text too long to be indexed whole loses words of its end. Makes the words ready for the next text. */
  #write(found: readonly Word[]): Omit<IndexedWords, "length"> {
    let bytes = 0;
    for (const word of found) {
      const { count, kept } = word;
      word.count = 0;
      word.kept = 0;
      bytes += word.bytes + 2 * kept;
      if (bytes > MAX_BYTES || word.bytes > MAX_WORD_BYTES) continue;
      this.#lexemes.add(word.lexeme);
      for (let i = 0, at = word.first; i < kept; i++, at = this.#next[at] ?? 0)
        this.#lexemes.addNumber(i === 0 ? COLON : COMMA, at);
      if (count === 1) continue;
      this.#repeats.add(word.key);
      this.#repeats.addNumber(null, count);
    }
    const [words, repeats] = [this.#lexemes.take(), this.#repeats.take()];
    return { words: words.slice(1), repeats: repeats === "" ? null : `{${repeats.slice(1)}}` };
  }
}

const [COLON, COMMA] = [58, 44];

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
