import type { Database } from "bun:sqlite";
import { dirname, join } from "node:path";
import { MementorError } from "../../errors.ts";
import { asNumber, asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import type { SourceStamp } from "../agent.ts";
import { absolutePath, fileStamp } from "../files.ts";
import { isReadable, readDatabase, requireIndex, SESSION_SIZE } from "../foreign-database.ts";
import { hasTable } from "./composer.ts";

/** A message of a session of the command line, with the name of its content. */
export interface StoredMessage {
  blobId: string;
  message: JsonObject;
}

/** A session of the command line, read from its own database. */
export interface StoredSession {
  title: string | null;
  createdMs: number | null;
  cwd: string | null;
  model: string | null;
  messages: readonly StoredMessage[];
}

/** Number of the root's field with the directory. */
const WORKSPACE = 9;

/**
 * Reads a session of the command line, with its messages in the order of the latest root.
 *
 * @throws `io` when its database cannot be read or has an unknown version.
 */
export function readSession(store: string): StoredSession {
  let session: StoredSession | null;
  try {
    session = readDatabase(store, (db) => sessionOf(db, store));
  } catch (error) {
    throw unreadable(store, "Cursor's database cannot be read", error);
  }
  if (session === null) throw unreadable(store, "it is empty, or of an unknown version of Cursor");
  return session;
}

function unreadable(store: string, reason: string, cause?: unknown): MementorError {
  return new MementorError("io", `cannot read ${store}: ${reason}`, { cause });
}

function sessionOf(db: Database, store: string): StoredSession | null {
  if (!hasTable(db, "blobs") || !hasTable(db, "meta")) return null;
  requireIndex(db, "blobs", "id");
  const about = aboutIn(db);
  const root = blobAt(db, asString(about.latestRootBlobId) ?? "");
  const ids = root === null ? [] : blobIds(root);
  // A root may contain a name any number of times.
  let size = 0;
  const messages = ids.flatMap((blobId): StoredMessage[] => {
    const blob = size > SESSION_SIZE ? null : blobAt(db, blobId);
    size += blob?.length ?? 0;
    const message = blob === null ? null : jsonIn(blob);
    return message === null ? [] : [{ blobId, message }];
  });
  return {
    title: asString(about.name),
    createdMs: asNumber(about.createdAt),
    cwd: readSidecar(store).cwd ?? (root === null ? null : workspaceIn(root)),
    model: asString(about.lastUsedModel),
    messages,
  };
}

const ABOUT = `SELECT CAST(value AS TEXT) AS value FROM meta WHERE key = '0' AND ${isReadable("value")} LIMIT 1`;

/** Reads the description of a session, which is JSON in hexadecimal digits. */
function aboutIn(db: Database): JsonObject {
  const [row] = asObjects(db.query(ABOUT).all());
  const given = asString(row?.value) ?? "";
  return parseObject(given.startsWith("{") ? given : Buffer.from(given, "hex").toString("utf8")) ?? {};
}

const BLOB = `SELECT data FROM blobs WHERE id = ? AND ${isReadable("data")}`;

function blobAt(db: Database, id: string): Uint8Array | null {
  return bytesOf(asObject(db.query(BLOB).get(id))?.data);
}

function bytesOf(data: unknown): Uint8Array | null {
  if (typeof data === "string") return Buffer.from(data, "utf8");
  return data instanceof Uint8Array ? data : null;
}

/** Parses a message, which is JSON that some versions wrap. */
function jsonIn(blob: Uint8Array): JsonObject | null {
  const text = Buffer.from(blob).toString("utf8");
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  return start < 0 ? null : (parseObject(text.slice(start, end + 1)) ?? null);
}

function workspaceIn(root: Uint8Array): string | null {
  const field = fieldsOf(root).find(({ number }) => number === WORKSPACE);
  const path = field === undefined ? undefined : Buffer.from(field.bytes).toString("utf8");
  return absolutePath(path?.replace(/^file:\/\//, ""));
}

/** Returns the notes of newer versions beside a session's database. */
export function readSidecar(store: string): { cwd: string | null; title: string | null } {
  const noted = parseObject(readIfExists(join(dirname(store), "meta.json")) ?? "");
  return { cwd: absolutePath(asString(noted?.cwd) ?? undefined), title: asString(noted?.title) };
}

/** Returns the stamp of a session's database and its log; null when it is gone. */
export function storeStamp(store: string): SourceStamp | null {
  const stamp = fileStamp(store);
  const log = statIfExists(`${store}-wal`);
  if (stamp === null || log == null) return stamp;
  return {
    size: stamp.size + log.size,
    mtimeMs: Math.max(stamp.mtimeMs, log.mtimeMs),
    ctimeMs: Math.max(stamp.ctimeMs, log.ctimeMs),
  };
}

/** A Protocol Buffers field with a length. */
interface Field {
  number: number;
  bytes: Uint8Array;
}

/** Length of a blob's name: SHA-256. */
const ID_BYTES = 32;
/** Number of the root's field that names the messages in order. */
const MESSAGES = 1;
/** The wire type of a length-delimited field. */
const SIZED = 2;

/** Reads the length-delimited fields of a message up to the first invalid byte. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const reader = protobuf().Reader.create(bytes);
  const fields: Field[] = [];
  try {
    while (reader.pos < reader.len) {
      const key = reader.uint32();
      if ((key & 7) === SIZED) fields.push({ number: key >>> 3, bytes: reader.bytes() });
      else reader.skipType(key & 7);
    }
  } catch {
    // The rest has another format.
  }
  return fields;
}

/** Loads the module at its first use, because hooks load this file. */
function protobuf(): typeof import("protobufjs/minimal") {
  return require("protobufjs/minimal");
}

/** Returns the names of the messages in a root, in order, as hexadecimal digits. */
function blobIds(root: Uint8Array): string[] {
  return fieldsOf(root)
    .filter(({ number, bytes }) => number === MESSAGES && bytes.length === ID_BYTES)
    .map(({ bytes }) => Buffer.from(bytes).toString("hex"));
}
