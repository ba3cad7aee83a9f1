import type { Exclusions, TeamTurn } from "./team.ts";

/** A mark in transit. Of several marks with the same name, the latest counts. */
export interface FolderMark {
  /** `mute`, `pin` or `undone`; for an answer, `answer:` and its identity. */
  mark: string;
  isOn: boolean;
  /** ISO 8601. */
  time: string;
  /** The marked answer; null for a mark of a turn. */
  answer: { kind: "good" | "bad"; prompt: string | null; subject: string | null } | null;
}

/** The origin of a turn that another device puts into the folder. */
export interface FolderOrigin {
  writer: string;
  name: string;
}

/** Another writer's record that this turn replaces, because something was removed from its text, such as a secret. */
export interface FolderCleaning {
  writer: string;
  seq: number;
}

/** A record that a device puts into the folder. `seq` numbers its records; a later record of a turn replaces an earlier one. */
export type FolderRecord =
  | {
      seq: number;
      kind: "turn";
      key: string;
      home: FolderOrigin | null;
      cleans: FolderCleaning | null;
      turn: TeamTurn;
    }
  | { seq: number; kind: "mark"; key: string; mark: FolderMark };

/** A file of records, as listed in its writer's manifest. */
export interface FolderSegment {
  /** `<first>-<last>-<random>.seg` */
  name: string;
  /** Number of the first record. Records from `first` to `last` may be missing when they no longer count. */
  first: number;
  last: number;
  records: number;
  bytes: number;
  /** SHA-256, hex. */
  hash: string;
}

/** The state of a memory's own directory in the folder. */
export interface FolderSelf {
  /** Name of the directory: 16 hex digits. A memory that was restored from a backup gets a new one. */
  writer: string;
  /** Number of manifests written. */
  counter: number;
  /** SHA-256 of the last manifest, hex; empty before the first. */
  hash: string;
  /** Id of the key of the latest manifest that was surely written; empty before the first. */
  keyId: string;
  /** Number of the last record. */
  lastSeq: number;
  /** True while the memory syncs through a folder. */
  isActive: boolean;
  /** The result of the last sync, as JSON. */
  lastSync: string | null;
}

/** The known activity of a device that writes into the folder. */
interface DeviceActivity {
  name: string;
  /** Time of its latest write, ISO 8601, and the time when it was noticed here. */
  writtenAt: string | null;
  seenAt: string | null;
  /** Number of turns and bytes in its segments. */
  records: number;
  bytes: number;
  /** Number of forgotten turns that it does not yet know about. */
  unaware: number;
  /** Its problem at the last sync; null when there was none. */
  problem: string | null;
}

/** The known state of another writer. */
export interface FolderWriter extends DeviceActivity {
  writer: string;
  /** Id of the device, which may have had several writers. */
  deviceId: string;
  /** Counter and SHA-256 of the last accepted manifest. */
  counter: number;
  hash: string;
  /** Numbers of the records already read, as pairs of first and last. */
  ranges: [number, number][];
  /** True once another writer has taken over its records. Its directory is no longer read. */
  isOver: boolean;
}

/** Another device of the user, or this one. */
export interface DeviceState extends DeviceActivity {
  /** 16 hex digits, since two devices may have the same name. */
  id: string;
  isThis: boolean;
}

/** A segment of this device; `live` is the number of its records that still count. */
export interface OwnSegment extends FolderSegment {
  live: number;
}

export interface FolderApplied {
  added: number;
  updated: number;
}

export interface FolderCounts {
  /** Turns of this memory in the folder. */
  put: number;
  /** Turns and marks that wait for the next sync. */
  waiting: number;
  /** Turns received from the folder. */
  arrived: number;
  /**
   * Compaction summaries of this memory's own sessions. They are not sent, since they retell turns that may have to stay here.
   */
  summaries: number;
}

/** The state of a memory that syncs through a folder. The caller of a writing method holds the ingest lock. */
export interface FolderStore {
  self(): Promise<FolderSelf | null>;
  /** Starts to sync through a folder. Every turn is examined again. */
  join(): Promise<void>;
  /** Stops syncing through the folder. Received turns stay. */
  leave(): Promise<void>;
  /** Gives the memory a new writer and queues everything again. The former writer then counts as another one. */
  renew(device: { id: string; name: string }): Promise<void>;
  saveLastSync(json: string): Promise<void>;
  /** Records the next manifest before it is written, and its key after. */
  saveManifest(manifest: {
    counter: number;
    hash: string;
    keyId: string;
    device: { id: string; name: string };
  }): Promise<void>;

  writers(): Promise<(FolderWriter & { isFormer: boolean })[]>;
  /** Stores the state of a writer, except `isFormer`, which stays unchanged. */
  saveWriter(writer: FolderWriter): Promise<void>;
  /** Takes over a writer's records: from now on this memory writes them. They are its own if it was that writer. */
  takeOver(writer: string): Promise<void>;

  /** Lists the keys of turns that are gone for good, in alphabetical order. */
  gone(): Promise<string[]>;
  /** Records turns as gone and removes them here. Returns the number of removed turns. */
  takeGone(keys: readonly string[]): Promise<number>;

  /** Stores records of a writer in one transaction. Times after `until` (ISO 8601) are not trusted. */
  apply(writer: string, records: readonly FolderRecord[], until: string): Promise<FolderApplied>;

  /**
   * Numbers a limited number of changed turns and returns them as records for a segment; null when nothing is left. Removes turns
   * here that are gone elsewhere.
   */
  outgoing(exclusions: Exclusions): Promise<FolderRecord[] | null>;
  segments(): Promise<OwnSegment[]>;
  /** Returns the numbers of a segment's records that still count. */
  liveIn(segment: string): Promise<Set<number>>;
  /** Records a segment's contents, and the segments that it replaces, before the file is written. */
  saveSegment(segment: FolderSegment, seqs: readonly number[], replaces: readonly string[]): Promise<void>;
  dropSegment(name: string): Promise<void>;
  /**
   * Queues the records of lost segments again, and those never written into one. Returns the marks among them; `outgoing` returns
   * the turns.
   */
  requeue(lost: readonly string[]): Promise<FolderRecord[]>;

  /** Counts turns, without the last turn of an open session; see `Exclusions.openSince`. */
  counts(openSince: string): Promise<FolderCounts>;
}
