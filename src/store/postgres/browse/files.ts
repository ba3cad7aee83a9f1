import { CHANGING_TOOLS } from "../../../constants.ts";
import type { FilePlace, FileSummary } from "../../browse.ts";
import { isBelow } from "../../resources.ts";
import type { BrowseStore } from "../../store.ts";
import { IDS, TURNS_BY_ID } from "../columns.ts";
import { turnCondition } from "../filter.ts";
import type { Query } from "../query.ts";
import { isFile } from "../resources.ts";
import { json } from "../text.ts";

/** The tools that change files, as a list in SQL. */
export const CHANGES = `(${CHANGING_TOOLS.map((tool) => `'${tool}'`).join(", ")})`;

/** Mentions `m` of the project with their turns `t`. */
const MENTIONS = `mementor.file_mentions m JOIN mementor.turns t ON t.project_id = m.project_id
  AND t.turn_id = m.turn_id WHERE m.project_id = :project`;

/** Returns the busiest files, of the whole project, below a directory, or of these paths. */
export const files: Query<BrowseStore["files"]> = async (database, { limit, filter, ...where }) => {
  const fits = turnCondition(filter);
  const place = placeCondition(where);
  const found = await database.all<FileSummary>(
    `SELECT m.file_path AS path, count(*) AS touches, count(*) FILTER (WHERE m.tool_name IN ${CHANGES}) AS changes,
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

/** Files that no turn of the caller touched, with one who did. */
const OF_OTHERS = `SELECT m.file_path AS path, max(t.author) AS author FROM ${MENTIONS}
  AND m.file_path IN (SELECT value FROM jsonb_array_elements_text(?::text::jsonb))
  GROUP BY m.file_path HAVING NOT bool_or(t.author = current_user::text)`;

/** The condition on mentions `m` of a place. */
export function placeCondition({ below = "", paths }: FilePlace): { sql: string; params: readonly string[] } {
  const directory = below.replace(/(?<!\/)\/+$/, "");
  if (paths !== undefined)
    return {
      sql: "m.file_path IN (SELECT value FROM jsonb_array_elements_text(?::text::jsonb))",
      params: [json(paths)],
    };
  if (directory === "") return { sql: isFile("m.file_path"), params: [] };
  const { sql, params } = isBelow("m.file_path", `${directory}/`);
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

/** Returns which session each turn belongs to. */
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
