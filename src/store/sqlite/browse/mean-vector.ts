import { MEAN_VECTOR_CHUNKS } from "../../../constants.ts";
import type { VectorOf } from "../../browse.ts";
import type { BrowseStore } from "../../store.ts";
import type { Query } from "../connection/query.ts";
import { mean } from "../vectors/access-patterns.ts";
import { fromBytes } from "../vectors/math.ts";
import { activeModel } from "../vectors/models.ts";

/** Returns the mean of the chunk vectors of a turn, a session, or the turns that touched a path; null without any. */
export const meanVector: Query<BrowseStore["meanVector"]> = (connection, of) => {
  const rows = connection.all<{ embedding: Uint8Array }>(
    `SELECT v.embedding FROM (${turnsOf(of)}) t CROSS JOIN chunks k ON k.turn_id = t.id
       CROSS JOIN chunk_vectors v ON v.chunk_id = k.id AND v.model_id = ?2 LIMIT ?3`,
    "turnId" in of ? of.turnId : "sessionId" in of ? of.sessionId : of.path,
    activeModel(connection)?.id ?? 0,
    MEAN_VECTOR_CHUNKS,
  );
  return rows.length === 0 ? null : mean(rows.map((row) => fromBytes(row.embedding)));
};

function turnsOf(of: VectorOf): string {
  if ("turnId" in of) return "SELECT ?1 AS id";
  if ("sessionId" in of) return "SELECT id FROM turns WHERE session_id = ?1 ORDER BY line_index DESC";
  return "SELECT DISTINCT turn_id AS id FROM file_mentions WHERE file_path = ?1 ORDER BY turn_id DESC";
}
