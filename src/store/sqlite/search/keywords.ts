import type { Database } from "bun:sqlite";
import { KEYWORDS_VERSION } from "../../../constants.ts";
import { keywordText, needsReindexing } from "../../../text/keywords.ts";
import { mayRankAll, withoutCommonest } from "../../rare-words.ts";
import type { WordStore } from "../../store.ts";
import type { KeywordHit } from "../../stored.ts";
import { type Connection, readMeta, removeMeta, writeMeta } from "../connection/connection.ts";
import { INDEXED_META } from "../connection/version.ts";
import type { Condition } from "../filter.ts";

/** Factor on `limit` for rows to read before a filter applies. If too few remain, the query itself filters. */
const OVER_FETCH = 4;

/** Returns the FTS5 expression that matches any of the words. Words of several tokens become phrases. */
export function matchAny(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ");
}

/** Drops the most common words if all words together occur in too many turns to rank. */
export function rarestTerms(connection: Connection, terms: readonly string[]): string[] {
  const turns = connection.get<{ n: number }>("SELECT max(id) AS n FROM turns")?.n ?? 0;
  if (mayRankAll(terms, turns)) return [...terms];
  return withoutCommonest(
    terms,
    terms.map((term) => countTurns(connection, term)),
  );
}

/** Returns the best chunks for these words. */
export function searchChunks(
  connection: Connection,
  match: string,
  limit: number,
  turns: Condition,
): KeywordHit[] {
  const inside = turns.empty
    ? "1"
    : `+ft.rowid IN (SELECT c.id FROM chunks c WHERE ${turns.sql("c.turn_id")})`;
  return widening(turns, limit, (filtered, count) =>
    connection.all<KeywordHit>(
      `SELECT c.id AS chunkId, c.turn_id AS turnId, -best.bm25 AS score FROM (
         SELECT ft.rowid AS id, bm25(chunk_keywords) AS bm25 FROM chunk_keywords ft
         WHERE chunk_keywords MATCH ? AND ${filtered ? inside : "1"} ORDER BY 2 LIMIT ?
       ) best CROSS JOIN chunks c ON c.id = best.id
       WHERE ${filtered ? "1" : turns.sql("c.turn_id")} ORDER BY best.bm25, c.id`,
      match,
      ...(filtered ? turns.params : []),
      count,
      ...(filtered ? [] : turns.params),
    ),
  );
}

/** Returns the best turns for these words, each as a whole. */
export function searchTurns(
  connection: Connection,
  match: string,
  limit: number,
  turns: Condition,
): KeywordHit[] {
  return widening(turns, limit, (filtered, count) =>
    connection.all<KeywordHit>(
      `SELECT NULL AS chunkId, best.id AS turnId, -best.bm25 AS score FROM (
         SELECT ft.rowid AS id, bm25(turn_keywords) AS bm25 FROM turn_keywords ft
         WHERE turn_keywords MATCH ? AND ${filtered ? turns.sql("+ft.rowid") : "1"}
         ORDER BY 2 LIMIT ?
       ) best WHERE ${filtered ? "1" : turns.sql("best.id")} ORDER BY best.bm25, best.id`,
      match,
      ...(filtered ? turns.params : []),
      count,
      ...(filtered ? [] : turns.params),
    ),
  );
}

/** Counts the turns that contain the word. */
function countTurns(connection: Connection, term: string): number {
  return (
    connection.get<{ n: number }>(
      "SELECT count(*) AS n FROM turn_keywords WHERE turn_keywords MATCH ?",
      matchAny([term]),
    )?.n ?? 0
  );
}

/**
 * Returns at most `limit` ids of matching turns for each word, in order. Uses one statement, with the ids of a word in one value:
 * a statement per word, or a row per id, takes twice as long.
 */
export function turnsByTerm(
  connection: Connection,
  terms: readonly string[],
  limit: number,
  turns: Condition,
): number[][] {
  const fits = turns.empty ? "" : `AND ${turns.sql("+rowid")}`;
  const rows = connection.column<string>(
    `SELECT (SELECT json_group_array(id) FROM (
         SELECT rowid AS id FROM turn_keywords WHERE turn_keywords MATCH word.value ${fits} LIMIT ?))
       FROM json_each(?) AS word ORDER BY word.key`,
    ...turns.params,
    limit,
    JSON.stringify(terms.map((term) => matchAny([term]))),
  );
  return rows.map((ids) => JSON.parse(ids));
}

// Filtering the best few is much cheaper than looking up every match; only when too few are left is every match examined.
function widening(
  turns: Condition,
  limit: number,
  query: (filtered: boolean, count: number) => KeywordHit[],
): KeywordHit[] {
  if (turns.empty) return query(false, limit);
  const hits = query(false, limit * OVER_FETCH);
  return hits.length >= limit ? hits.slice(0, limit) : query(true, limit);
}

/** Turns per step: a writing hook waits at most for one step. */
const STEP = 100;
/** Key in `meta` of the progress of reindexing, as `<version> <turn>`. */
const PROGRESS = "keywords_progress";

