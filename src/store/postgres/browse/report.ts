import type { ReportRows, SessionFile } from "../../browse.ts";
import { narrowed, type TurnsThatFit } from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import { TEXTS } from "../columns.ts";
import { turnCondition } from "../filter.ts";
import type { Query } from "../query.ts";
import { isFile } from "../resources.ts";
import { json } from "../text.ts";
import { CHANGES } from "./files.ts";
import { sessions } from "./sessions.ts";

/** Returns the sessions that fit, with what their turns that fit touched and made. */
export const report: Query<BrowseStore["report"]> = async (database, filter, busiest) => {
  const { sessions: found } = await sessions(database, filter, { limit: -1 });
  const ids = json(found.map(({ sessionId }) => sessionId));
  const fits = turnCondition(filter);
  const turns = `${TURNS} AND ${fits.sql("t.turn_id")}`;
  const touching = `${turns} ${MENTIONS}`;
  const chosen = [ids, ...fits.params];
  const files = await database.all<SessionFile>(filesSql(touching), ...chosen);
  return {
    sessions: narrowed(found, await database.all<TurnsThatFit>(countsSql(turns), ...chosen), files),
    files,
    hours: await database.all<ReportRows["hours"][number]>(hoursSql(touching), ...chosen, busiest),
    commits: await database.all<ReportRows["commits"][number]>(commitsSql(turns), ...chosen),
    prs: await database.all<ReportRows["prs"][number]>(PRS, ids),
  };
};

const TURNS = `${TEXTS} JOIN mementor.turns t ON t.project_id = :project AND t.session_id = j.value`;
const MENTIONS = `JOIN mementor.file_mentions m ON m.project_id = :project AND m.turn_id = t.turn_id
    AND ${isFile("m.file_path")}`;

const countsSql = (
  turns: string,
) => `SELECT j.value AS "sessionId", count(*) AS turns, min(t.created_at) AS first,
    max(coalesce(t.ended_at, t.created_at)) AS last FROM ${turns} GROUP BY j.value`;

const filesSql = (
  touching: string,
) => `SELECT j.value AS "sessionId", m.file_path AS path, count(*) AS touches,
    count(*) FILTER (WHERE m.tool_name IN ${CHANGES}) AS changes
  FROM ${touching} GROUP BY j.key, j.value, m.file_path ORDER BY j.key, touches DESC, m.file_path`;

const hoursSql = (touching: string) => `WITH hourly AS (
    SELECT m.file_path AS path, left(t.created_at, 13) AS hour, count(*) AS touches FROM ${touching}
    WHERE t.created_at IS NOT NULL GROUP BY m.file_path, hour),
  busiest AS (SELECT path, sum(touches) AS touches FROM hourly GROUP BY path ORDER BY touches DESC, path LIMIT ?)
  SELECT h.path, h.hour, h.touches FROM hourly h JOIN busiest b ON b.path = h.path ORDER BY b.touches DESC, h.path, h.hour`;

const commitsSql = (turns: string) => `SELECT j.value AS "sessionId", k.hash, k.message
  FROM ${turns} JOIN mementor.commits k ON k.project_id = :project AND k.turn_id = t.turn_id
  ORDER BY j.key, t.created_at NULLS FIRST, t.turn_id, k.hash`;

const PRS = `SELECT p.session_id AS "sessionId", p.pr_number AS "prNumber", p.pr_url AS "prUrl",
    min(p.pr_repository) AS "prRepository"
  FROM ${TEXTS} JOIN mementor.pr_links p ON p.project_id = :project AND p.session_id = j.value
  GROUP BY j.key, p.session_id, p.pr_number, p.pr_url ORDER BY j.key, p.pr_number, p.pr_url`;
