import type {
  FolderCleaning,
  FolderCounts,
  FolderOrigin,
  FolderRecord,
  FolderSegment,
  FolderStore,
  OwnSegment,
} from "../../folder.ts";
import { hashTurn } from "../../identity.ts";
import type { Exclusions, Sharing } from "../../team.ts";
import { type Connection, withJournalInMemory } from "../connection/connection.ts";
import { NO_PLAN } from "../forget/plan.ts";
import { removeTurns } from "../forget/remove.ts";
import { applyRecords, noteMarks, textHash, waitingMarks } from "./folder-arrivals.ts";
import { join, leave, listWriters, nextSeq, readSelf, renew, saveWriter, takeOver } from "./folder-self.ts";
import { IS_OPEN, ownTurns } from "./own-turns.ts";
import { changedTurns, leavingTurn, markExamined } from "./read-turn.ts";
import type { OwnTurn } from "./rules.ts";

export function folderStore(connection: Connection): FolderStore {
  const write = <Result>(work: () => Result) => connection.transaction(work);
  return {
    self: async () => readSelf(connection),
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
    writers: async () => listWriters(connection),
    saveWriter: async (writer) => saveWriter(connection, writer),
    takeOver: async (writer) => write(() => takeOver(connection, writer)),
    gone: async () => goneKeys(connection),
    takeGone: async (keys) => takeGone(connection, keys),
    apply: async (writer, records, until) =>
      withJournalInMemory(connection, () => write(() => applyRecords(connection, writer, records, until))),
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

/** Shares all the user's turns with the user's own devices. */
const ALL_OWN: Sharing = { since: null, branches: [], onlyMarked: false, subagents: true, muted: true };

/** Numbers changes; see `FolderStore.outgoing`. */
function outgoing(connection: Connection, exclusions: Exclusions): FolderRecord[] | null {
  const dirty = changedTurns(connection, "folder", exclusions.openSince);
  if (dirty.length === 0) return null;
  const { records, doomed } = connection.transaction(() => examineTurns(connection, dirty, exclusions));
  forgetLocally(connection, doomed);
  return records;
}

function examineTurns(
  connection: Connection,
  dirty: readonly number[],
  exclusions: Exclusions,
): { records: FolderRecord[]; doomed: number[] } {
  const records: FolderRecord[] = [];
  const doomed: number[] = [];
  takeOverCleaned(connection, dirty);
  const own = ownTurns(connection, dirty, exclusions.openSince, "folder");
  for (const turn of own) {
    // The turn was forgotten on another device, and read from a transcript here.
    if (turn.isUnshared && turn.foreignOrigin === null) doomed.push(turn.turnId);
    else records.push(...putTurn(connection, turn, exclusions));
  }
  for (const turnId of dirty) {
    const key = keyOf(connection, turnId);
    if (key !== null) records.push(...noteMarks(connection, turnId, key));
  }
  markExamined(connection, "folder", dirty);
  return { records, doomed };
}

function putTurn(connection: Connection, own: OwnTurn, exclusions: Exclusions): FolderRecord[] {
  const turn = leavingTurn(connection, own, { circle: "folder", sharing: ALL_OWN, exclusions });
  if (turn === null) return [];
  const key = Buffer.from(own.key).toString("hex");
  const digest = Buffer.from(hashTurn(turn)).toString("hex");
  const known = connection.get<{ digest: string; seq: number }>(
    "SELECT digest, seq FROM folder_items WHERE turn_key = ? AND mark = ''",
    key,
  );
  if (known?.digest === digest) {
    connection.run("UPDATE folder_items SET turn_id = ? WHERE seq = ?", own.turnId, known.seq);
    return [];
  }
  const seq = nextSeq(connection);
  connection.run(
    `INSERT OR REPLACE INTO folder_items (seq, turn_key, digest, turn_id) VALUES ($seq, $key, $digest, $turnId)`,
    { seq, key, digest, turnId: own.turnId },
  );
  return [{ seq, kind: "turn", key, ...originOf(connection, own.turnId), turn }];
}

/**
 * Takes over turns of other devices from whose text something was removed here, such as a secret that their program does not
 * recognise. This memory then sends the cleaned turns instead of theirs.
 */
function takeOverCleaned(connection: Connection, dirty: readonly number[]): void {
  const held = connection.all<{ id: number; holder: string; seq: number; hash: string; text: string }>(
    `SELECT t.id, f.holder, f.seq, f.text_hash AS hash, t.full_text AS text FROM json_each(?) j
     CROSS JOIN folder_turns f ON f.turn_id = j.value JOIN turns t ON t.id = f.turn_id WHERE f.holder IS NOT NULL`,
    JSON.stringify(dirty),
  );
  for (const { id, holder, seq, hash, text } of held)
    if (textHash(text) !== hash)
      connection.run(
        "UPDATE folder_turns SET holder = NULL, cleans = ? WHERE turn_id = ?",
        JSON.stringify({ writer: holder, seq }),
        id,
      );
}

/** Returns the origin of a turn that this memory took over, and the part that the record replaces. */
function originOf(
  connection: Connection,
  turnId: number,
): { home: FolderOrigin | null; cleans: FolderCleaning | null } {
  const row = connection.get<FolderOrigin & { cleans: string | null }>(
    `SELECT w.writer, w.name, f.cleans FROM folder_turns f JOIN folder_writers w ON w.writer = f.home
     WHERE f.turn_id = ?`,
    turnId,
  );
  if (row === null) return { home: null, cleans: null };
  const { cleans, ...home } = row;
  return { home, cleans: cleans === null ? null : JSON.parse(cleans) };
}

function keyOf(connection: Connection, turnId: number): string | null {
  const row = connection.get<{ key: string }>(
    `SELECT turn_key AS key FROM folder_items WHERE turn_id = ?1 AND mark = ''
     UNION ALL SELECT turn_key FROM folder_turns WHERE turn_id = ?1`,
    turnId,
  );
  return row?.key ?? null;
}

/**
 * Queues the records of lost segments again, and those never written into one. Returns the marks among them; the turns are
 * examined again.
 */
function requeue(connection: Connection, lost: readonly string[]): FolderRecord[] {
  const json = JSON.stringify(lost);
  const waits = "(segment IS NULL OR segment IN (SELECT value FROM json_each(?)))";
  connection.run(
    `INSERT OR IGNORE INTO folder_dirty (turn_id) SELECT turn_id FROM folder_items
     WHERE mark = '' AND turn_id IS NOT NULL AND ${waits}`,
    json,
  );
  connection.run(`DELETE FROM folder_items WHERE mark = '' AND ${waits}`, json);
  connection.run(`UPDATE folder_items SET segment = NULL WHERE mark <> '' AND ${waits}`, json);
  connection.run("DELETE FROM folder_segments WHERE name IN (SELECT value FROM json_each(?))", json);
  return waitingMarks(connection);
}

/** Returns the keys of turns that are gone on all devices. */
function goneKeys(connection: Connection): string[] {
  return connection.column<string>("SELECT turn_key AS key FROM folder_gone ORDER BY turn_key");
}

/** Records turns as gone elsewhere and forgets them here. Returns how many were here. */
function takeGone(connection: Connection, keys: readonly string[]): number {
  const json = JSON.stringify(keys);
  const found = connection.column<number>(
    `WITH gone AS (SELECT value AS key FROM json_each(?1))
     SELECT f.turn_id AS id FROM gone CROSS JOIN folder_turns f ON f.turn_key = gone.key
     UNION SELECT i.turn_id FROM gone CROSS JOIN folder_items i ON i.turn_key = gone.key AND i.mark = '' AND i.turn_id IS NOT NULL
     UNION SELECT t.id FROM gone CROSS JOIN turns t ON coalesce(t.author, '') = '' AND t.turn_key = unhex(gone.key)`,
    json,
  );
  const removed = forgetLocally(connection, found);
  connection.transaction(() => bury(connection, keys));
  return removed;
}

/** Forgets turns that another device forgot. Returns their number. */
function forgetLocally(connection: Connection, turnIds: readonly number[]): number {
  return turnIds.length === 0 ? 0 : removeTurns(connection, { ...NO_PLAN, turnIds }, "forget");
}

function bury(connection: Connection, keys: readonly string[]): void {
  const json = JSON.stringify(keys);
  connection.run("INSERT OR IGNORE INTO folder_gone (turn_key) SELECT value FROM json_each(?)", json);
  for (const table of ["folder_items", "folder_marks"])
    connection.run(`DELETE FROM ${table} WHERE turn_key IN (SELECT value FROM json_each(?))`, json);
}
