import type { Database } from "bun:sqlite";
import { basename, dirname, join } from "node:path";
import { asNumber, asObject, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import type { SourceFile, SourceStamp } from "../agent.ts";
import { fileStamp, listEntries } from "../files.ts";
import { isReadable, queryRows, readDatabase, tryDatabase } from "../foreign-database.ts";

/** Lists the sessions of a database, oldest first; null when it cannot be read or is not opencode's. */
export function listSessions(database: string): SessionInfo[] | null {
  const rows = tryDatabase(database, (db) => db.query("SELECT * FROM session").all());
  if (rows === null) return null;
  return rows
    .flatMap((row) => infoOf(asObject(row)) ?? [])
    .sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? 1 : -1));
}

/** Reads a session with its messages and their parts; null when the database has none of this id. */
export function readSession(database: string, id: string): { info: SessionInfo; messages: Message[] } | null {
  return readDatabase(database, (db) => {
    const info = infoOf(asObject(db.query("SELECT * FROM session WHERE id = ?").get(id)));
    if (info === null) return null;
    const parts = Map.groupBy(
      dataOf(
        db,
        `SELECT id, message_id, data FROM part WHERE session_id = ? AND ${isReadable("data")} ORDER BY id`,
        id,
      ),
      (part) => asString(part.messageID),
    );
    const messages = dataOf(
      db,
      `SELECT id, NULL AS message_id, data FROM message WHERE session_id = ? AND ${isReadable("data")} ORDER BY time_created, id`,
      id,
    );
    return { info, messages: messages.map((data) => ({ data, parts: parts.get(asString(data.id)) ?? [] })) };
  });
}

/** Returns the stamp of a session without reading it; null when it does not exist. */
export function rowStamp(database: string, id: string): SourceStamp | null {
  const row = tryDatabase(database, (db) =>
    db
      .query(
        `SELECT s.time_updated AS session, (SELECT max(time_updated) FROM message WHERE session_id = s.id) AS message,
           (SELECT max(time_updated) FROM part WHERE session_id = s.id) AS part,
           (SELECT count(*) FROM part WHERE session_id = s.id) AS parts FROM session s WHERE s.id = ?`,
      )
      .get(id),
  );
  const stamp = asObject(row);
  if (stamp === null) return null;
  const changed = Math.max(...[stamp.session, stamp.message, stamp.part].map((time) => asNumber(time) ?? 0));
  return { size: asNumber(stamp.parts) ?? 0, mtimeMs: changed, ctimeMs: changed };
}

function infoOf(row: JsonObject | null): SessionInfo | null {
  const id = asString(row?.id);
  if (row === null || id === null) return null;
  return {
    id,
    parentId: asString(row.parent_id),
    directory: asString(row.directory),
    title: asString(row.title),
    version: asString(row.version),
    agent: asString(row.agent),
    createdMs: asNumber(row.time_created) ?? 0,
    revertedFrom: asString(parseObject(asString(row.revert) ?? "")?.messageID),
  };
}

/** Returns messages or parts in the format of older versions' files, with the ids in the object. */
function dataOf(db: Database, sql: string, sessionId: string): JsonObject[] {
  return Array.from(queryRows(db, sql, sessionId), ({ id, message_id, data }) => ({
    ...(parseObject(asString(data) ?? "") ?? { type: "malformed", role: "malformed" }),
    id,
    messageID: message_id,
  }));
}

/** Returns the error of reading a database; null when it can be read. */
export function whyUnreadable(database: string): unknown {
  try {
    readDatabase(database, (db) => db.query("SELECT id FROM session LIMIT 1").get());
    return null;
  } catch (error) {
    return error;
  }
}

/** The facts that opencode stores about a session, in a database or a file. */
export interface SessionInfo {
  id: string;
  /** The session that started this one as a subagent. */
  parentId: string | null;
  /** The working directory. */
  directory: string | null;
  title: string | null;
  version: string | null;
  /** The kind of agent, such as `build` or `general`. */
  agent: string | null;
  createdMs: number;
  /** First message that the user has undone; null when there is no undo. */
  revertedFrom: string | null;
}

/** A message with its parts, in order. */
export interface Message {
  data: JsonObject;
  parts: readonly JsonObject[];
}

/** A session with its messages. */
export interface Session {
  info: SessionInfo;
  messages: readonly Message[];
}

