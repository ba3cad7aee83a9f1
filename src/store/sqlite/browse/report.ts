import { CHANGING_TOOLS } from "../../../constants.ts";
import type { BrowseStore, LocalBrowseStore } from "../../contract/store.ts";
import { isFile } from "../../shared/resources.ts";
import type { Query } from "../connection/query.ts";
import { fromBytes } from "../vectors/math.ts";
import { activeModel } from "../vectors/models.ts";
import { sessions } from "./sessions.ts";

/** Returns the sessions that fit with what they touched and made. */
export const report: Query<BrowseStore["report"]> = (connection, filter, busiest) => {
  const found = sessions(connection, filter, { limit: -1 }).sessions;
  const own = JSON.stringify(found.map(({ sessionId, foreign }) => [sessionId, foreign === null]));
  return {
    sessions: found,
    files: connection.all(FILES, own, TOOLS),
    hours: connection.all(HOURS, own, busiest),
    commits: connection.all(COMMITS, own),
    prs: connection.all(PRS, JSON.stringify(found.map(({ sessionId }) => sessionId))),
  };
};

/** Returns the access patterns of sessions, in the order asked for; sessions without one are left out. */
export const centroids: Query<LocalBrowseStore["centroids"]> = (connection, sessionIds) =>
  connection
    .all<{ sessionId: string; centroid: Uint8Array }>(
      CENTROIDS,
      JSON.stringify(sessionIds),
      activeModel(connection)?.id ?? 0,
    )
    .map(({ sessionId, centroid }) => ({ sessionId, centroid: fromBytes(centroid) }));

const TOOLS = JSON.stringify(CHANGING_TOOLS);

// What others brought with the id of a session of one's own is not part of it.
const TURNS = `json_each(?1) j CROSS JOIN turns t
  ON t.session_id = j.value ->> 0 AND (t.foreign_origin IS NULL OR NOT j.value ->> 1)`;
const MENTIONS = `${TURNS} CROSS JOIN file_mentions m ON m.turn_id = t.id AND ${isFile("m.file_path")}`;

const FILES = `SELECT t.session_id AS sessionId, m.file_path AS path, count(*) AS touches,
    sum(m.tool_name IN (SELECT value FROM json_each(?2))) AS changes
  FROM ${MENTIONS} GROUP BY j.key, m.file_path ORDER BY j.key, touches DESC, m.file_path`;

const HOURS = `WITH busiest AS (SELECT m.file_path AS path, count(*) AS touches FROM ${MENTIONS}
    WHERE t.created_at IS NOT NULL GROUP BY m.file_path ORDER BY touches DESC, m.file_path LIMIT ?2)
  SELECT m.file_path AS path, substr(t.created_at, 1, 13) AS hour, count(*) AS touches
  FROM ${MENTIONS} JOIN busiest ON busiest.path = m.file_path WHERE t.created_at IS NOT NULL
  GROUP BY m.file_path, hour ORDER BY busiest.touches DESC, m.file_path, hour`;

const COMMITS = `SELECT t.session_id AS sessionId, k.hash, k.message
  FROM ${TURNS} CROSS JOIN commits k ON k.turn_id = t.id ORDER BY j.key, t.created_at, k.rowid`;

const PRS = `SELECT p.session_id AS sessionId, p.pr_number AS prNumber, p.pr_url AS prUrl, p.pr_repository AS prRepository
  FROM json_each(?1) j CROSS JOIN pr_links p ON p.session_id = j.value ORDER BY j.key, p.pr_number, p.pr_url`;

const CENTROIDS = `SELECT a.session_id AS sessionId, a.centroid FROM json_each(?1) j
  CROSS JOIN session_access_patterns a ON a.session_id = j.value
  WHERE a.model_id = ?2 AND a.window_type = 'full' ORDER BY j.key`;
