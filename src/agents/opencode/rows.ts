import type { Database } from "bun:sqlite";
import { type JsonObject, numberOf, objectOf, objectsOf, parseObject, stringOf } from "../../io/json.ts";
import type { SourceStamp } from "../agent.ts";
import { readDatabase } from "../foreign-database.ts";

/** Lists the sessions of a database, oldest first; null when it cannot be read, or is none of opencode's. */
export function sessionsIn(database: string): SessionInfo[] | null {
  const rows = quietly(database, (db) => db.query("SELECT * FROM session").all());
  if (rows === null) return null;
  return rows
    .flatMap((row) => infoOf(objectOf(row)) ?? [])
    .sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? 1 : -1));
}

/** Reads a session with its messages and their parts; null when the database has none of this id. */
export function sessionIn(database: string, id: string): { info: SessionInfo; messages: Message[] } | null {
  return readDatabase(database, (db) => {
    const info = infoOf(objectOf(db.query("SELECT * FROM session WHERE id = ?").get(id)));
    if (info === null) return null;
    const parts = Map.groupBy(
      dataOf(
        db,
        "SELECT id, message_id, data FROM part WHERE session_id = ? AND length(data) <= ? ORDER BY id",
        id,
      ),
      (part) => stringOf(part.messageID),
    );
    const messages = dataOf(
      db,
      "SELECT id, NULL AS message_id, data FROM message WHERE session_id = ? AND length(data) <= ? ORDER BY time_created, id",
      id,
    );
    return { info, messages: messages.map((data) => ({ data, parts: parts.get(stringOf(data.id)) ?? [] })) };
  });
}

/** Returns the stamp of a session without reading it; null when it does not exist. */
export function rowStamp(database: string, id: string): SourceStamp | null {
  const row = quietly(database, (db) =>
    db
      .query(
        `SELECT s.time_updated AS session, (SELECT max(time_updated) FROM message WHERE session_id = s.id) AS message,
           (SELECT max(time_updated) FROM part WHERE session_id = s.id) AS part,
           (SELECT count(*) FROM part WHERE session_id = s.id) AS parts FROM session s WHERE s.id = ?`,
      )
      .get(id),
  );
  const stamp = objectOf(row);
  if (stamp === null) return null;
  const changed = Math.max(...[stamp.session, stamp.message, stamp.part].map((time) => numberOf(time) ?? 0));
  return { size: numberOf(stamp.parts) ?? 0, mtimeMs: changed, ctimeMs: changed };
}

function infoOf(row: JsonObject | null): SessionInfo | null {
  const id = stringOf(row?.id);
  if (row === null || id === null) return null;
  return {
    id,
    parentId: stringOf(row.parent_id),
    directory: stringOf(row.directory),
    title: stringOf(row.title),
    version: stringOf(row.version),
    agent: stringOf(row.agent),
    createdMs: numberOf(row.time_created) ?? 0,
    revertedFrom: stringOf(parseObject(stringOf(row.revert) ?? "")?.messageID),
  };
}

/** A larger row is passed over: no message of an agent has it. Bytes. */
const MAX_ROW_BYTES = 32 << 20;

/** Returns messages or parts in the format of older versions' files, with the ids in the object. */
function dataOf(db: Database, sql: string, sessionId: string): JsonObject[] {
  return objectsOf(db.query(sql).all(sessionId, MAX_ROW_BYTES)).map(({ id, message_id, data }) => ({
    ...(parseObject(stringOf(data) ?? "") ?? { type: "malformed", role: "malformed" }),
    id,
    messageID: message_id,
  }));
}

/** Null also for a database that cannot be read or has other tables. Reading it will report the reason. */
function quietly<T>(database: string, read: (db: Database) => T): T | null {
  try {
    return readDatabase(database, read);
  } catch {
    return null;
  }
}

/** Returns the error with which a database cannot be read; null where it can. */
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
  /** The message from which on the user has undone the session; null when all of it stands. */
  revertedFrom: string | null;
}

/** A message with its parts, in order. */
export interface Message {
  data: JsonObject;
  parts: readonly JsonObject[];
}

/** A session that was read. */
export interface Session {
  info: SessionInfo;
  messages: readonly Message[];
}
