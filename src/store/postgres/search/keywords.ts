import { Database } from "bun:sqlite";
import { keywordText } from "../../../text/keywords.ts";
import { mayRankAll, withoutCommonest } from "../../rare-words.ts";
import type { KeywordHit } from "../../stored.ts";
import { type Condition, json, type ProjectDatabase, type SqlValue, TEXTS_SQL } from "../query.ts";

/** Factor on `limit` for rows to read before a filter applies. If too few remain, the query itself filters. */
const OVER_FETCH = 4;

/** SQL that converts a parameter made by `json` to an array of texts. */
const ARRAY = "ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb))";

/**
 * Drops the most common words if all words together occur in too many turns to rank. A phrase counts as often as its words occur
 * together in a turn, because that many texts are read to find it.
 */
export async function rarestTerms(
  database: ProjectDatabase,
  terms: readonly string[],
  turns: number,
): Promise<string[]> {
  if (mayRankAll(terms, turns)) return [...terms];
  const queries = queryTerms(database.project, terms);
  const counts = await database.column<number>(
    `SELECT turns AS n FROM mementor.count_words(:project, ${ARRAY}) ORDER BY term`,
    json(queries.map((each) => each?.unordered ?? "")),
  );
  return withoutCommonest(terms, counts);
}

/** The unit of ranking. */
export type TextKind = "chunk" | "turn";

/** Returns the best chunks or the best whole turns for these words. */
export async function searchWords(
  database: ProjectDatabase,
  kind: TextKind,
  terms: readonly string[],
  { limit, turns }: { limit: number; turns: Condition },
): Promise<KeywordHit[]> {
  const queries = queryTerms(database.project, terms).filter((each) => each !== null);
  if (queries.length === 0) return [];
  if (turns.empty) return hits(database, kind, queries, { max: limit, fitting: NO_FILTER, after: NO_FILTER });
  // Filtering the best few is much cheaper than looking up every match.
  const after = { sql: ` WHERE ${turns.sql("h.turn_id")}`, params: turns.params };
  const best = await hits(database, kind, queries, { max: limit * OVER_FETCH, fitting: NO_FILTER, after });
  if (best.length >= limit) return best.slice(0, limit);
  const fitting = {
    sql: `ARRAY(SELECT t.turn_id FROM mementor.turns t WHERE t.project_id = :project AND ${turns.sql("t.turn_id")})`,
    params: turns.params,
  };
  return hits(database, kind, queries, { max: limit, fitting, after: NO_FILTER });
}

interface Part {
  sql: string;
  params: readonly SqlValue[];
}

const NO_FILTER: Part = { sql: "", params: [] };

function hits(
  database: ProjectDatabase,
  kind: TextKind,
  queries: readonly QueryTerm[],
  { max, fitting, after }: { max: number; fitting: Part; after: Part },
): Promise<KeywordHit[]> {
  return database.all<KeywordHit>(
    `SELECT h.chunk_id AS "chunkId", h.turn_id AS "turnId", h.score
     FROM mementor.search_words(:project, ?, ${ARRAY}, ${ARRAY}, ?, ${fitting.sql || "NULL"}) h${after.sql}
     ORDER BY h.score DESC, 1, 2`,
    kind,
    json(queries.map(({ query }) => query)),
    json(queries.map(({ word }) => word)),
    max,
    ...fitting.params,
    ...after.params,
  );
}

/** Returns the turns of each term: none for a term without words, null for more than `max`. */
export async function turnsByTerm(
  database: ProjectDatabase,
  terms: readonly string[],
  max: number,
  turns: Condition,
): Promise<(number[] | null)[]> {
  const queries = queryTerms(database.project, terms);
  if (!turns.empty) return turnsThatFit(database, queries, max, turns);
  return database.column<number[] | null>(
    `SELECT turn_ids AS "turnIds" FROM mementor.turns_with(:project, ${ARRAY}, ?) ORDER BY term`,
    json(queries.map((each) => each?.query ?? "")),
    max,
  );
}

/** Returns the same for turns that match a filter. Reads each matching turn of the project. */
async function turnsThatFit(
  database: ProjectDatabase,
  queries: readonly (QueryTerm | null)[],
  max: number,
  turns: Condition,
): Promise<(number[] | null)[]> {
  return database.column<number[] | null>(
    `SELECT (SELECT CASE WHEN count(*) <= ? THEN coalesce(json_agg(f.turn_id ORDER BY f.turn_id), '[]') END
       FROM (SELECT x.turn_id FROM mementor.turns x WHERE x.project_id = :project AND x.words @@ j.value::tsquery
         AND ${turns.sql("x.turn_id")} LIMIT ?) f) AS "turnIds" FROM ${TEXTS_SQL} ORDER BY j.key`,
    max,
    ...turns.params,
    max + 1,
    json(queries.map((each) => each?.query ?? "")),
  );
}

