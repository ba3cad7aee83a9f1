import { HEAD_CHARS } from "../../../turn/title.ts";
import type { FileScope, FileSummary } from "../../browse.ts";
import { type TouchRow, toTouch } from "../../list-rows.ts";
import { belowDirectory, CHANGES_SQL, isFile } from "../../resources.ts";
import type { BrowseStore } from "../../store.ts";
import { deviceField } from "../../turn-rows.ts";
import type { Connection, Query } from "../connection/connection.ts";
import { type Condition, turnCondition } from "../filter.ts";
import { AUTHOR, DEVICE, PARTS } from "../turns/columns.ts";
import { FEW_MENTIONS, fileTurns } from "./file-turns.ts";

/** Number of newest turns to search at a time for the last touches of files. */
const NEWEST_TURNS = 1_000;

/** Lists the files with the most touches: in the whole project, below a directory, or among these paths. */
export const files: Query<BrowseStore["files"]> = (connection, { limit, filter, ...where }) => {
  const fits = turnCondition(filter);
  if (!fits.empty)
    return withOthers(connection, filesOfTurns(connection, fits, placeCondition(where), limit));
  const { sql, params } = placeCondition(where);
  const rows = connection.all<Omit<FileSummary, "lastTime">>(
    `SELECT m.file_path AS path, m.touches, m.changes FROM file_totals m
     WHERE ${sql} ORDER BY m.touches DESC, m.file_path LIMIT ?`,
    ...params,
    limit,
  );
  const times = lastTimes(connection, rows);
  return withOthers(
    connection,
    rows.map((row) => ({ ...row, lastTime: times.get(row.path) ?? null })),
  );
};

/** Adds the origin to files that only other people's turns touched. */
function withOthers(connection: Connection, files: readonly FileSummary[]): FileSummary[] {
  const rows = connection.all<{ path: string; foreign: string; author: string | null }>(
    OF_OTHERS,
    JSON.stringify(files.map(({ path }) => path)),
  );
  const others = new Map(rows.map(({ path, ...whose }) => [path, whose]));
  const devices = devicesOf(connection, files);
  return files.map((file) => {
    const whose = others.get(file.path);
    if (whose !== undefined) return { ...file, others: whose };
    return { ...file, ...deviceField(devices.get(file.path)) };
  });
}

/** Returns the user's other devices by the paths that only they touched. */
function devicesOf(connection: Connection, files: readonly FileSummary[]): Map<string, string> {
  if (connection.get("SELECT 1 FROM folder_turns LIMIT 1") === null) return new Map();
  const rows = connection.all<{ path: string; device: string }>(
    ELSEWHERE,
    JSON.stringify(files.map(({ path }) => path)),
  );
  return new Map(rows.map(({ path, device }) => [path, device]));
}

const TOUCHING = "file_mentions m CROSS JOIN turns t ON t.id = m.turn_id";
const OF_OTHERS = `SELECT j.value AS path, max(t.foreign_origin) AS "foreign", max(${AUTHOR}) AS author
  FROM json_each(?) j CROSS JOIN ${TOUCHING} AND m.file_path = j.value
  WHERE NOT EXISTS (SELECT 1 FROM ${TOUCHING} WHERE m.file_path = j.value AND t.foreign_origin IS NULL)
  GROUP BY j.key`;

const ELSEWHERE = `SELECT path, group_concat(name, ' and ') AS device FROM
    (SELECT DISTINCT j.value AS path, n.name FROM json_each(?) j CROSS JOIN file_mentions m ON m.file_path = j.value
       CROSS JOIN folder_turns f ON f.turn_id = m.turn_id JOIN folder_names n ON n.writer = f.home
     WHERE NOT EXISTS (SELECT 1 FROM file_mentions h WHERE h.file_path = j.value
       AND h.turn_id NOT IN (SELECT turn_id FROM folder_turns)) ORDER BY n.name)
  GROUP BY path`;

/** Returns the condition on `m.file_path` for a directory or for paths. */
function placeCondition({ below = "", paths }: FileScope) {
  const directory = below.replace(/(?<!\/)\/+$/, "");
  if (paths !== undefined)
    return { sql: "m.file_path IN (SELECT value FROM json_each(?))", params: [JSON.stringify(paths)] };
  if (directory === "") return { sql: isFile("m.file_path"), params: [] };
  const { sql, params } = belowDirectory("m.file_path", `${directory}/`);
  return { sql: `${sql} AND ${isFile("m.file_path")}`, params };
}

/** Lists the files with the most touches by matching turns. */
function filesOfTurns(
  connection: Connection,
  fits: Condition,
  place: { sql: string; params: string[] },
  limit: number,
): FileSummary[] {
  return connection.all<FileSummary>(
    `SELECT m.file_path AS path, count(*) AS touches,
       sum(m.tool_name IN ${CHANGES_SQL}) AS changes, max(t.created_at) AS lastTime
     FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id
     WHERE ${fits.sql("t.id")} AND ${place.sql}
     GROUP BY m.file_path ORDER BY touches DESC, m.file_path LIMIT ?`,
    ...fits.params,
    ...place.params,
    limit,
  );
}

