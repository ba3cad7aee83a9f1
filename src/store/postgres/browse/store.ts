import { toUtc } from "../../../text/when.ts";
import { HEAD_CHARS } from "../../../turn/title.ts";
import type { BrowseStore, ClientCount, ReportRows, SessionFile, SessionSummary } from "../../browse.ts";
import { withoutNotes } from "../../filter-sql.ts";
import {
  ambiguousIdError,
  CANDIDATES_SHOWN,
  type MatchingTurns,
  narrowSessions,
  OPENING_TURNS,
  type SessionRow,
  toSession,
} from "../../list-rows.ts";
import { CHANGES_SQL } from "../../resources.ts";
import {
  isFile,
  json,
  OF_MAIN,
  type ProjectDatabase,
  type Query,
  SESSION_JOIN,
  sessionCondition,
  TEXTS_SQL,
  type TeamProject,
  turnCondition,
} from "../query.ts";
import * as files from "./files.ts";
import * as turns from "./turns.ts";

/** Lists a page of the matching sessions, latest first, with the total number of matches. */
const sessions: Query<BrowseStore["sessions"]> = async (database, filter, { limit, offset = 0 }) => {
  const fits = sessionCondition(filter);
  const where = `s.project_id = :project AND EXISTS (SELECT 1 FROM mementor.turns t WHERE t.project_id = :project
    AND t.session_id = s.session_id) AND ${fits.sql("s.session_id")}${withoutNotes("s.client", filter)}`;
  const ids = await database.all<{ id: string }>(
    `SELECT s.session_id AS id FROM mementor.sessions s WHERE ${where} GROUP BY s.session_id
     ORDER BY max(s.ended_at) DESC NULLS LAST, s.session_id DESC LIMIT ? OFFSET ?`,
    ...fits.params,
    limit < 0 ? null : limit,
    offset,
  );
  const total = await database.get<{ n: number }>(
    `SELECT count(DISTINCT s.session_id) AS n FROM mementor.sessions s WHERE ${where}`,
    ...fits.params,
  );
  return { sessions: await summariesOf(database, ids), total: total?.n ?? 0 };
};

function summariesOf(database: ProjectDatabase, found: readonly { id: string }[]): Promise<SessionSummary[]> {
  const ids = found.map(({ id }) => id);
  return ids.length === 0 ? Promise.resolve([]) : summaries(database, ids);
}

/** Returns these sessions in the given order, without unknown ids. */
const summaries: Query<BrowseStore["summaries"]> = async (database, sessionIds) =>
  (await database.all<SessionRow>(SUMMARIES, json(sessionIds))).map(toSession);

// If several members have copies of a transcript, the caller's copy describes the session.
const SUMMARIES = `SELECT s.session_id AS "sessionId", s.client, s.title, s.first_prompt AS "firstPrompt", s.automated, s.branch,
    NULL AS "projectDir", NULL AS "transcriptPath", s.started_at AS "startedAt", s.ended_at AS "endedAt", held.turns, coalesce(touched.files, 0) AS files, CASE WHEN s.author <> current_user::text THEN 'team' END AS "foreign",
    CASE WHEN s.author <> current_user::text THEN (SELECT string_agg(DISTINCT a.author, ', ' ORDER BY a.author) FROM mementor.sessions a
      WHERE a.project_id = :project AND a.session_id = s.session_id) END AS author,
    CASE WHEN s.title IS NULL AND coalesce(s.first_prompt, '') = '' THEN (SELECT json_agg(json_build_array(o.head, o.parts) ORDER BY o.turn_id)::text
      FROM (SELECT t.turn_id, left(t.full_text, ${HEAD_CHARS}) AS head, t.parts FROM mementor.turns t WHERE t.project_id = :project
        AND t.session_id = s.session_id AND ${OF_MAIN} ORDER BY t.turn_id LIMIT ${OPENING_TURNS}) o) END AS opening
  FROM ${TEXTS_SQL} CROSS JOIN LATERAL (SELECT * FROM mementor.sessions s WHERE s.project_id = :project
      AND s.session_id = j.value ORDER BY s.author = current_user DESC, s.ended_at DESC NULLS LAST LIMIT 1) s
    CROSS JOIN LATERAL (SELECT count(*) AS turns FROM mementor.turns t WHERE t.project_id = :project AND t.session_id = s.session_id) held
    CROSS JOIN LATERAL (SELECT count(DISTINCT m.file_path) AS files FROM mementor.turns t
      JOIN mementor.file_mentions m ON m.project_id = t.project_id AND m.turn_id = t.turn_id
      WHERE t.project_id = :project AND t.session_id = s.session_id AND ${isFile("m.file_path")}) touched
  ORDER BY j.key`;