/** A term of a query. */
interface QueryTerm {
  /** A `tsquery` as text that matches the term's words as a phrase. */
  query: string;
  /** A `tsquery` for the same words in any order. The index alone answers it; for a phrase, each text must be read. */
  unordered: string;
  /** The word to count; null for a phrase. */
  word: string | null;
}

/** Builds the query of each term; null for a term without words. */
export function queryTerms(project: number, terms: readonly string[]): (QueryTerm | null)[] {
  return cutWords(terms).map((words) => {
    if (words.length === 0) return null;
    const lexemes = words.map((word) => lexemeOf(project, word));
    return {
      query: lexemes.join(" <-> "),
      unordered: lexemes.join(" & "),
      word: words.length === 1 ? (words[0] ?? null) : null,
    };
  });
}

/** Splits each text into words with SQLite's own tokenizer, which also stems them as in the index of a memory's file. */
function cutWords(texts: readonly string[]): string[][] {
  const found: string[][] = texts.map(() => []);
  if (texts.length === 0) return found;
  using db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE texts USING fts5(text, content = '', tokenize = 'porter unicode61')");
  db.run("CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)");
  const insert = db.query("INSERT INTO texts (rowid, text) VALUES (?, ?)");
  db.transaction(() => {
    for (const [i, text] of texts.entries()) insert.run(i + 1, text);
  })();
  const rows = db.query<[string, number, number], []>("SELECT term, doc, offset FROM words").values();
  for (const [word, doc, offset] of rows as [string, number, number][]) {
    const words = found[doc - 1];
    if (words !== undefined) words[offset] = word;
  }
  return found;
}

/** Formats a word for a `tsvector` or `tsquery`: with its project, quoted. */
function lexemeOf(project: number, word: string): string {
  return `'${project}:${word.replace(/['\\]/g, "$&$&")}'`;
}

/** The index entry of a text. */
export interface IndexedWords {
  /** A `tsvector` as text: each word as `<project>:<word>`, with its positions, in the order of the text. */
  words: string;
  /** Counts of words that occur more than once, as JSON; null without such words. */
  repeats: string | null;
  /** Number of all words. */
  length: number;
}

/** Limits of a `tsvector`. Words at later positions are found, but phrases are not. */
const MAX_POSITION = 16_382;
const MAX_POSITIONS_PER_WORD = 255;
const MAX_BYTES = 900_000;
/** Maximum length of an indexed word. No query contains longer ones. */
const MAX_WORD_BYTES = 256;
/** Overhead of a word in a `tsvector`, besides its letters and two bytes per position. */
const BYTES_A_WORD = 8;

/** The occurrences of a word in a text. */
interface Word {
  count: number;
  /** Those that the index keeps. */
  positions: number[];
}

/** Builds the index entry of each text, with the same words and counts as the index of a memory's file. */
export function indexWords(project: number, texts: readonly string[]): IndexedWords[] {
  return cutWords(texts.map(keywordText)).map((words) => {
    const found = new Map<string, Word>();
    for (const [i, word] of words.entries()) {
      const known = found.get(word) ?? { count: 0, positions: [] };
      if (known.count++ === 0) found.set(word, known);
      if (i < MAX_POSITION && known.positions.length < MAX_POSITIONS_PER_WORD) known.positions.push(i + 1);
    }
    return { ...written(project, found), length: words.length };
  });
}

/** Formats the words of a text. A text that is too long for the index loses words at its end. */
function written(project: number, found: ReadonlyMap<string, Word>): Omit<IndexedWords, "length"> {
  const words: string[] = [];
  const repeats: string[] = [];
  let total = 0;
  for (const [word, { count, positions }] of found) {
    const lexeme = lexemeOf(project, word);
    const bytes = Buffer.byteLength(lexeme) + BYTES_A_WORD;
    total += bytes + 2 * positions.length;
    if (total > MAX_BYTES || bytes > MAX_WORD_BYTES) continue;
    words.push(positions.length === 0 ? lexeme : `${lexeme}:${positions.join(",")}`);
    if (count > 1) repeats.push(`${JSON.stringify(word)}:${count}`);
  }
  return { words: words.join(" "), repeats: repeats.length === 0 ? null : `{${repeats.join(",")}}` };
}
