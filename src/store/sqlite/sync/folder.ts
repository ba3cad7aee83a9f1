import type { FolderCounts, FolderSegment, FolderStore, OwnSegment } from "../../folder.ts";
import type { Connection } from "../connection/connection.ts";
import { withJournalInMemory } from "../connection/connection.ts";
import { apply } from "./folder-arrivals.ts";
import { goneKeys, outgoing, requeue, takeGone } from "./folder-outgoing.ts";
import { join, leave, renew, saveWriter, selfOf, takeOver, writersOf } from "./folder-self.ts";
import { IS_OPEN } from "./own-turns.ts";

export function folderStore(connection: Connection): FolderStore {
  const write = <Result>(work: () => Result) => connection.transaction(work);
  return {
    self: async () => selfOf(connection),
    join: async () => write(() => join(connection)),
    leave: async () => write(() => leave(connection)),
    renew: async (device) => write(() => renew(connection, device)),
    saveLastSync: async (json) => void connection.run("UPDATE folder SET last_sync = ?", json),
    saveManifest: async ({ counter, hash, keyId, device: { id, name } }) =>
      void connection.run(
        `UPDATE folder SET counter = $counter, hash = $hash, key_id = $keyId, device_id = $id, device_name = $name,
           told_gone = (SELECT count(*) FROM folder_gone)`,
        { counter, hash, keyId, id, name },
      ),
    writers: async () => writersOf(connection),
    saveWriter: async (writer) => saveWriter(connection, writer),
    takeOver: async (writer) => write(() => takeOver(connection, writer)),
    gone: async () => goneKeys(connection),
    takeGone: async (keys) => takeGone(connection, keys),
    apply: async (writer, records, until) =>
      withJournalInMemory(connection, () => write(() => apply(connection, writer, records, until))),
    outgoing: async (exclusions) => outgoing(connection, exclusions),
    segments: async () => segmentsOf(connection),
    liveIn: async (segment) => liveIn(connection, segment),
    saveSegment: async (segment, seqs, replaces) =>
      write(() => saveSegment(connection, segment, seqs, replaces)),
    dropSegment: async (name) => dropSegment(connection, name),
    requeue: async (lost) => write(() => requeue(connection, lost)),
    counts: async (openSince) => connection.snapshot(() => countFolder(connection, openSince)),
  };
}

function segmentsOf(connection: Connection): OwnSegment[] {
  return connection.all<OwnSegment>(
    `SELECT name, first, last, records, bytes, hash,
       (SELECT count(*) FROM folder_items i WHERE i.segment = s.name) AS live FROM folder_segments s ORDER BY first`,
  );
}

function liveIn(connection: Connection, segment: string): Set<number> {
  const rows = connection.column<number>("SELECT seq FROM folder_items WHERE segment = ?", segment);
  return new Set(rows);
}

function saveSegment(
  connection: Connection,
  segment: FolderSegment,
  seqs: readonly number[],
  replaces: readonly string[],
): void {
  for (const name of replaces) dropSegment(connection, name);
  connection.run(
    `INSERT INTO folder_segments (name, first, last, records, bytes, hash)
     VALUES ($name, $first, $last, $records, $bytes, $hash)`,
    { ...segment },
  );
  connection.run(
    "UPDATE folder_items SET segment = ? WHERE seq IN (SELECT value FROM json_each(?))",
    segment.name,
    JSON.stringify(seqs),
  );
}

function dropSegment(connection: Connection, name: string): void {
  connection.run("DELETE FROM folder_segments WHERE name = ?", name);
}

function countFolder(connection: Connection, openSince: string): FolderCounts {
  const count = (sql: string, values: Record<string, string> = {}) =>
    connection.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, values)?.n ?? 0;
  if (connection.get("SELECT 1 FROM folder") === null)
    return { put: 0, waiting: 0, arrived: 0, summaries: 0 };
  return {
    put: count("folder_items WHERE mark = ''"),
    waiting:
      count("folder_items WHERE segment IS NULL") +
      count(
        `folder_dirty d LEFT JOIN turns t ON t.id = d.turn_id WHERE ${IS_OPEN} IS NOT TRUE
           AND d.turn_id NOT IN (SELECT turn_id FROM folder_items WHERE turn_id IS NOT NULL AND segment IS NULL)`,
        { openSince },
      ) +
      Math.abs(
        count("folder_gone") - (connection.get<{ n: number }>("SELECT told_gone AS n FROM folder")?.n ?? 0),
      ),
    arrived: count("folder_turns WHERE holder IS NOT NULL"),
    summaries: count(
      "turns WHERE role = 'compaction_summary' AND author IS NULL AND foreign_origin IS NULL AND provisional = 0",
    ),
  };
}
