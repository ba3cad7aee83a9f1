import type { Totals } from "../../types.ts";
import type { ProjectDatabase } from "../query.ts";

/** Counts what the project holds, from the accounts of its authors. */
export async function totals(database: ProjectDatabase): Promise<Totals> {
  const row = await database.get<Totals>(
    `SELECT (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project) AS sessions,
       coalesce(sum(u.turns), 0)::bigint AS turns, coalesce(sum(u.chunks), 0)::bigint AS chunks,
       (SELECT count(*) FROM mementor.chunks c, mementor.projects p
         WHERE c.project_id = :project AND p.project_id = :project AND p.active_model IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM mementor.chunk_vectors v
             WHERE v.project_id = :project AND v.model_id = p.active_model AND v.chunk_id = c.chunk_id)) AS "pendingChunks"
     FROM mementor.usage u WHERE u.project_id = :project`,
  );
  return row ?? { sessions: 0, turns: 0, chunks: 0, pendingChunks: 0 };
}
