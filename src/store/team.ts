import type { InferOutput } from "valibot";
import type { Chunk } from "../domain.ts";
import type { TravellingTurn } from "./travelling-turn.ts";

/** Which turns of one's own are shared. */
export interface Sharing {
  /** ISO 8601. Turns that began earlier stay here; null for no limit. */
  since: string | null;
  /** Globs of branches; empty for all. */
  branches: readonly string[];
  /** Only turns that are pinned, or that were marked good in an answer. */
  onlyMarked: boolean;
  /** Turns of subagents too. */
  subagents: boolean;
  /** Muted turns, and those that were taken back in the agent, too; absent for no. */
  muted?: boolean;
}

/** What is never shared: what the user's settings exclude, and turns that may still continue. */
export interface Exclusions {
  isPathExcluded: (path: string) => boolean;
  isProjectExcluded: boolean;
  /** ISO 8601. Sessions that have not ended, and in which something was said since then, are open: their last turn stays. */
  openSince: string;
}

/** A device of a member: a copy of a memory that pushes. */
export interface DeviceName {
  author: string;
  deviceId: string;
}

/** How far a device has counted. `chain` is empty for number 0. */
export interface Position {
  number: number;
  chain: Uint8Array;
}

export const START: Position = { number: 0, chain: new Uint8Array(0) };

export type ChangeKind = "put" | "remove" | "void";

export interface TeamChunk extends Chunk {
  /** Of the turn's `model`; null where there is none. */
  vector: Float32Array | null;
}

/** A turn as it travels. */
export interface TeamTurn extends InferOutput<typeof TravellingTurn> {
  chunks: TeamChunk[];
}

export type TeamSession = TeamTurn["session"];

/** A change of what is shared, as it is numbered. */
export interface Change extends Position {
  kind: ChangeKind;
  /** Whose turn it is; null for one's own. */
  target: string | null;
  turnKey: Uint8Array;
  digest: Uint8Array;
}

/** A change as it is sent. */
export interface OutgoingChange extends Change {
  /** What a `put` shares. */
  turn: TeamTurn | null;
}

/** A change as it is pulled. `turn` is the turn's present state; null when it is gone, or unchanged by this change. */
export interface IncomingChange extends Position {
  kind: ChangeKind;
  target: string;
  turnKey: Uint8Array;
  turn: TeamTurn | null;
}

/** The team of a memory. */
export interface Membership {
  project: string;
  author: string;
  deviceId: string;
  sharing: Sharing | null;
}

/** Limits of what is kept of colleagues' turns. */
export interface Keep {
  /** ISO 8601. Older turns are not kept; null for no limit. */
  from: string | null;
  /** ISO 8601. Later times are not believed; null for no limit. */
  until: string | null;
  maxTurns: number;
}

/** Whether a turn may leave this machine, and why not. */
export type Fate =
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

/** What a memory knows of its team. The caller of what writes holds the ingest lock. */
export interface TeamStore {
  membership(): Promise<Membership | null>;
  /** Makes this the memory of a member. A memory that has a team already keeps its device. */
  join(team: { project: string; author: string }): Promise<void>;
  /** Removes everything that was pulled, and the membership. Returns the number of removed turns. */
  leave(): Promise<number>;
  /** Sets what is shared from now on; null for nothing. What was shared stays shared. */
  share(sharing: Sharing | null): Promise<void>;
  /** What becomes of one's own turns under these rules, in order of id. */
  fates(sharing: Sharing, exclusions: Exclusions, after: number, limit: number): Promise<TurnFate[]>;
  /** What a turn would share, and whether the team has it; null when nothing is left of it. */
  preview(
    turnId: number,
    sharing: Sharing,
    exclusions: Exclusions,
  ): Promise<{ turn: TeamTurn; isShared: boolean } | null>;
  /** Removes turns from the team: the user's own, and for an admin a colleague's too. Returns how many were shared. */
  unshare(turnIds: readonly number[]): Promise<number>;
  /** Which of these turns the team has: one's own, and those that were pulled from colleagues. */
  sharedOf(turnIds: readonly number[]): Promise<{ own: number[]; colleagues: number[] }>;
  /** Removes everything from the team that is shared. Returns the number of turns. */
  unshareAll(): Promise<number>;

  /** Numbers what changed since the last call, a limited number of turns. Returns false when nothing was left. */
  noteChanges(exclusions: Exclusions): Promise<boolean>;
  /** Whether this memory gave the number to which the server has counted the device. */
  knows(position: Position): Promise<boolean>;
  /** Gives the memory a new device id, and numbers all that is shared anew. */
  renew(): Promise<void>;
  /**
   * Gives new numbers to the changes that were never sent, removals first. `stored` is the number to which the server has
   * counted. Returns the numbers at which a batch must end, so that a full server refuses as little as possible.
   */
  putInOrder(stored: number): Promise<number[]>;
  /** The next few changes after a number, up to the number `last`; empty when there are none. */
  outgoing(after: number, last: number, exclusions: Exclusions): Promise<OutgoingChange[]>;
  confirm(number: number): Promise<void>;

  /** Notes which authors are members today and which were once, as the server says. */
  noteMembers(authors: readonly { author: string; isMember: boolean }[]): Promise<void>;
  cursors(): Promise<(DeviceName & Position)[]>;
  /** Forgets how far a device was pulled. From now on this device shares the user's own turns that came from that one. */
  restart(device: DeviceName): Promise<void>;
  /** Stores changes of a device and how far it was pulled, in one transaction. */
  apply(device: DeviceName, changes: readonly IncomingChange[], keep: Keep): Promise<Applied>;
  /** Removes colleagues' turns beyond the limits. Returns their number. */
  trim(keep: Keep): Promise<number>;

  /** Leaves out the last turn of a session that is still open: see `Exclusions.openSince`. */
  counts(openSince: string): Promise<TeamCounts>;
  lastSync(): Promise<string | null>;
  saveLastSync(json: string): Promise<void>;
}

interface TurnFate {
  turnId: number;
  fate: Fate;
}

export interface Applied {
  added: number;
  updated: number;
  removed: number;
}

export interface TeamCounts {
  /** Turns of one's own that the team has, or will have with the next sync. */
  shared: number;
  /** Changes that the server has not confirmed. */
  waiting: number;
  /** How many of these changes remove a turn. */
  removals: number;
  /** Turns that were pulled, by author; null for one's own other devices. */
  pulled: { author: string | null; turns: number; isFormer: boolean }[];
  /** Turns of colleagues that were forgotten here alone. */
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
  /** Whether the project is large enough to need an index of its vectors, and has none. */
  lacksIndex: boolean;
}

/** The database of a team, as one of its members. Methods reject with `MementorError`. */
export interface TeamServer {
  /** How far each device of the project has counted, and whether its author is a member today. */
  devices(): Promise<(DeviceName & Position & { isMember: boolean })[]>;
  /** Stores a batch in one transaction. Returns false when the device is not at `from`; then nothing is stored. */
  push(deviceId: string, from: Position, changes: readonly OutgoingChange[]): Promise<boolean>;
  /**
   * Returns the changes of a device that follow a position, in order; empty at its end. Null when the device never was
   * at this position.
   */
  pull(device: DeviceName, from: Position): Promise<IncomingChange[] | null>;
  close(): Promise<void>;
}
