import type { FolderSelf, FolderWriter } from "../../folder.ts";
import type { Connection } from "../connection/connection.ts";

export function readSelf(connection: Connection): FolderSelf | null {
  const row = connection.get<Omit<FolderSelf, "isActive"> & { isActive: number }>(
    `SELECT writer, counter, hash, key_id AS keyId, last_seq AS lastSeq, is_active AS isActive, last_sync AS lastSync
     FROM folder`,
  );
  return row && { ...row, isActive: row.isActive !== 0 };
}

/** Starts to sync, or resumes after `leave`. */
export function join(connection: Connection): void {
  connection.run("INSERT OR IGNORE INTO folder (id, writer) VALUES (1, ?)", newWriter());
  connection.run("UPDATE folder SET is_active = 1");
  lookAtAll(connection);
}

export function leave(connection: Connection): void {
  connection.run("UPDATE folder SET is_active = 0");
  connection.run("DELETE FROM folder_dirty");
}

/** Gives a restored or copied memory a new writer. Its former writer then counts as another one. */
export function renew(connection: Connection, device: { id: string; name: string }): void {
  const self = readSelf(connection);
  if (self === null) return;
  connection.run(
    `INSERT OR REPLACE INTO folder_writers (writer, device_id, name, is_former) VALUES ($writer, $id, $name, 1)`,
    { writer: self.writer, ...device },
  );
  connection.run("UPDATE folder SET writer = ?, counter = 0, hash = '', key_id = ''", newWriter());
  connection.run("DELETE FROM folder_segments");
  connection.run("DELETE FROM folder_items WHERE mark = ''");
  connection.run("UPDATE folder_items SET segment = NULL");
  lookAtAll(connection);
}

/** Returns the next record number. */
export function nextSeq(connection: Connection): number {
  const next = "UPDATE folder SET last_seq = last_seq + 1 RETURNING last_seq AS seq";
  return connection.get<{ seq: number }>(next)?.seq ?? 0;
}

type WriterRow = Omit<FolderWriter, "ranges" | "isOver"> & {
  ranges: string;
  isOver: number;
  isFormer: number;
};

export function listWriters(connection: Connection): (FolderWriter & { isFormer: boolean })[] {
  return connection
    .all<WriterRow>(
      `SELECT writer, device_id AS deviceId, name, counter, hash, ranges, written_at AS writtenAt, seen_at AS seenAt,
         records, bytes, unaware, problem, is_over AS isOver, is_former AS isFormer FROM folder_writers ORDER BY writer`,
    )
    .map((row) => ({
      ...row,
      ranges: JSON.parse(row.ranges),
      isOver: row.isOver !== 0,
      isFormer: row.isFormer !== 0,
    }));
}

export function saveWriter(connection: Connection, given: FolderWriter): void {
  connection.run(
    `INSERT INTO folder_writers (writer, device_id, name, counter, hash, ranges, written_at, seen_at, records, bytes,
       unaware, problem, is_over)
     VALUES ($writer, $deviceId, $name, $counter, $hash, $ranges, $writtenAt, $seenAt, $records, $bytes, $unaware,
       $problem, $isOver)
     ON CONFLICT (writer) DO UPDATE SET device_id = excluded.device_id, name = excluded.name, counter = excluded.counter,
       hash = excluded.hash, ranges = excluded.ranges, written_at = excluded.written_at, seen_at = excluded.seen_at,
       records = excluded.records, bytes = excluded.bytes, unaware = excluded.unaware, problem = excluded.problem,
       is_over = excluded.is_over`,
    { ...given, ranges: JSON.stringify(given.ranges) },
  );
}

/** Makes this memory responsible for the records of a writer. Turns of a former self of this memory become its own. */
export function takeOver(connection: Connection, writer: string): void {
  const held = "SELECT turn_id FROM folder_turns WHERE holder = ?";
  connection.run(`INSERT OR IGNORE INTO folder_dirty (turn_id) ${held}`, writer);
  connection.run(
    `DELETE FROM folder_turns WHERE holder = ?1 AND home = ?1
       AND EXISTS (SELECT 1 FROM folder_writers WHERE writer = ?1 AND is_former)`,
    writer,
  );
  connection.run("UPDATE folder_turns SET holder = NULL WHERE holder = ?", writer);
  for (const { key, mark } of connection.all<{ key: string; mark: string }>(
    "SELECT turn_key AS key, mark FROM folder_marks WHERE writer = ?",
    writer,
  )) {
    connection.run(
      "INSERT OR REPLACE INTO folder_items (seq, turn_key, mark, digest) VALUES (?, ?, ?, '')",
      nextSeq(connection),
      key,
      mark,
    );
  }
  connection.run("UPDATE folder_marks SET writer = '' WHERE writer = ?", writer);
  connection.run("UPDATE folder_writers SET is_over = 1 WHERE writer = ?", writer);
}

function lookAtAll(connection: Connection): void {
  connection.run("INSERT OR IGNORE INTO folder_dirty (turn_id) SELECT id FROM turns WHERE author IS NULL");
}

function newWriter(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
}
