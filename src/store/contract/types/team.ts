import type { Chunk, Failure, PrLink, SessionFacts, SubagentFacts, Turn } from "../../../domain.ts";

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

/** What a session says of itself to a team: never a path of a machine. */
export interface TeamSession extends Pick<SessionFacts, "sessionId" | "branch" | "startedAt" | "endedAt"> {
  client: string;
  automated: boolean;
  /** Only with the session's first turn, since they come from its beginning. */
  opening: SessionOpening | null;
}

export interface SessionOpening extends Pick<SessionFacts, "title" | "titleSource" | "firstPrompt"> {
  links: PrLink[];
}

export interface TeamChunk extends Chunk {
  /** Of the turn's `model`; null where there is none. */
  vector: Float32Array | null;
}

/** A turn as it travels. */
export interface TeamTurn
  extends Omit<Turn, "sessionId" | "lineIndex" | "provisional" | "role" | "cwd" | "entryUuids" | "wording"> {
  session: TeamSession;
  subagent: Pick<SubagentFacts, "agentType" | "task"> | null;
  failures: Failure[];
  chunks: TeamChunk[];
  /** The model of the chunks' vectors; null without vectors. */
  vectorModel: { id: string; dimensions: number } | null;
}

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
