import type { BrowseStore } from "../../contract/store.ts";
import type { ReportRows } from "../../contract/types/browse.ts";
import { TEXTS } from "../columns.ts";
import type { Query } from "../query.ts";
import { isFile } from "../resources.ts";
import { json } from "../text.ts";
import { CHANGES } from "./files.ts";
import { sessions } from "./sessions.ts";

/** Returns the sessions that fit with what they touched and made. */
export const report: Query<BrowseStore["report"]> = async (database, filter, busiest) => {
  const { sessions: found } = await sessions(database, filter, { limit: -1 });
  const ids = json(found.map(({ sessionId }) => sessionId));
  return {
    sessions: found,
    files: await database.all<ReportRows["files"][number]>(FILES, ids),
    hours: await database.all<ReportRows["hours"][number]>(HOURS, ids, busiest, ids),
    commits: await database.all<ReportRows["commits"][number]>(COMMITS, ids),
    prs: await database.all<ReportRows["prs"][number]>(PRS, ids),
  };
};

const TURNS = `${TEXTS} JOIN mementor.turns t ON t.project_id = :project AND t.session_id = j.value`;
const MENTIONS = `${TURNS} JOIN mementor.file_mentions m ON m.project_id = :project AND m.turn_id = t.turn_id
    AND ${isFile("m.file_path")}`;

const FILES = `SELECT j.value AS "sessionId", m.file_path AS path, count(*) AS touches,
    count(*) FILTER (WHERE m.tool_name IN ${CHANGES}) AS changes
  FROM ${MENTIONS} GROUP BY j.key, j.value, m.file_path ORDER BY j.key, touches DESC, m.file_path`;

const HOURS = `WITH busiest AS (SELECT m.file_path AS path, count(*) AS touches FROM ${MENTIONS}
    WHERE t.created_at IS NOT NULL GROUP BY m.file_path ORDER BY touches DESC, m.file_path LIMIT ?)
  SELECT m.file_path AS path, left(t.created_at, 13) AS hour, count(*) AS touches
  FROM ${MENTIONS} JOIN busiest ON busiest.path = m.file_path WHERE t.created_at IS NOT NULL
  GROUP BY m.file_path, hour, busiest.touches ORDER BY busiest.touches DESC, m.file_path, hour`;

const COMMITS = `SELECT j.value AS "sessionId", k.hash, k.message
  FROM ${TURNS} JOIN mementor.commits k ON k.project_id = :project AND k.turn_id = t.turn_id
  ORDER BY j.key, t.created_at NULLS FIRST, t.turn_id, k.hash`;

const PRS = `SELECT p.session_id AS "sessionId", p.pr_number AS "prNumber", p.pr_url AS "prUrl",
    min(p.pr_repository) AS "prRepository"
  FROM ${TEXTS} JOIN mementor.pr_links p ON p.project_id = :project AND p.session_id = j.value
  GROUP BY j.key, p.session_id, p.pr_number, p.pr_url ORDER BY j.key, p.pr_number, p.pr_url`;
