import { NOTE } from "../../../constants.ts";
import type { Totals } from "../../contract/types/stored.ts";
import { ACTIVE_MODEL } from "../columns.ts";
import type { Condition } from "../filter.ts";
import type { ProjectDatabase } from "../query.ts";

/** Counts the turns that fit, with their sessions and chunks. */
export async function countFitting(
  database: ProjectDatabase,
  turns: Condition,
): Promise<Pick<Totals, "sessions" | "turns" | "chunks"> | null> {
  return database.get(
    `WITH fitting AS (SELECT x.turn_id, x.session_id FROM mementor.turns x
       WHERE x.project_id = :project AND ${turns.sql("x.turn_id")})
     SELECT (SELECT count(DISTINCT f.session_id) FROM fitting f JOIN mementor.sessions s ON s.project_id = :project
         AND s.session_id = f.session_id AND s.client <> '${NOTE.client}') AS sessions, (SELECT count(*) FROM fitting) AS turns,
       (SELECT count(*) FROM fitting f JOIN mementor.chunks c ON c.project_id = :project AND c.turn_id = f.turn_id) AS chunks`,
    ...turns.params,
  );
}

/** Counts what the project holds, from the accounts of its authors. */
export async function totals(database: ProjectDatabase): Promise<Totals> {
  const row = await database.get<Totals & { vectors: number; models: number }>(
    `SELECT (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project AND s.client <> '${NOTE.client}') AS sessions,
       coalesce(sum(u.turns), 0)::bigint AS turns, coalesce(sum(u.chunks), 0)::bigint AS chunks,
       coalesce(sum(u.vectors), 0)::bigint AS vectors,
       (SELECT count(*) FROM mementor.models m WHERE m.project_id = :project) AS models
     FROM mementor.usage u WHERE u.project_id = :project`,
  );
  if (row === null) return { sessions: 0, turns: 0, chunks: 0, pendingChunks: 0 };
  const { vectors, models, ...counts } = row;
  // The accounts do not tell the vectors of several models apart.
  const embedded = models === 1 ? vectors : await activeVectors(database);
  return { ...counts, pendingChunks: models === 0 ? 0 : counts.chunks - embedded };
}

async function activeVectors(database: ProjectDatabase): Promise<number> {
  const row = await database.get<{ n: number }>(
    `SELECT count(*) AS n FROM mementor.chunk_vectors v WHERE v.project_id = :project AND v.model_id = ${ACTIVE_MODEL}`,
  );
  return row?.n ?? 0;
}
