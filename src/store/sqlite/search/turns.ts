import type { Filter } from "../../filter.ts";
import { hintedPath } from "../../filter-sql.ts";
import type { SearchStore } from "../../store.ts";
import type { TurnHit } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { commitCondition, pathCondition, turnCondition } from "../filter.ts";

/** Turns by what they touched and made. */
export function byReferences(connection: Connection) {
  const turnIds = (sql: string, params: readonly (string | number)[]) =>
    connection.all<{ id: number }>(sql, ...params);
  return {
    async turnsByFile(hints, limit, filter) {
      const found = matchesPerTurn(
        hints.map((hint) => {
          const { sql, params } = pathCondition(hintedPath(hint));
          return turnIds(`SELECT DISTINCT m.turn_id AS id FROM file_mentions m WHERE ${sql}`, params);
        }),
      );
      return bestTurns(connection, "file", found, limit, filter);
    },
    async turnsByCommit(hashes, limit, filter) {
      const found = matchesPerTurn(
        hashes.map((hash) => {
          const { sql, params } = commitCondition(hash);
          return turnIds(`SELECT DISTINCT k.turn_id AS id FROM commits k WHERE ${sql}`, params);
        }),
      );
      return bestTurns(connection, "commit", found, limit, filter);
    },
    async turnsByPr(numbers, limit, filter) {
      const turns = turnCondition(filter);
      return connection
        .all<{ turnId: number; matches: number }>(
          `SELECT t.id AS turnId, count(DISTINCT p.pr_number) AS matches FROM json_each(?) j
           CROSS JOIN pr_links p ON p.pr_number = j.value CROSS JOIN turns t ON t.session_id = p.session_id
           WHERE ${turns.sql("t.id")} GROUP BY t.id
           ORDER BY matches DESC, min(abs(julianday(t.created_at) - julianday(p.timestamp))) IS NULL,
             min(abs(julianday(t.created_at) - julianday(p.timestamp))), t.id DESC LIMIT ?`,
          JSON.stringify(numbers),
          ...turns.params,
          limit,
        )
        .map((row): TurnHit => ({ ...row, source: "pr" }));
    },
    async turnsByTitle(texts, limit, filter) {
      const turns = turnCondition(filter);
      const has = texts.map(() => "instr(lower(s.title), lower(?)) > 0").join(" AND ");
      return connection.all<{ turnId: number; title: string }>(
        `SELECT t.id AS turnId, s.title FROM sessions s CROSS JOIN turns t ON t.session_id = s.session_id
         WHERE ${has} AND ${turns.sql("t.id")} ORDER BY s.ended_at DESC, s.rowid DESC, t.id LIMIT ?`,
        ...texts,
        ...turns.params,
        limit,
      );
    },
  } satisfies Partial<SearchStore>;
}

function matchesPerTurn(lookups: readonly (readonly { id: number }[])[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { id } of lookups.flat()) found[id] = (found[id] ?? 0) + 1;
  return found;
}

function bestTurns(
  connection: Connection,
  source: TurnHit["source"],
  found: Record<string, number>,
  limit: number,
  filter: Filter | undefined,
): TurnHit[] {
  const turns = turnCondition(filter);
  return connection
    .all<{ turnId: number; matches: number }>(
      `SELECT t.id AS turnId, j.value AS matches FROM json_each(?) j CROSS JOIN turns t ON t.id = CAST(j.key AS INTEGER)
       WHERE ${turns.sql("t.id")} ORDER BY j.value DESC, t.created_at IS NULL, t.created_at DESC, t.id DESC LIMIT ?`,
      JSON.stringify(found),
      ...turns.params,
      limit,
    )
    .map((row) => ({ ...row, source }));
}
