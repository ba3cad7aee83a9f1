import type { WindowType } from "../../../domain.ts";
import type { Filter } from "../../../filter/filter.ts";
import { ACTIVE_MODEL } from "../columns.ts";
import { sessionCondition } from "../filter.ts";
import type { ProjectDatabase } from "../query.ts";
import { parseVector, vectorLiteral } from "./vector-text.ts";

/** Returns the access pattern of a session; of one that several members have, the caller's own. */
export async function accessPattern(
  database: ProjectDatabase,
  sessionId: string,
  window: WindowType,
): Promise<Float32Array | null> {
  const row = await database.get<{ centroid: string }>(
    `SELECT a.centroid::text AS centroid FROM mementor.session_access_patterns a
     WHERE a.project_id = :project AND a.session_id = ? AND a.window_type = ? AND a.model_id = ${ACTIVE_MODEL}
     ORDER BY a.author = current_user DESC, a.author LIMIT 1`,
    sessionId,
    window,
  );
  return row === null ? null : parseVector(row.centroid);
}

const FULL: WindowType = "full";

/** Returns the other sessions whose access patterns are nearest. */
export function nearestSessions(
  database: ProjectDatabase,
  centroid: Float32Array,
  { limit, exceptSessionId, filter }: { limit: number; exceptSessionId: string; filter: Filter },
): Promise<{ sessionId: string; distance: number }[]> {
  const fits = sessionCondition(filter);
  return database.all<{ sessionId: string; distance: number }>(
    `SELECT a.session_id AS "sessionId", min(coalesce(nullif(a.centroid <=> ?::text::vector, 'NaN'), 1)) AS distance
     FROM mementor.session_access_patterns a WHERE a.project_id = :project AND a.model_id = ${ACTIVE_MODEL}
       AND a.window_type = '${FULL}' AND a.session_id <> ? AND ${fits.sql("a.session_id")}
     GROUP BY a.session_id ORDER BY 2, 1 LIMIT ?`,
    vectorLiteral(centroid),
    exceptSessionId,
    ...fits.params,
    limit,
  );
}
