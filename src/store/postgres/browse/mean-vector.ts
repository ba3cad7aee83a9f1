import { MEAN_VECTOR_CHUNKS } from "../../../constants.ts";
import type { VectorOf } from "../../browse.ts";
import type { BrowseStore } from "../../store.ts";
import { ACTIVE_MODEL } from "../columns.ts";
import type { Query } from "../query.ts";
import { parseVector } from "../vectors/vector-text.ts";

/** Returns the mean of the chunk vectors of a turn, a session, or the turns that touched a path; null without any. */
export const meanVector: Query<BrowseStore["meanVector"]> = async (database, of) => {
  const row = await database.get<{ mean: string | null }>(
    `SELECT avg(x.embedding::vector)::text AS mean FROM (SELECT v.embedding FROM mementor.chunk_vectors v
       WHERE v.project_id = :project AND v.model_id = ${ACTIVE_MODEL} AND v.turn_id IN (${turnsOf(of)})
       ORDER BY v.turn_id DESC LIMIT ?) x`,
    "turnId" in of ? of.turnId : "sessionId" in of ? of.sessionId : of.path,
    MEAN_VECTOR_CHUNKS,
  );
  return row === null || row.mean === null ? null : parseVector(row.mean);
};

function turnsOf(of: VectorOf): string {
  if ("turnId" in of) return "?";
  if ("sessionId" in of)
    return "SELECT t.turn_id FROM mementor.turns t WHERE t.project_id = :project AND t.session_id = ?";
  return "SELECT m.turn_id FROM mementor.file_mentions m WHERE m.project_id = :project AND m.file_path = ?";
}