/** Reindexes the words of a memory that an older version indexed differently. */
export function wordStore(connection: Connection): WordStore {
  return {
    async due() {
      if (readMeta(connection, INDEXED_META[0]) === INDEXED_META[1]) return null;
      const [version, after] = (readMeta(connection, PROGRESS) ?? "").split(" ");
      return Number(version) === KEYWORDS_VERSION ? Number(after) : 0;
    },
    index: async (after) => connection.transaction(() => step(connection, after)),
  };
}

/** Indexes one step and records the progress in one transaction, so that a killed process continues after it. */
function step(connection: Connection, after: number): { changed: number; next: number | null } {
  const turns = connection.all<{ id: number; text: string }>(
    "SELECT id, full_text AS text FROM turns WHERE id > ? ORDER BY id LIMIT ?",
    after,
    STEP,
  );
  const changed = turns.filter(({ text }) => needsReindexing(text));
  for (const { id, text } of changed) {
    indexAgain(connection, "turn_keywords", id, text);
    const chunks = connection.all<{ id: number; text: string }>(
      "SELECT id, content AS text FROM chunks WHERE turn_id = ?",
      id,
    );
    for (const chunk of chunks) indexAgain(connection, "chunk_keywords", chunk.id, chunk.text);
  }
  const next = turns.length < STEP ? null : (turns.at(-1)?.id ?? null);
  if (next === null) {
    removeMeta(connection, PROGRESS);
    writeMeta(connection, ...INDEXED_META);
  } else writeMeta(connection, PROGRESS, `${KEYWORDS_VERSION} ${next}`);
  return { changed: changed.length, next };
}

function indexAgain(connection: Connection, table: string, id: number, text: string): void {
  connection.run(`DELETE FROM ${table} WHERE rowid = ?`, id);
  connection.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, id, keywordText(text));
}

/** Each keyword index with the rows that it must contain. */
const INDEXES = [
  { index: "turn_keywords", rows: "turns", text: "full_text" },
  { index: "chunk_keywords", rows: "chunks", text: "content" },
] as const;
/** Rows of each index to check by a search for one of their words. */
const SOUGHT_ROWS = 20;
/** Length of such a row's start, and a word in it that no index rule splits or joins. */
const START_CHARS = 500;
const WORD = /(?<=^|\s)[a-z]{3,20}(?=\s)/;

/**
 * Lists the problems of the keyword indexes: rows without words, words of missing rows, and words that are not found. SQLite's
 * own check finds only some of these.
 */
export function wordIndexProblems(db: Database): string[] {
  return INDEXES.flatMap((each) =>
    [damage, missing, extra, lost].flatMap((look) => {
      try {
        return look(db, each);
      } catch (error) {
        return [`${each.index}: ${error instanceof Error ? error.message : String(error)}`];
      }
    }),
  );
}

/** Rebuilds the keyword indexes from the stored texts in one transaction. */
export function rebuildWordIndex(db: Database): void {
  db.transaction(() => {
    for (const { index } of INDEXES) makeEmpty(db, index);
    fillWordIndex(db);
  })();
}

/** Indexes the words of all stored texts. The index must be empty. */
export function fillWordIndex(db: Database): void {
  for (const { index, rows, text } of INDEXES) {
    const insert = db.query(`INSERT INTO ${index} (rowid, text) VALUES (?, ?)`);
    const stored = db.query<{ id: number; text: string }, []>(`SELECT id, ${text} AS text FROM ${rows}`);
    for (const { id, text: words } of stored.iterate()) insert.run(id, keywordText(words));
  }
}

/** Empties an index by dropping it, because deleting the rows of a damaged index fails. */
function makeEmpty(db: Database, index: string): void {
  const made = db.query<{ sql: string }, [string]>("SELECT sql FROM sqlite_master WHERE name = ?").get(index);
  if (made === null) return;
  db.run(`DROP TABLE ${index}`);
  db.run(made.sql);
}

type Indexed = (typeof INDEXES)[number];

function damage(db: Database, { index }: Indexed): string[] {
  return db
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${index})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((row) => row !== "ok");
}

function missing(db: Database, { index, rows }: Indexed): string[] {
  return counted(db, `${rows} WHERE id NOT IN (SELECT id FROM ${index}_docsize)`, `${rows} have no words`);
}

function extra(db: Database, { index, rows }: Indexed): string[] {
  return counted(
    db,
    `${index}_docsize WHERE id NOT IN (SELECT id FROM ${rows})`,
    `${rows} with words are gone`,
  );
}

function counted(db: Database, from: string, problem: string): string[] {
  const count = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
  return count > 0 ? [`${count} ${problem}`] : [];
}

/** Searches for a word of each of the newest rows with ranking, as every search does. */
function lost(db: Database, { index, rows, text }: Indexed): string[] {
  const newest = db
    .query<{ id: number; text: string }, [number]>(
      `SELECT id, substr(${text}, 1, ${START_CHARS}) AS text FROM ${rows} ORDER BY id DESC LIMIT ?`,
    )
    .all(SOUGHT_ROWS);
  const find = db.query<{ score: number }, [string, number]>(
    `SELECT bm25(${index}) AS score FROM ${index} WHERE ${index} MATCH ? AND rowid = ?`,
  );
  const count = newest.filter(({ id, text: start }) => {
    const word = WORD.exec(start)?.[0];
    return word !== undefined && find.get(`"${word}"`, id) === null;
  }).length;
  return count > 0 ? [`words of ${count} ${rows} are missing from the index`] : [];
}
