import type { FolderStore } from "../../contract/folder.ts";
import type { Connection } from "../connection/connection.ts";
import { withJournalInMemory } from "../connection/journal.ts";
import { apply } from "./apply.ts";
import { goneKeys, takeGone } from "./gone.ts";
import { outgoing, requeue } from "./outgoing.ts";
import { countFolder, dropSegment, liveIn, saveSegment, segmentsOf } from "./segments.ts";
import { join, leave, renew, saveWriter, selfOf, takeOver, writersOf } from "./self.ts";

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