type Touched = Pick<FileSummary, "path" | "touches">;

/** Returns the time of each file's last touch. */
function lastTimes(connection: Connection, files: readonly Touched[]): Map<string, string | null> {
  const times = new Map<string, string | null>();
  const add = (sql: string, some: readonly Touched[], ...params: number[]) => {
    if (some.length === 0) return;
    const paths = JSON.stringify(some.map(({ path }) => path));
    for (const { path, time } of connection.all<{ path: string; time: string | null }>(sql, paths, ...params))
      times.set(path, time);
  };
  add(AMONG_NEWEST, files, NEWEST_TURNS);
  const older = files.filter(({ path }) => !times.has(path));
  add(
    LOOK_UP,
    older.filter(({ touches }) => touches <= FEW_MENTIONS),
  );
  for (const { path } of older)
    if (!times.has(path)) times.set(path, connection.get<{ time: string | null }>(WALK, path)?.time ?? null);
  return times;
}

const AMONG_NEWEST = `SELECT m.file_path AS path, max(t.created_at) AS time
  FROM (SELECT id, created_at FROM turns WHERE created_at IS NOT NULL ORDER BY created_at DESC LIMIT ?2) t
  CROSS JOIN file_mentions m ON m.turn_id = t.id
  WHERE +m.file_path IN (SELECT value FROM json_each(?1)) GROUP BY m.file_path`;

const LOOK_UP = `SELECT m.file_path AS path, max(t.created_at) AS time
  FROM json_each(?) j CROSS JOIN file_mentions m ON m.file_path = j.value CROSS JOIN turns t ON t.id = m.turn_id
  GROUP BY m.file_path`;

// The plus makes SQLite walk the times from the newest instead of looking up each turn.
const WALK = `SELECT t.created_at AS time FROM turns t
  WHERE +t.id IN (SELECT turn_id FROM file_mentions WHERE file_path = ?) ORDER BY t.created_at DESC LIMIT 1`;

/** Returns the files that a session or a turn touched, without web addresses. */
export const filesOf: Query<BrowseStore["filesOf"]> = (connection, of) => {
  const [column, value] = "turnId" in of ? ["t.id", of.turnId] : ["t.session_id", of.sessionId];
  return connection.column<string>(
    `SELECT DISTINCT m.file_path AS path FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id
       WHERE ${column} = ? AND ${isFile("m.file_path")} ORDER BY m.file_path`,
    value,
  );
};

/** Returns the session of each turn. */
export const sessionsOfTurns: Query<BrowseStore["sessionsOfTurns"]> = (connection, turnIds) => {
  const rows = connection.all<{ id: number; sessionId: string }>(
    "SELECT t.id, t.session_id AS sessionId FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value",
    JSON.stringify(turnIds),
  );
  return new Map(rows.map(({ id, sessionId }) => [id, sessionId]));
};

/** Returns the number of files that each turn touched, and its commits. */
export const outcomes: Query<BrowseStore["outcomes"]> = (connection, turnIds) => {
  const rows = connection.all<{ id: number; files: number; commits: string }>(
    `SELECT t.id, (SELECT count(DISTINCT m.file_path) FROM file_mentions m WHERE m.turn_id = t.id AND ${isFile("m.file_path")}) AS files,
       (SELECT json_group_array(k.hash) FROM commits k WHERE k.turn_id = t.id) AS commits
     FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value`,
    JSON.stringify(turnIds),
  );
  return new Map(rows.map(({ id, files, commits }) => [id, { files, commits: JSON.parse(commits) }]));
};

/** Returns the turns of `fileTurns` as list rows. */
export const fileHistory: Query<BrowseStore["fileHistory"]> = (connection, path, options) => {
  const turnIds = JSON.stringify(fileTurns(connection, path, options));
  return connection.all<TouchRow>(TOUCHES, turnIds, path, HEAD_CHARS).map(toTouch);
};

const TOUCHES = `SELECT t.id AS turnId, t.session_id AS sessionId, s.client, t.origin, s.title AS sessionTitle,
    CASE WHEN s.title IS NULL THEN s.first_prompt END AS firstPrompt,
    substr(t.full_text, 1, ?3) AS head, ${PARTS} AS parts, t.created_at AS createdAt, t.branch, t.agent_id AS agentId,
    t.foreign_origin AS "foreign", ${AUTHOR} AS author, ${DEVICE} AS device, (SELECT json_group_array(tool_name) FROM (SELECT m.tool_name FROM file_mentions m
      WHERE m.turn_id = t.id AND m.file_path = ?2 ORDER BY m.tool_name)) AS toolNames
  FROM json_each(?1) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id
  ORDER BY j.key`;
