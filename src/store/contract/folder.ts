import type { FolderRecord, FolderSegment, FolderSelf, FolderWriter } from "./types/folder.ts";
import type { Exclusions } from "./types/team.ts";

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
