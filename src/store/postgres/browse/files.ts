import { HEAD_CHARS } from "../../../turn/title.ts";
import type { FileScope, FileSummary } from "../../browse.ts";
import { type TouchRow, toTouch } from "../../list-rows.ts";
import { belowDirectory, CHANGES_SQL } from "../../resources.ts";
import type { BrowseStore } from "../../store.ts";
import {
  AUTHOR_SQL,
  FOREIGN,
  IDS,
  isFile,
  json,
  OF_MAIN,
  type Query,
  SESSION_JOIN,
  type SqlValue,
  sessionCondition,
  TURNS_BY_ID,
  turnCondition,
} from "../query.ts";

/** Mentions `m` of the project with their turns `t`. */
const MENTIONS = `mementor.file_mentions m JOIN mementor.turns t ON t.project_id = m.project_id
  AND t.turn_id = m.turn_id WHERE m.project_id = :project`;

/** Lists the files with the most touches: in the whole project, below a directory, or among these paths. */
export const files: Query<BrowseStore["files"]> = async (database, { limit, filter, ...where }) => {
  const fits = turnCondition(filter);
  const place = placeCondition(where);
  const found = await database.all<FileSummary>(
    `SELECT m.file_path AS path, count(*) AS touches, count(*) FILTER (WHERE m.tool_name IN ${CHANGES_SQL}) AS changes,
       max(t.created_at) AS "lastTime"
     FROM ${MENTIONS} AND ${fits.sql("m.turn_id")} AND ${place.sql}
     GROUP BY m.file_path ORDER BY touches DESC, m.file_path LIMIT ?`,
    ...fits.params,
    ...place.params,
    limit,
  );
  const rows = await database.all<{ path: string; author: string }>(
    OF_OTHERS,
    json(found.map(({ path }) => path)),
  );
  const others = new Map(rows.map(({ path, author }) => [path, author]));
  return found.map((file) => {
    const author = others.get(file.path);
    return author === undefined ? file : { ...file, others: { foreign: "team", author } };
  });
};

/** SQL of files that no turn of the caller touched, each with an author who did. */
const OF_OTHERS = `SELECT m.file_path AS path, max(t.author) AS author FROM ${MENTIONS}
  AND m.file_path IN (SELECT value FROM jsonb_array_elements_text(?::text::jsonb))
  GROUP BY m.file_path HAVING NOT bool_or(t.author = current_user::text)`;

/** Returns the condition on mentions `m` for a directory or for paths. */
function placeCondition({ below = "", paths }: FileScope): { sql: string; params: readonly string[] } {
  const directory = below.replace(/(?<!\/)\/+$/, "");
  if (paths !== undefined)
    return {
      sql: "m.file_path IN (SELECT value FROM jsonb_array_elements_text(?::text::jsonb))",
      params: [json(paths)],
    };
  if (directory === "") return { sql: isFile("m.file_path"), params: [] };
  const { sql, params } = belowDirectory("m.file_path", `${directory}/`);
  return { sql: `${sql} AND ${isFile("m.file_path")}`, params };
}

/** Returns the first known path of `exact`; otherwise all paths that end in `suffix`, most touches first. */
export const findPaths: Query<BrowseStore["findPaths"]> = async (database, { exact, suffix }) => {
  const known = await database.get<{ path: string }>(
    `SELECT j.value AS path FROM jsonb_array_elements_text(?::text::jsonb) WITH ORDINALITY AS j (value, key)
     WHERE EXISTS (SELECT 1 FROM mementor.file_mentions m WHERE m.project_id = :project AND m.file_path = j.value)
     ORDER BY j.key LIMIT 1`,
    json(exact),
  );
  if (known !== null) return [known.path];
  if (suffix === null) return [];
  return database.column<string>(
    `SELECT m.file_path AS path FROM mementor.file_mentions m WHERE m.project_id = :project AND m.file_name = ?
       AND (m.file_path = ? OR right(m.file_path, length(?::text)) = ?)
     GROUP BY m.file_path ORDER BY count(*) DESC, m.file_path`,
    suffix.slice(suffix.lastIndexOf("/") + 1),
    suffix,
    `/${suffix}`,
    `/${suffix}`,
  );
};

/** Returns the files that a session or a turn touched, without web addresses. */
export const filesOf: Query<BrowseStore["filesOf"]> = async (database, of) => {
  const [column, value] = "turnId" in of ? ["t.turn_id", of.turnId] : ["t.session_id", of.sessionId];
  return database.column<string>(
    `SELECT DISTINCT m.file_path AS path FROM ${MENTIONS} AND ${column} = ? AND ${isFile("m.file_path")} ORDER BY path`,
    value,
  );
};

/** Returns the session of each turn. */
export const sessionsOfTurns: Query<BrowseStore["sessionsOfTurns"]> = async (database, turnIds) => {
  const rows = await database.all<{ id: number; sessionId: string }>(
    `SELECT t.turn_id AS id, t.session_id AS "sessionId" FROM ${TURNS_BY_ID} ORDER BY j.key`,
    json(turnIds),
  );
  return new Map(rows.map(({ id, sessionId }) => [id, sessionId]));
};

