import { Database } from "bun:sqlite";
import { keywordText } from "../../../text/keywords.ts";

/** What the index of words holds of a text. */
export interface IndexedWords {
  /** A `tsvector` as text: each word as `<project>:<word>`, with its positions. */
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
/** Fewer different words are within the limits, whatever their length. */
const MANY_WORDS = 3_000;
/** No query has a longer word. */
const MAX_WORD_BYTES = 256;

/** Returns what is indexed of each text: the same words, counted the same way, as the index of the SQLite file has. */
export function indexedWords(project: number, texts: readonly string[]): IndexedWords[] {
  return tokenize(texts.map(keywordText)).map((occurrences) => {
    let length = 0;
    let bytes = 0;
    const lexemes: string[] = [];
    const repeats: Record<string, number> = {};
    for (const [word, positions] of firstOnesFirst(occurrences)) {
      length += positions.length;
      const lexeme = `${project}:${word}`;
      const kept = positions.filter((position) => position <= MAX_POSITION).slice(0, MAX_POSITIONS_PER_WORD);
      bytes += Buffer.byteLength(lexeme) + 2 * kept.length + 8;
      if (Buffer.byteLength(word) > MAX_WORD_BYTES || bytes > MAX_BYTES) continue;
      lexemes.push(kept.length === 0 ? quoted(lexeme) : `${quoted(lexeme)}:${kept.join(",")}`);
      if (positions.length > 1) repeats[word] = positions.length;
    }
    const hasRepeats = Object.keys(repeats).length > 0;
    return { words: lexemes.join(" "), repeats: hasRepeats ? JSON.stringify(repeats) : null, length };
  });
}

/** A text too long to be indexed whole loses words of its end. */
function firstOnesFirst(occurrences: Occurrences): Iterable<[string, number[]]> {
  if (occurrences.size < MANY_WORDS) return occurrences;
  return [...occurrences].sort(([, a], [, b]) => (a[0] ?? 0) - (b[0] ?? 0));
}

/** A term of a query. */
export interface QueryTerm {
  /** A `tsquery` as text, which matches the term's words as a phrase. */
  query: string;
  /** The same for the words in any order: the index alone finds them, but for a phrase each text must be read. */
  unordered: string;
  /** The word whose occurrences count; null for a phrase. */
  word: string | null;
}

/** Returns what to look for for each term; null for a term without a word. */
export function queryTerms(project: number, terms: readonly string[]): (QueryTerm | null)[] {
  return tokenize(terms).map((occurrences) => {
    const words = [...occurrences]
      .flatMap(([word, positions]) => positions.map((position) => ({ word, position })))
      .sort((a, b) => a.position - b.position)
      .map(({ word }) => word);
    if (words.length === 0) return null;
    const lexemes = words.map((word) => quoted(`${project}:${word}`));
    return {
      query: lexemes.join(" <-> "),
      unordered: lexemes.join(" & "),
      word: words.length === 1 ? (words[0] ?? null) : null,
    };
  });
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

type Occurrences = Map<string, number[]>;

/** Returns the words of each text with their positions from 1 on. SQLite's own tokenizer cuts and stems them. */
function tokenize(texts: readonly string[]): Occurrences[] {
  using db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE texts USING fts5(text, content = '', tokenize = 'porter unicode61')");
  db.run("CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)");
  const insert = db.query("INSERT INTO texts (rowid, text) VALUES (?, ?)");
  db.transaction(() => {
    for (const [i, text] of texts.entries()) insert.run(i + 1, text);
  })();
  const found: Occurrences[] = texts.map(() => new Map());
  // A value for each occurrence, in order of word, text and position.
  const rows = db.query<[string, number, number], []>("SELECT term, doc, offset FROM words").values();
  for (const [word, doc, offset] of rows as [string, number, number][]) {
    const positions = found[doc - 1]?.get(word);
    if (positions === undefined) found[doc - 1]?.set(word, [offset + 1]);
    else positions.push(offset + 1);
  }
  return found;
}
