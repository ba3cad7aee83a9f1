import type { Cure } from "../domain.ts";
import type { Exclusions, TeamTurn } from "./team.ts";

/** A mark as it travels: the latest of those with the same name counts. */
export interface FolderMark {
  /** `mute`, `pin` or `undone`; of an answer, `answer:` and what identifies it. */
  mark: string;
  isOn: boolean;
  /** ISO 8601. */
  time: string;
  /** What an answer was marked for; null for a mark of a turn. */
  answer: { kind: "good" | "bad"; prompt: string | null; subject: string | null } | null;
}

/** Where a turn was said, when another device puts it into the folder. */
export interface FolderHome {
  writer: string;
  name: string;
}

/** A record of another writer that a turn replaces: something was taken out of its text, such as a secret. */
export interface FolderCleaning {
  writer: string;
  seq: number;
}

/**
 * What a device puts into the folder. `seq` counts what it ever put: a later one replaces an earlier one of the same
 * turn.
 */
export type FolderRecord =
  | {
      seq: number;
      kind: "turn";
      key: string;
      home: FolderHome | null;
      cleans: FolderCleaning | null;
      turn: TeamTurn;
      /** What got past its failed calls. */
      cures: readonly Cure[];
    }
  | { seq: number; kind: "mark"; key: string; mark: FolderMark };

/** A file with records, as its writer's manifest lists it. */
export interface FolderSegment {
  /** `<first>-<last>-<random>.seg` */
  name: string;
  /** It holds what is left of the records from `first` to `last`. */
  first: number;
  last: number;
  records: number;
  bytes: number;
  /** SHA-256, hex. */
  hash: string;
}

/** What a memory knows of its own directory in the folder. */
export interface FolderSelf {
  /** Names the directory: 16 hex digits. A memory that was restored from a backup gets a new one. */
  writer: string;
  /** Counts the manifests. */
  counter: number;
  /** SHA-256 of the last manifest, hex; empty before the first. */
  hash: string;
  /** The id of the key with which the directory was written; empty before the first time. */
  keyId: string;
  /** The last number that a record got. */
  lastSeq: number;
  /** Whether the memory syncs through a folder now. */
  isActive: boolean;
  /** The result of the last sync, as JSON. */
  lastSync: string | null;
}

/** What can be said of a device that writes into the folder. */
interface DeviceActivity {
  name: string;
  /** ISO 8601: when it wrote last, and when that was seen here. */
  writtenAt: string | null;
  seenAt: string | null;
  /** Turns and bytes of its segments. */
  records: number;
  bytes: number;
  /** How many forgotten turns it does not know of yet. */
  unaware: number;
  /** What was wrong with it at the last sync; null when nothing was. */
  problem: string | null;
}

/** What a memory knows of another writer. */
export interface FolderWriter extends DeviceActivity {
  writer: string;
  /** The device, which may have had several writers. */
  deviceId: string;
  /** The counter and SHA-256 of the last manifest that was taken. */
  counter: number;
  hash: string;
  /** Numbers of records that were read, as pairs of first and last. */
  ranges: [number, number][];
  /** Another writer has taken over what it put: its directory is not read any more. */
  isOver: boolean;
}

/** Another device of the user, or this one. */
export interface DeviceState extends DeviceActivity {
  /** 16 hex digits: two devices may have one name. */
  id: string;
  isThis: boolean;
}

/** A segment of one's own; `live` is how many of its records still count. */
export interface OwnSegment extends FolderSegment {
  live: number;
}

export interface FolderApplied {
  added: number;
  updated: number;
}

export interface FolderCounts {
  /** Turns that this memory puts into the folder. */
  put: number;
  /** Turns and marks that wait for the next sync. */
  waiting: number;
  /** Turns that the folder brought. */
  arrived: number;
  /** Compaction summaries of this memory's own sessions: they stay, since they retell turns that may have to. */
  summaries: number;
}

/** What a memory knows of the folder through which it syncs. The caller of what writes holds the ingest lock. */
export interface FolderStore {
  self(): Promise<FolderSelf | null>;
  /** Lets the memory sync through a folder from now on. Everything is looked at again. */
  join(): Promise<void>;
  /** Ends the sync through the folder. What arrived stays. */
  leave(): Promise<void>;
  /** Gives the memory a new writer, and puts everything again. The former writer then counts as another one. */
  renew(device: { id: string; name: string }): Promise<void>;
  saveLastSync(json: string): Promise<void>;
  /** Notes the manifest that is written next, before it is written. */
  saveManifest(manifest: {
    counter: number;
    hash: string;
    keyId: string;
    device: { id: string; name: string };
  }): Promise<void>;

  writers(): Promise<(FolderWriter & { isFormer: boolean })[]>;
  /** Stores what is known of a writer; `isFormer` stays what it was. */
  saveWriter(writer: FolderWriter): Promise<void>;
  /**
   * Takes over from a writer: from now on this memory puts that one's records. They are its own where it was that
   * writer.
   */
  takeOver(writer: string): Promise<void>;

  /** Keys of turns that are gone for good, in alphabetical order. */
  gone(): Promise<string[]>;
  /** Notes that turns are gone, and removes them here. Returns how many were removed. */
  takeGone(keys: readonly string[]): Promise<number>;

  /** Stores records of a writer in one transaction. Times after `until` (ISO 8601) are not believed. */
  apply(writer: string, records: readonly FolderRecord[], until: string): Promise<FolderApplied>;

  /**
   * Numbers what changed, a limited number of turns, and returns it as records that belong into a segment; null when
   * nothing is left. Turns that are gone elsewhere are removed here.
   */
  outgoing(exclusions: Exclusions): Promise<FolderRecord[] | null>;
  segments(): Promise<OwnSegment[]>;
  /** The numbers of a segment's records that still count. */
  liveIn(segment: string): Promise<Set<number>>;
  /** Notes that a segment holds these records, and which segments it replaces, before the file is written. */
  saveSegment(segment: FolderSegment, seqs: readonly number[], replaces: readonly string[]): Promise<void>;
  dropSegment(name: string): Promise<void>;
  /**
   * Puts again what was in lost segments, and what was never written into a segment. Returns the marks of it; `outgoing`
   * returns its turns.
   */
  requeue(lost: readonly string[]): Promise<FolderRecord[]>;

  /** Leaves out the last turn of a session that is still open: see `Exclusions.openSince`. */
  counts(openSince: string): Promise<FolderCounts>;
}
