import { NOTE } from "../../../constants.ts";
import type { Totals } from "../../contract/types/stored.ts";
import { SESSION } from "../columns.ts";
import type { Condition } from "../filter.ts";
import type { ProjectDatabase } from "../query.ts";

/** Counts the turns that fit, with their sessions and chunks. */
export async function countFitting(
  database: ProjectDatabase,
  turns: Condition,
): Promise<Omit<Totals, "pendingChunks"> | null> {
  return database.get(
    `WITH fitting AS (SELECT t.turn_id, t.session_id, s.client = '${NOTE.client}' AS noted FROM mementor.turns t ${SESSION}
       WHERE t.project_id = :project AND ${turns.sql("t.turn_id")})
     SELECT (SELECT count(DISTINCT session_id) FROM fitting WHERE NOT noted) AS sessions,
       (SELECT count(*) FROM fitting WHERE NOT noted) AS turns, (SELECT count(*) FROM fitting WHERE noted) AS notes,
       (SELECT count(*) FROM fitting f JOIN mementor.chunks c ON c.project_id = :project AND c.turn_id = f.turn_id) AS chunks`,
    ...turns.params,
  );
}

/** Counts what the project holds, from the accounts of its authors. */
export async function totals(database: ProjectDatabase): Promise<Totals> {
  const row = await database.get<Omit<Totals, "pendingChunks">>(
    `SELECT (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project AND s.client <> '${NOTE.client}') AS sessions,
       (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project AND s.client = '${NOTE.client}') AS notes,
       coalesce(sum(u.turns), 0)::bigint AS turns, coalesce(sum(u.chunks), 0)::bigint AS chunks
     FROM mementor.usage u WHERE u.project_id = :project`,
  );
  if (row === null) return { sessions: 0, turns: 0, notes: 0, chunks: 0, pendingChunks: 0 };
  // A note is one turn of a session of its own, and the accounts count it as a turn. No vector waits to be made here:
  // members make them.
  return { ...row, turns: Math.max(0, row.turns - row.notes), pendingChunks: 0 };
}
