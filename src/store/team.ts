import type { InferOutput } from "valibot";
import type { Chunk } from "../domain.ts";
import type { TravellingTurn } from "./travelling-turn.ts";

/** Rules for sharing the user's turns. */
export interface Sharing {
  /** ISO 8601. Turns that began earlier stay here; null for no limit. */
  since: string | null;
  /** Globs of branches; empty for all. */
  branches: readonly string[];
  /** True to share only turns that are pinned, or that were marked good in an answer. */
  onlyMarked: boolean;
  /** True to share turns of subagents, too. */
  subagents: boolean;
  /** True to share muted turns and those taken back in the agent, too; absent for no. */
  muted?: boolean;
}

/** Turns that are never shared: those that the user's settings exclude, and those that may still grow. */
export interface Exclusions {
  isPathExcluded: (path: string) => boolean;
  isProjectExcluded: boolean;
  /** ISO 8601. A session that has not ended and had activity since then is open: its last turn stays. */
  openSince: string;
}

/** A member's device: one copy of a memory that pushes. */
export interface DeviceName {
  author: string;
  deviceId: string;
}

/** Number and chain hash of a device's last change. `chain` is empty for number 0. */
export interface Position {
  number: number;
  chain: Uint8Array;
}

export const START: Position = { number: 0, chain: new Uint8Array(0) };

export type ChangeKind = "put" | "remove" | "void";

export interface TeamChunk extends Chunk {
  /** Vector of the turn's `vectorModel`; null without one. */
  vector: Float32Array | null;
}

/** A turn in the form in which it travels. */
export interface TeamTurn extends InferOutput<typeof TravellingTurn> {
  chunks: TeamChunk[];
}

export type TeamSession = TeamTurn["session"];

/** A numbered change of the shared turns. */
export interface TeamChange extends Position {
  kind: ChangeKind;
  /** Author of the turn; null for the user. */
  target: string | null;
  turnKey: Uint8Array;
  digest: Uint8Array;
}

/** A change to send. */
export interface OutgoingChange extends TeamChange {
  /** The shared turn of a `put`. */
  turn: TeamTurn | null;
}

/** A pulled change. `turn` is the turn's current state; null when it is gone, or unchanged by this change. */
export interface IncomingChange extends Position {
  kind: ChangeKind;
  target: string;
  turnKey: Uint8Array;
  turn: TeamTurn | null;
}

/** A memory's membership in a team. */
export interface Membership {
  project: string;
  author: string;
  deviceId: string;
  sharing: Sharing | null;
}

/** Limits for colleagues' turns. */
export interface Retention {
  /** ISO 8601. Older turns are dropped; null for no limit. */
  from: string | null;
  /** ISO 8601. Later times are not trusted; null for no limit. */
  until: string | null;
  maxTurns: number;
}

/** Decision whether a turn may leave this machine, with the reason against it. */
export type SharingDecision =
  | "shared"
  | "wanted"
  | "unshared"
  | "provisional"
  | "summary"
  | "imported"
  | "subagent"
  | "muted"
  | "before"
  | "branch"
  | "unmarked"
  | "excluded";

/** The team state of a memory. The caller of a writing method holds the ingest lock. */
export interface TeamStore {
  membership(): Promise<Membership | null>;
  /** Makes this the memory of a member. A memory with a team keeps its device. */
  join(team: { project: string; author: string }): Promise<void>;
  /** Removes everything that was pulled, and the membership. Returns the number of removed turns. */
  leave(): Promise<number>;
  /** Sets the rules of sharing from now on; null shares nothing. Already shared turns stay shared. */
  share(sharing: Sharing | null): Promise<void>;
  /** Returns the fates of the user's turns under these rules, in order of id. */
  fates(sharing: Sharing, exclusions: Exclusions, after: number, limit: number): Promise<TurnFate[]>;
  /** Returns the form in which a turn would be shared, and whether the team has it; null when nothing is left of it. */
  preview(
    turnId: number,
    sharing: Sharing,
    exclusions: Exclusions,
  ): Promise<{ turn: TeamTurn; isShared: boolean } | null>;
  /** Removes turns from the team: the user's own and, for an admin, a colleague's. Returns how many were shared. */
  unshare(turnIds: readonly number[]): Promise<number>;
  /** Returns those of these turns that the team has: the user's own, and those pulled from colleagues. */
  sharedOf(turnIds: readonly number[]): Promise<{ own: number[]; colleagues: number[] }>;
  /** Removes all shared turns from the team. Returns their number. */
  unshareAll(): Promise<number>;