/** Returns the session with this id, or the only one whose id starts with it. Rejects with `usage` when several do. */
const session: Query<BrowseStore["session"]> = async (database, idOrPrefix) => {
  const found = await database.all<{ id: string }>(
    `SELECT session_id AS id FROM mementor.sessions WHERE project_id = :project
       AND (session_id = ? OR (? <> '' AND session_id >= ? AND session_id < ? || chr(1114111)))
     GROUP BY session_id ORDER BY session_id <> ?, max(ended_at) DESC NULLS LAST LIMIT ?`,
    ...Array(5).fill(idOrPrefix),
    CANDIDATES_SHOWN + 1,
  );
  const wanted = found[0]?.id === idOrPrefix ? found.slice(0, 1) : found;
  const [first, ...others] = await summariesOf(database, wanted);
  if (first !== undefined && others.length > 0) throw ambiguousIdError(idOrPrefix, [first, ...others]);
  return first ?? null;
};

/** Returns the matching sessions with the files, commits and pull requests of their matching turns. */
const report: Query<BrowseStore["report"]> = async (database, filter, busiest) => {
  const { sessions: found } = await sessions(database, filter, { limit: -1 });
  const ids = json(found.map(({ sessionId }) => sessionId));
  const fits = turnCondition(filter);
  const turns = `${TURNS} AND ${fits.sql("t.turn_id")}`;
  const touching = `${turns} ${MENTIONS}`;
  const chosen = [ids, ...fits.params];
  const files = await database.all<SessionFile>(filesSql(touching), ...chosen);
  return {
    sessions: narrowSessions(found, await database.all<MatchingTurns>(countsSql(turns), ...chosen), files),
    files,
    hours: await database.all<ReportRows["hours"][number]>(hoursSql(touching), ...chosen, busiest),
    commits: await database.all<ReportRows["commits"][number]>(commitsSql(turns), ...chosen),
    prs: await database.all<ReportRows["prs"][number]>(PRS, ids),
  };
};

const TURNS = `${TEXTS_SQL} JOIN mementor.turns t ON t.project_id = :project AND t.session_id = j.value`;
const MENTIONS = `JOIN mementor.file_mentions m ON m.project_id = :project AND m.turn_id = t.turn_id
    AND ${isFile("m.file_path")}`;

const countsSql = (
  turns: string,
) => `SELECT j.value AS "sessionId", count(*) AS turns, min(t.created_at) AS first,
    max(coalesce(t.ended_at, t.created_at)) AS last FROM ${turns} GROUP BY j.value`;

const filesSql = (
  touching: string,
) => `SELECT j.value AS "sessionId", m.file_path AS path, count(*) AS touches,
    count(*) FILTER (WHERE m.tool_name IN ${CHANGES_SQL}) AS changes
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
  FROM ${TEXTS_SQL} JOIN mementor.pr_links p ON p.project_id = :project AND p.session_id = j.value
  GROUP BY j.key, p.session_id, p.pr_number, p.pr_url ORDER BY j.key, p.pr_number, p.pr_url`;

/** Returns the start times of matching turns and of their sessions, oldest first. */
const activity: Query<BrowseStore["activity"]> = async (database, filter) => {
  const fits = turnCondition(filter);
  const turns = await database.all<{ time: string }>(
    `SELECT t.created_at AS time FROM mementor.turns t ${SESSION_JOIN} WHERE t.project_id = :project
       AND t.created_at IS NOT NULL AND ${fits.sql("t.turn_id")}${withoutNotes("s.client", filter)} ORDER BY t.created_at`,
    ...fits.params,
  );
  // A session that began before the filter's time counts from its first matching turn.
  const sessions = await database.all<{ time: string }>(
    `SELECT time FROM (SELECT CASE WHEN min(s.started_at) >= ? THEN min(s.started_at) ELSE min(t.created_at) END AS time
       FROM mementor.turns t ${SESSION_JOIN}
       WHERE t.project_id = :project AND s.started_at IS NOT NULL AND ${fits.sql("t.turn_id")}${withoutNotes("s.client", filter)}
       GROUP BY s.session_id) x WHERE time IS NOT NULL ORDER BY time`,
    filter.since === undefined ? "" : toUtc(filter.since),
    ...fits.params,
  );
  const times = (rows: readonly { time: string }[]) => rows.map(({ time }) => time);
  return { turns: times(turns), sessions: times(sessions) };
};

/** Lists the coding agents of matching turns, most active first. */
const clients: Query<BrowseStore["clients"]> = (database, filter) => {
  const fits = turnCondition(filter);
  return database.all<ClientCount>(
    `SELECT s.client, count(DISTINCT s.session_id) AS sessions, count(*) AS turns
     FROM mementor.turns t ${SESSION_JOIN} WHERE t.project_id = :project AND ${fits.sql("t.turn_id")}
     GROUP BY s.client ORDER BY turns DESC, s.client`,
    ...fits.params,
  );
};

const QUERIES: { [Name in keyof BrowseStore]: Query<BrowseStore[Name]> } = {
  ...files,
  sessions,
  session,
  summaries,
  report,
  activity,
  clients,
  ...turns,
};

/** Opens the lists of a project in a team's database. */
export function browseStore(project: Pick<TeamProject, "read">): BrowseStore {
  const methods = Object.entries<Query<(...args: never[]) => Promise<unknown>>>(QUERIES).map(
    ([name, query]) => [name, (...args: never[]) => project.read((database) => query(database, ...args))],
  );
  return Object.fromEntries(methods);
}
