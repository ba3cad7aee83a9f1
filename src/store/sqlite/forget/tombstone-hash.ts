import type { Connection } from "../connection/connection.ts";
import { readMeta, writeMeta } from "../connection/connection.ts";

/** Key in `meta` of the name of the hash key, so that a changed key is noticed. */
const KEY_NAME = "tombstone_key";

/** Returns the tombstone hash of a value. It is keyed, so that short texts cannot be guessed from the database alone. */
export function tombstoneHash(connection: Connection, kind: string, value: string): Uint8Array {
  return keyed(connection.tombstoneKey(), plainHash(kind, value));
}

/**
 * Converts unkeyed hashes of earlier versions to keyed ones. Returns false when the hashes have another key, so that turns
 * forgotten with that key are not recognised.
 */
export function keyTombstones(connection: Connection): boolean {
  const found = readMeta(connection, KEY_NAME);
  if (found !== null) return found === nameOf(connection.tombstoneKey());
  if (hasTombstones(connection)) keyAll(connection);
  return true;
}

/** Stores a tombstone. The first tombstone also stores the name of the key. */
export function insertTombstone(connection: Connection, kind: string, value: string): void {
  insertTombstoneHash(connection, kind, tombstoneHash(connection, kind, value));
}

/** Stores a tombstone of a value whose hash alone is known. */
export function insertTombstoneHash(connection: Connection, kind: string, hash: Uint8Array): void {
  if (readMeta(connection, KEY_NAME) === null) keyAll(connection);
  insert(connection, kind, hash, connection.now());
}

function keyAll(connection: Connection): void {
  const key = connection.tombstoneKey();
  connection.transaction(() => {
    if (readMeta(connection, KEY_NAME) !== null) return;
    const rows = connection.all<{ kind: string; hash: Uint8Array; time: string }>(
      "SELECT kind, hash, created_at AS time FROM tombstones",
    );
    connection.run("DELETE FROM tombstones");
    for (const { kind, hash, time } of rows) insert(connection, kind, keyed(key, hash), time);
    writeMeta(connection, KEY_NAME, nameOf(key));
  });
}

function insert(connection: Connection, kind: string, hash: Uint8Array, time: string): void {
  connection.run(
    "INSERT OR IGNORE INTO tombstones (kind, hash, created_at) VALUES (?, ?, ?)",
    kind,
    hash,
    time,
  );
}

function nameOf(key: Uint8Array): string {
  return keyed(key, plainHash("key", "")).toHex().slice(0, 16);
}

export function hasTombstone(connection: Connection, kind: string, value: string): boolean {
  if (!hasTombstones(connection)) return false;
  return hasTombstoneHash(connection, kind, tombstoneHash(connection, kind, value));
}

export function hasTombstoneHash(connection: Connection, kind: string, hash: Uint8Array): boolean {
  const sql = "SELECT 1 FROM tombstones WHERE kind = ? AND hash = ?";
  return connection.get(sql, kind, hash) !== null;
}

export function hasTombstones(connection: Connection): boolean {
  return connection.get("SELECT 1 FROM tombstones LIMIT 1") !== null;
}

function keyed(key: Uint8Array, hash: Uint8Array): Uint8Array {
  return new Bun.CryptoHasher("sha256", key).update(hash).digest();
}

function plainHash(kind: string, value: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(`${kind}\n${value}`).digest();
}