  /** Numbers a limited number of changes since the last call. Returns false when nothing was left. */
  noteChanges(exclusions: Exclusions): Promise<boolean>;
  /** Tells whether this memory made the change up to which the server has counted the device. */
  knows(position: Position): Promise<boolean>;
  /** Gives the memory a new device id, and numbers everything shared again. */
  renew(): Promise<void>;
  /**
   * Renumbers the changes that were never sent, removals first. `stored` is the number up to which the server has counted.
   * Returns the numbers at which a batch must end, so that a full server refuses as little as possible.
   */
  putInOrder(stored: number): Promise<number[]>;
  /** Returns the next few changes after a number, up to the number `last`; empty when there are none. */
  outgoing(after: number, last: number, exclusions: Exclusions): Promise<OutgoingChange[]>;
  confirm(number: number): Promise<void>;

  /** Records the current and former members that the server lists. */
  noteMembers(authors: readonly { author: string; isMember: boolean }[]): Promise<void>;
  cursors(): Promise<(DeviceName & Position)[]>;
  /** Clears the pull position of a device. From now on, this device shares the user's turns that came from that one. */
  restart(device: DeviceName): Promise<void>;
  /** Stores a device's changes and the position of the pull in one transaction. */
  apply(device: DeviceName, changes: readonly IncomingChange[], keep: Retention): Promise<AppliedChanges>;
  /** Removes colleagues' turns beyond the limits. Returns their number. */
  trim(keep: Retention): Promise<number>;

  /** Counts turns, without the last turn of an open session; see `Exclusions.openSince`. */
  counts(openSince: string): Promise<TeamCounts>;
  lastSync(): Promise<string | null>;
  saveLastSync(json: string): Promise<void>;
}

interface TurnFate {
  turnId: number;
  fate: SharingDecision;
}

export interface AppliedChanges {
  added: number;
  updated: number;
  removed: number;
}

export interface TeamCounts {
  /** Turns of the user that the team has, or gets with the next sync. */
  shared: number;
  /** Changes that the server has not confirmed. */
  waiting: number;
  /** Number of these changes that remove a turn. */
  removals: number;
  /** Pulled turns by author; null for the user's own other devices. */
  pulled: { author: string | null; turns: number; isFormer: boolean }[];
  /** Turns of colleagues that were forgotten only here. */
  hidden: number;
}

/** A project of a team's database, as its member sees it. */
export interface MemberProject {
  id: number;
  name: string;
  /** The member's role. */
  author: string;
  isAdmin: boolean;
  usedBytes: number;
  maxBytes: number;
  usedRows: number;
  maxRows: number;
}

/** The database of a team, used as one of its members. Methods reject with `MementorError`. */
export interface TeamServer {
  /** Returns the position of each device of the project, and whether its author is still a member. */
  devices(): Promise<(DeviceName & Position & { isMember: boolean })[]>;
  /** Stores a batch in one transaction. Returns false, and stores nothing, when the device is not at `from`. */
  push(deviceId: string, from: Position, changes: readonly OutgoingChange[]): Promise<boolean>;
  /**
   * Returns the changes of a device after a position, in order; empty at its end. Null when the device was never at this
   * position.
   */
  pull(device: DeviceName, from: Position): Promise<IncomingChange[] | null>;
  close(): Promise<void>;
}