/** Returns the number of files that each turn touched, and its commits. */
export const outcomes: Query<BrowseStore["outcomes"]> = async (database, turnIds) => {
  const rows = await database.all<{ id: number; files: number; commits: string }>(
    `SELECT j.value AS id, (SELECT count(DISTINCT m.file_path) FROM mementor.file_mentions m
         WHERE m.project_id = :project AND m.turn_id = j.value AND ${isFile("m.file_path")}) AS files,
       (SELECT coalesce(jsonb_agg(k.hash), '[]')::text FROM mementor.commits k
         WHERE k.project_id = :project AND k.turn_id = j.value) AS commits
     FROM ${IDS} WHERE EXISTS (SELECT 1 FROM mementor.turns t WHERE t.project_id = :project AND t.turn_id = j.value)
     ORDER BY j.key`,
    json(turnIds),
  );
  return new Map(rows.map(({ id, files, commits }) => [id, { files, commits: JSON.parse(commits) }]));
};

/** Lists the turns that touched a path, newest first. Turns that changed the file come before others, unless `byTime`. */
export const fileHistory: Query<BrowseStore["fileHistory"]> = async (
  database,
  path,
  { limit, filter, byTime = false },
) => {
  const fits = turnCondition(filter);
  const rows = await database.all<TouchRow>(
    `SELECT t.turn_id AS "turnId", t.session_id AS "sessionId", s.client, t.origin, s.title AS "sessionTitle",
    CASE WHEN s.title IS NULL THEN s.first_prompt END AS "firstPrompt", left(t.full_text, ?) AS head,
       t.parts, t.created_at AS "createdAt", t.branch, t.agent_id AS "agentId", ${FOREIGN} AS "foreign",
       ${AUTHOR_SQL} AS author, touched.tools AS "toolNames"
     FROM (SELECT m.turn_id, jsonb_agg(m.tool_name ORDER BY m.tool_name)::text AS tools,
         bool_or(m.tool_name IN ${CHANGES_SQL}) AS changed
       FROM mementor.file_mentions m WHERE m.project_id = :project AND m.file_path = ? GROUP BY m.turn_id) touched
       JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = touched.turn_id ${SESSION_JOIN}
     WHERE ${fits.sql("t.turn_id")}
     ORDER BY ${byTime ? "" : "touched.changed DESC, "}t.created_at DESC NULLS LAST, t.turn_id DESC LIMIT ?`,
    HEAD_CHARS,
    path,
    ...fits.params,
    limit,
  );
  return rows.map(toTouch);
};

/** Counts the rows of a list without its limit. */
export const count: Query<BrowseStore["count"]> = async (database, what, options = {}) => {
  const { sql, params } = counted(what, options);
  return (await database.get<{ n: number }>(sql, ...params))?.n ?? 0;
};

function counted(
  what: Parameters<BrowseStore["count"]>[0],
  { filter, below, paths }: NonNullable<Parameters<BrowseStore["count"]>[1]>,
): { sql: string; params: readonly SqlValue[] } {
  const fits = turnCondition(filter);
  const from = (table: string) => `FROM mementor.${table} WHERE project_id = :project`;
  switch (what) {
    case "turns": {
      const main = filter?.agent === undefined ? OF_MAIN : "true";
      return {
        sql: `SELECT count(*) AS n ${from("turns t")} AND ${main} AND ${fits.sql("t.turn_id")}`,
        params: fits.params,
      };
    }
    case "commits":
      return {
        sql: `SELECT count(*) AS n ${from("commits")} AND ${fits.sql("turn_id")}`,
        params: fits.params,
      };
    case "prs": {
      const ofSession = sessionCondition(filter ?? {});
      const sql = `SELECT count(DISTINCT pr_url) AS n ${from("pr_links")} AND ${ofSession.sql("session_id")}`;
      return { sql, params: ofSession.params };
    }
    case "files":
    case "touches": {
      const place = placeCondition(what === "files" ? { below } : { paths: paths ?? [] });
      const distinct = what === "files" ? "m.file_path" : "(m.file_path, m.turn_id)";
      const where = `${fits.sql("m.turn_id")} AND ${place.sql}`;
      return {
        sql: `SELECT count(DISTINCT ${distinct}) AS n ${from("file_mentions m")} AND ${where}`,
        params: [...fits.params, ...place.params],
      };
    }
  }
}

/** Lists the branches with turns, latest first. */
export const branches: Query<BrowseStore["branches"]> = async (database) => {
  return database.column<string>(
    `SELECT branch FROM mementor.turns WHERE project_id = :project AND branch IS NOT NULL
     GROUP BY branch ORDER BY max(created_at) DESC NULLS LAST`,
  );
};

/** Lists the caller and the team members who have turns, by name. */
export const authors: Query<BrowseStore["authors"]> = async (database) => {
  return database.column<string>(
    `SELECT author FROM mementor.turns WHERE project_id = :project UNION SELECT current_user::text ORDER BY 1`,
  );
};