/** Reads a session that an older version stored as JSON files below `storage`; null when its file cannot be read. */
export function readSessionFile(file: string, storage: string): Session | null {
  const info = readSessionInfo(file);
  if (info === null) return null;
  const messages = objectsIn(join(storage, "message", info.id)).map(
    (data): Message => ({ data, parts: objectsIn(join(storage, "part", asString(data.id) ?? "none")) }),
  );
  return { info, messages: messages.sort((a, b) => createdMs(a.data) - createdMs(b.data)) };
}

/** Reads a session's facts from its file. */
export function readSessionInfo(file: string): SessionInfo | null {
  const whole = parseObject(readIfExists(file) ?? "");
  const id = asString(whole?.id);
  if (!whole || id === null) return null;
  return {
    id,
    parentId: asString(whole.parentID),
    directory: asString(whole.directory),
    title: asString(whole.title),
    version: asString(whole.version),
    agent: asString(whole.agent),
    createdMs: createdMs(whole),
    revertedFrom: asString(asObject(whole.revert)?.messageID),
  };
}

/**
 * Returns the stamp of a session's files. The folder of a message's parts changes with each part, and the last part of a message
 * is written when all others are complete, so the parts themselves need not be checked.
 */
export function filesStamp(file: string, storage: string, sessionId: string): SourceStamp | null {
  const stamp = fileStamp(file);
  if (stamp === null) return null;
  const messages = join(storage, "message", sessionId);
  const names = listEntries(messages).map(({ name }) => name);
  const folders = names.map((name) => join(storage, "part", name.replace(/\.json$/, "")));
  const times = [messages, ...names.map((name) => join(messages, name)), ...folders].map(
    (path) => statIfExists(path)?.mtimeMs ?? 0,
  );
  const changed = times.reduce((latest, time) => Math.max(latest, time), stamp.mtimeMs);
  return { size: stamp.size + names.length, mtimeMs: changed, ctimeMs: Math.max(stamp.ctimeMs, changed) };
}

/** Returns the objects in a folder's files, in the order of their names, and so of time. */
function objectsIn(folder: string): JsonObject[] {
  return listEntries(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => {
      const id = name.replace(/\.json$/, "");
      return {
        ...(parseObject(readIfExists(join(folder, name)) ?? "") ?? { type: "malformed", role: "malformed" }),
        id,
      };
    });
}

function createdMs({ time }: JsonObject): number {
  return asNumber(asObject(time)?.created) ?? 0;
}

/** Returns the ids in a path. For a session in a file, the file names its parent. */
export function sourceFile(path: string): SourceFile {
  const place = placeOf(path);
  if (place === null) return { sessionId: null, isNamed: false, agentId: null };
  const parentId = place.kind === "row" ? place.parentId : (readSessionInfo(path)?.parentId ?? null);
  if (parentId === null) return { sessionId: place.sessionId, isNamed: true, agentId: null };
  return { sessionId: parentId, isNamed: false, agentId: place.sessionId };
}

/** Name of opencode's database, which may contain the release channel. */
const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/;
const SESSION = /^ses_\w+$/;
const SESSION_FILE = /^(ses_\w+)\.json$/;

/** The place of a session of opencode. */
type Place =
  | { kind: "row"; database: string; sessionId: string; parentId: string | null }
  | { kind: "file"; storage: string; sessionId: string };

/** Returns the path of a session in a database: its id, below the id of its parent if it is a subagent. */
export function rowPath(database: string, sessionId: string, parentId: string | null): string {
  return parentId === null ? join(database, sessionId) : join(database, parentId, sessionId);
}

/**
 * Parses the path of a session: below a database, or `storage/session/<project>/<session>.json` of an older version. Null for any
 * other path.
 */
export function placeOf(path: string): Place | null {
  const [name, folder] = [basename(path), dirname(path)];
  const file = SESSION_FILE.exec(name)?.[1];
  if (file !== undefined) {
    const sessions = dirname(folder);
    return basename(sessions) === "session"
      ? { kind: "file", storage: dirname(sessions), sessionId: file }
      : null;
  }
  if (!SESSION.test(name)) return null;
  if (!SESSION.test(basename(folder)))
    return { kind: "row", database: folder, sessionId: name, parentId: null };
  return { kind: "row", database: dirname(folder), sessionId: name, parentId: basename(folder) };
}

/** Tells whether a name is that of opencode's database. */
export function isDatabase(path: string): boolean {
  return DATABASE.test(basename(path));
}
