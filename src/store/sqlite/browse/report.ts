import { CHANGING_TOOLS } from "../../../constants.ts";
import type { SessionFile } from "../../browse.ts";
import { narrowed, type TurnsThatFit } from "../../list-rows.ts";
import { isFile } from "../../resources.ts";
import type { BrowseStore } from "../../store.ts";
import type { Query } from "../connection/query.ts";
import { turnCondition } from "../filter.ts";
import { sessions } from "./sessions.ts";

/** Returns the sessions that fit, with what their turns that fit touched and made. */
export const report: Query<BrowseStore["report"]> = (connection, filter, busiest) => {
  const found = sessions(connection, filter, { limit: -1 }).sessions;
  const own = JSON.stringify(found.map(({ sessionId, foreign }) => [sessionId, foreign === null]));
  const fits = turnCondition(filter);
  const turns = `${TURNS} AND ${fits.sql("t.id")}`;
  const touching = `${turns} CROSS JOIN file_mentions m ON m.turn_id = t.id AND ${isFile("m.file_path")}`;
  const chosen = [own, ...fits.params];
  const files = connection.all<SessionFile>(filesSql(touching), TOOLS, ...chosen);
  return {
    sessions: narrowed(found, connection.all<TurnsThatFit>(countsSql(turns), ...chosen), files),
    files,
    hours: connection.all(hoursSql(touching), ...chosen, busiest),
    commits: connection.all(commitsSql(turns), ...chosen),
    prs: connection.all(PRS, JSON.stringify(found.map(({ sessionId }) => sessionId))),
  };
};

const TOOLS = JSON.stringify(CHANGING_TOOLS);

// What others brought with the id of a session of one's own is not part of it.
const TURNS = `json_each(?) j CROSS JOIN turns t
  ON t.session_id = j.value ->> 0 AND (t.foreign_origin IS NULL OR NOT j.value ->> 1)`;

const countsSql = (
  turns: string,
) => `SELECT t.session_id AS sessionId, count(*) AS turns, min(t.created_at) AS first,
    max(coalesce(t.ended_at, t.created_at)) AS last FROM ${turns} GROUP BY j.key`;

const filesSql = (
  touching: string,
) => `SELECT t.session_id AS sessionId, m.file_path AS path, count(*) AS touches,
    sum(m.tool_name IN (SELECT value FROM json_each(?))) AS changes
  FROM ${touching} GROUP BY j.key, m.file_path ORDER BY j.key, touches DESC, m.file_path`;

const hoursSql = (touching: string) => `WITH hourly AS MATERIALIZED (
    SELECT m.file_path AS path, substr(t.created_at, 1, 13) AS hour, count(*) AS touches FROM ${touching}
    WHERE t.created_at IS NOT NULL GROUP BY m.file_path, hour),
  busiest AS (SELECT path, sum(touches) AS touches FROM hourly GROUP BY path ORDER BY touches DESC, path LIMIT ?)
  SELECT h.path, h.hour, h.touches FROM hourly h JOIN busiest b ON b.path = h.path ORDER BY b.touches DESC, h.path, h.hour`;

const commitsSql = (turns: string) => `SELECT t.session_id AS sessionId, k.hash, k.message
  FROM ${turns} CROSS JOIN commits k ON k.turn_id = t.id ORDER BY j.key, t.created_at, k.rowid`;

const PRS = `SELECT p.session_id AS sessionId, p.pr_number AS prNumber, p.pr_url AS prUrl, p.pr_repository AS prRepository
  FROM json_each(?1) j CROSS JOIN pr_links p ON p.session_id = j.value ORDER BY j.key, p.pr_number, p.pr_url`;
