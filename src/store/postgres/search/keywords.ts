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
export function cutWords(texts: readonly string[]): string[][] {
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

/** Characters that end a word for SQLite's tokenizer: ASCII except letters and digits, dashes, quotes, arrows, boxes. */
const SEPARATORS = /[\0-/:-@[-`{-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u259f]+/;
/** Longest run to cache. A history repeats its words; longer runs are data, which seldom repeats. */
const MAX_KEPT_CHARS = 32;
const MAX_KEPT = 100_000;

/** A cached word, with its occurrences in the text that is being indexed. */
interface Word {
  readonly word: string;
  readonly lexeme: string;
  /** Its size in a `tsvector` without positions. */
  readonly bytes: number;
  count: number;
  /** Its kept positions in the syntax of a `tsvector`. */
  positions: string;
  kept: number;
}

/**
 * Builds index entries with the same words and counts as the index of a memory's file. Caches the words that SQLite makes of each
 * run of characters between separators.
 */
export class WordIndexer {
  readonly #project: number;
  readonly #runs = new Map<string, readonly Word[]>();
  readonly #words = new Map<string, Word>();
  constructor(project: number) {
    this.#project = project;
  }

  /** Returns the index entry of each text, in order. */
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

  /** @param runs the words of each run, or the run itself if it was not cached. */
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

/** Formats the words of a text and resets them for the next one. A text that is too long for the index loses words at its end. */
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
