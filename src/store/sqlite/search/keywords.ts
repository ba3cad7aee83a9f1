import { mayRankAll, withoutCommonest } from "../../rare-words.ts";
import type { KeywordHit } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import type { Condition } from "../filter.ts";

/** Factor on `limit` for reading before a filter is applied. If too few rows remain, the query itself filters. */
const OVER_FETCH = 4;

/** Returns the FTS5 expression that matches any of the words. Words of several tokens become phrases. */
export function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ");
}

/** Drops the most common words if all words together occur in too many turns to rank. */
export function rarest(connection: Connection, terms: readonly string[]): string[] {
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
export function countTurns(connection: Connection, term: string): number {
  return (
    connection.get<{ n: number }>(
      "SELECT count(*) AS n FROM turn_keywords WHERE turn_keywords MATCH ?",
      anyOf([term]),
    )?.n ?? 0
  );
}

/** Returns at most `limit` ids of turns that contain the word and fit. As one value: as rows they take twice as long. */
export function turnsWith(connection: Connection, term: string, limit: number, turns: Condition): number[] {
  const fits = turns.empty ? "" : `AND ${turns.sql("+rowid")}`;
  const row = connection.get<{ ids: string }>(
    `SELECT json_group_array(id) AS ids FROM (
       SELECT rowid AS id FROM turn_keywords WHERE turn_keywords MATCH ? ${fits} LIMIT ?)`,
    anyOf([term]),
    ...turns.params,
    limit,
  );
  return row === null ? [] : JSON.parse(row.ids);
}

// Filtering the best few is much cheaper than looking up every match; when too few are left, every match is looked at.
function widening(
  turns: Condition,
  limit: number,
  query: (filtered: boolean, count: number) => KeywordHit[],
): KeywordHit[] {
  if (turns.empty) return query(false, limit);
  const hits = query(false, limit * OVER_FETCH);
  return hits.length >= limit ? hits.slice(0, limit) : query(true, limit);
}
