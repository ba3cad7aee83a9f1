import type {
  Chunk,
  Compaction,
  HitSource,
  PrLink,
  Rewind,
  SessionFacts,
  SubagentFacts,
  Turn,
  TurnCopy,
  TurnRole,
} from "../../../domain.ts";
import type { TurnText } from "../../../turn/text.ts";
import type { PromptMark } from "./marks.ts";

/** How far a transcript was read. `byteOffset` is the end of the last complete line that was read. */
export interface SourceState {
  path: string;
  sessionId: string | null;
  agentId: string | null;
  byteOffset: number;
  lineIndex: number;
  /** Where the next read starts: at the earliest turn that is still provisional. */
  resumeOffset: number;
  resumeLine: number;
  /** Hash of the first and last bytes that were read. Distinguishes an append from a rewrite. */
  fingerprint: string;
  /**
   * Size in bytes and modification time in ms when the file was read. If both are unchanged, the file need not be
   * opened.
   */
  size: number;
  mtimeMs: number;
  /** Lines without content to index, or that could not be read, by kind. */
  skipped: Record<string, number>;
  /** Facts about the file's sessions, for the next read. */
  sessions: readonly SessionFacts[];
  /** Ids of sessions that are skipped because they work in an excluded project. */
  leftOut: readonly string[];
  /** Further state of the reader, opaque to the store. Contains no words of the transcript. */
  readerState: string | null;
  /** Version of the reader that made the turns. */
  readerVersion: number;
}

/** Everything that one step of an ingest stores, in one transaction, the cursor included. */
export interface WriteBatch {
  source: SourceState;
  /**
   * True for the first batch after a rewrite. Then turns of this source lose their lines, and are matched by
   * `promptUuid`.
   */
  rewritten: boolean;
  sessions: SessionFacts[];
  subagents: SubagentFacts[];
  turns: { turn: Turn; chunks: Chunk[] }[];
  copies: TurnCopy[];
  prLinks: PrLink[];
  compactions: Compaction[];
  /** Marks of turns in the batch, by the `uuid` of their prompts; absent where there are none. */
  marks?: PromptMark[];
  /** Where the user took turns back, of which some may have been stored before. */
  rewinds?: Rewind[];
  /** Origin of imported turns; absent for turns that were ingested here. */
  foreignOrigin?: string;
}

export interface WriteResult {
  turnsInserted: number;
  turnsUpdated: number;
  chunksWritten: number;
  /** Number of chunks whose text was embedded before, so that they reuse its vectors. */
  vectorsReused: number;
}

export interface PendingChunk {
  chunkId: number;
  content: string;
}

/** The place of an indexed entry. */
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
  /** Number of matching hints. */
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
  /** The member of the team who made it; null for what was made here. */
  author: string | null;
  /** The user's device where it was said; absent for this one. */
  device?: string;
  /** True where only the prompt is left of it; absent otherwise. */
  promptOnly?: true;
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
  /** True for the model that becomes active when its vectors are complete. */
  next: boolean;
  vectors: number;
  pending: number;
}

/** `pending`: vectors are missing. `cancelled`: it is no longer the next model. */
export type SwitchOutcome = "switched" | "pending" | "cancelled";
