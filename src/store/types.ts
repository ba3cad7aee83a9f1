import type {
  Chunk,
  Compaction,
  HitSource,
  PrLink,
  SessionFacts,
  SubagentFacts,
  Turn,
  TurnCopy,
  TurnRole,
} from "../domain.ts";
import type { TurnText } from "../turn/text.ts";

/** How far a transcript file was read. `byteOffset` is the end of the last complete line that was read. */
export interface SourceState {
  path: string;
  sessionId: string | null;
  agentId: string | null;
  byteOffset: number;
  lineIndex: number;
  /** Where the next read starts: the start of the earliest turn that was still provisional. */
  resumeOffset: number;
  resumeLine: number;
  /** Hash over the first and the last bytes of what was read: tells an append from a rewrite. */
  fingerprint: string;
  /** Of the file when it was read, bytes and ms: tells "nothing new" without opening it. */
  size: number;
  mtimeMs: number;
  /** Lines read so far that hold nothing to index or could not be read, by kind. */
  skipped: Record<string, number>;
  /** What the reader knows of the file's sessions, to go on with. */
  sessions: readonly SessionFacts[];
  /** Ids of sessions that are left out, since they work in an excluded project. */
  leftOut: readonly string[];
  /** Opaque to the store: what else the reader needs to go on; holds no words of the transcript. */
  readerState: string | null;
  /** Which version of the reader made the turns. */
  readerVersion: number;
}

/** Everything that one step of an ingest stores, in one transaction, the cursor included. */
export interface WriteBatch {
  source: SourceState;
  /** True on the first batch after a rewrite: turns of this source give up their lines, to be matched by `promptUuid`. */
  rewritten: boolean;
  sessions: SessionFacts[];
  subagents: SubagentFacts[];
  turns: { turn: Turn; chunks: Chunk[] }[];
  copies: TurnCopy[];
  prLinks: PrLink[];
  compactions: Compaction[];
  /** Where the turns were imported from; absent for what was ingested here. */
  foreignOrigin?: string;
}

export interface WriteResult {
  turnsInserted: number;
  turnsUpdated: number;
  chunksWritten: number;
  /** Chunks whose text was embedded before, so that their vectors were kept. */
  vectorsReused: number;
}

export interface PendingChunk {
  chunkId: number;
  content: string;
}

/** Where an already indexed entry lives. */
export interface KnownEntry {
  turnId: number;
  sessionId: string;
  agentId: string | null;
  promptUuid: string | null;
}

export interface ChunkDistance {
  chunkId: number;
  distance: number;
}

export interface ChunkHit {
  chunkId: number;
  turnId: number;
  /** Cosine distance, 0 to 2. */
  distance: number;
}

export interface KeywordHit {
  /** Null when the hit is of a whole turn. */
  chunkId: number | null;
  turnId: number;
  /** Larger is better; `-bm25`. */
  score: number;
}

export interface TurnHit {
  turnId: number;
  source: HitSource;
  /** How many of the hints matched. */
  matches: number;
}

export interface StoredTurn extends TurnText {
  turnId: number;
  sessionId: string;
  /** Id of the coding agent of its session. */
  client: string;
  agentId: string | null;
  lineIndex: number;
  provisional: boolean;
  role: TurnRole;
  origin: string;
  toolSummary: string[];
  isSidechain: boolean;
  /** ISO 8601. */
  createdAt: string | null;
  endedAt: string | null;
  branch: string | null;
  cwd: string | null;
  model: string | null;
  clientVersion: string | null;
  sessionTitle: string | null;
  /** Where it was imported from; null for what was ingested here. */
  foreign: string | null;
}

export interface StoredChunk {
  chunkId: number;
  turnId: number;
  chunkIndex: number;
  content: string;
  start: number;
  end: number;
}

export interface Totals {
  sessions: number;
  turns: number;
  chunks: number;
  pendingChunks: number;
}

export interface StoredModel {
  id: string;
  dimensions: number;
  active: boolean;
  /** It takes over once its vectors are complete. */
  next: boolean;
  vectors: number;
  pending: number;
}

/** `pending`: vectors are missing still, or again; `cancelled`: it is not the next one any more. */
export type SwitchOutcome = "switched" | "pending" | "cancelled";
