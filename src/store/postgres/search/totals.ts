import { NOTE } from "../../../constants.ts";
import type { Totals } from "../../contract/types/stored.ts";
import { ACTIVE_MODEL, SESSION } from "../columns.ts";
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
  const row = await database.get<Totals & { vectors: number; models: number }>(
    `SELECT (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project AND s.client <> '${NOTE.client}') AS sessions,
       (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project AND s.client = '${NOTE.client}') AS notes,
       coalesce(sum(u.turns), 0)::bigint AS turns, coalesce(sum(u.chunks), 0)::bigint AS chunks,
       coalesce(sum(u.vectors), 0)::bigint AS vectors,
       (SELECT count(*) FROM mementor.models m WHERE m.project_id = :project) AS models
     FROM mementor.usage u WHERE u.project_id = :project`,
  );
  if (row === null) return { sessions: 0, turns: 0, notes: 0, chunks: 0, pendingChunks: 0 };
  const { vectors, models, turns, ...counts } = row;
  // The accounts do not tell the vectors of several models apart.
  const embedded = models === 1 ? vectors : await activeVectors(database);
  // A note is one turn of a session of its own, and the accounts count it as a turn.
  return {
    ...counts,
    turns: Math.max(0, turns - counts.notes),
    pendingChunks: models === 0 ? 0 : counts.chunks - embedded,
  };
}

async function activeVectors(database: ProjectDatabase): Promise<number> {
  const row = await database.get<{ n: number }>(
    `SELECT count(*) AS n FROM mementor.chunk_vectors v WHERE v.project_id = :project AND v.model_id = ${ACTIVE_MODEL}`,
  );
  return row?.n ?? 0;
}
