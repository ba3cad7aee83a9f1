import type {
  Chunk,
  Compaction,
  HitSource,
  Origin,
  PrLink,
  ReadCursor,
  Rewind,
  SessionFacts,
  SubagentFacts,
  Turn,
  TurnCopy,
  TurnFacts,
} from "../domain.ts";
import { MementorError } from "../errors.ts";
import type { VectorRank } from "../turn/parts.ts";
import type { TurnText } from "../turn/text.ts";
import type { PromptMark } from "./marks.ts";

/** The read position of a transcript. */
export interface SourceState extends ReadCursor {
  path: string;
  sessionId: string | null;
  agentId: string | null;
  /** Hash of the first and last bytes that were read. Distinguishes an append from a rewrite. */
  fingerprint: string;
  /**
   * Size in bytes and modification time in ms when the file was read. If both are unchanged, the file need not be
   * opened.
   */
  size: number;
  mtimeMs: number;
  /** Number of unreadable lines and of those without content to index, by kind. */
  skipped: Record<string, number>;
  /** Ids of sessions that are skipped because they belong to an excluded project. */
  leftOut: readonly string[];
  /** Version of the reader that made the turns. */
  readerVersion: number;
}

/** Data that one step of an ingest stores in one transaction, including the cursor. */
export interface WriteBatch {
  source: SourceState;
  /**
   * True for the first batch after a rewrite. The turns of this source then lose their lines, and are matched by `promptUuid`.
   */
  rewritten: boolean;
  sessions: SessionFacts[];
  subagents: SubagentFacts[];
  turns: { turn: Turn; chunks: Chunk[] }[];
  copies: TurnCopy[];
  prLinks: PrLink[];
  compactions: Compaction[];
  /** Marks of turns in the batch, by the `uuid` of their prompts; absent without marks. */
  marks?: PromptMark[];
  /** Places where the user took turns back, some of which may be stored already. */
  rewinds?: Rewind[];
  /** Origin of imported turns; absent for turns ingested here. */
  foreignOrigin?: string;
  /** True for text that the user writes at this moment. It is stored even if the same words were forgotten before. */
  isWrittenNow?: boolean;
}

export interface WriteResult {
  turnsInserted: number;
  turnsUpdated: number;
  chunksWritten: number;
  /** Number of chunks that reuse the vectors of an equal text. */
  vectorsReused: number;
}

export interface PendingChunk {
  chunkId: number;
  content: string;
  rank: VectorRank;
}

/** The turn that contains an indexed entry. */
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
  /** Null when the hit is a whole turn. */
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

export interface StoredTurn extends TurnFacts, TurnText, Origin {
  turnId: number;
  /** Id of the coding agent of its session. */
  client: string;
  origin: string;
  toolSummary: string[];
  sessionTitle: string | null;
  /** True when only its prompt is left; absent otherwise. */
  promptOnly?: true;
}

export interface StoredChunk extends Chunk {
  chunkId: number;
  turnId: number;
}

/** The transcript and the working directories of a session. */
export interface SessionPlace {
  sessionId: string;
  /** Path of its transcript. */
  path: string;
  /** Working directories of its turns. */
  directories: readonly string[];
}

/** The contents of a memory or a part of it. A note of the user is stored like a session with one turn, but counts as neither. */
export interface MemoryContents {
  sessions: number;
  /** Number of turns in sessions. */
  turns: number;
  notes: number;
}

export interface MemoryTotals extends MemoryContents {
  chunks: number;
  pendingChunks: number;
}

/** Progress of vectors: of the first passages and outcomes of turns, and of the remaining chunks. */
export interface VectorsReady {
  first: { pending: number; total: number };
  rest: { pending: number; total: number };
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

/** `pending`: vectors are missing. `cancelled`: the model is no longer the next one. */
export type SwitchOutcome = "switched" | "pending" | "cancelled";

/** A session in the form of an export. */
export interface ExportedSession extends Pick<WriteBatch, "subagents" | "prLinks" | "compactions"> {
  facts: SessionFacts;
}

/** An exported turn. A line index of -1 means that its transcript no longer contained it. */
export interface ExportedTurn extends Turn, Omit<Origin, "device"> {
  turnId: number;
  /** Its mute and pin marks with their times. */
  marks: Pick<PromptMark, "kind" | "time">[];
}

/**
 * The fate of an imported turn. `own`: it was ingested here; `known`: it was imported before; `update`: an older version was
 * imported; `forgotten`: it was removed on purpose.
 */
export type ImportDecision = "new" | "update" | "known" | "own" | "forgotten";

/** Reads and writes of an ingest. The caller holds the ingest lock. */
export interface IngestStore {
  source(path: string): Promise<SourceState | null>;
  /**
   * Returns the turns that contain these entries, by `uuid` of the entry. Leaves out unknown and imported entries. A forgotten
   * entry has a turn with the id 0 and an empty session id.
   */
  knownEntries(uuids: readonly string[]): Promise<Map<string, KnownEntry>>;
  write(batch: WriteBatch): Promise<WriteResult>;
  /**
   * Returns the known ones of these sessions: those that are or were in the memory, are skipped, or lost something on purpose.
   */
  heldSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  /** Tells whether one of these turns was forgotten, or begins like one that was. */
  areForgotten(turns: readonly Turn[]): Promise<boolean>;
  /** Returns the fate of each turn in an import. */
  fates(turns: readonly Turn[], foreignOrigin: string): Promise<ImportDecision[]>;
  /** Lists the paths of sources that an older version of the reader has read, in the order of their first read. */
  sourcesReadBefore(version: number): Promise<string[]>;
  /** Records that this version of the reader finds nothing more in a source. */
  setReaderVersion(path: string, version: number): Promise<void>;
  /** Counts the chunks that wait for a vector of the model (by default, the active one). */
  pendingCount(modelId?: string): Promise<number>;
  /** Returns the progress of the vectors of a model (by default, the active one). */
  vectorsReady(modelId?: string): Promise<VectorsReady>;
  /** Tells whether a chunk or a resource waits for a vector of the active model, or an access pattern is outdated. */
  hasPendingVectors(): Promise<boolean>;
  /** Returns chunks that wait for a vector of the model (by default, the active one), the most useful first. */
  pendingChunks(limit: number, modelId?: string): Promise<PendingChunk[]>;
  /** Returns chunks that wait for a vector of the active model, the latest stored first. */
  latestPending(limit: number): Promise<PendingChunk[]>;
  /** Stores vectors. Skips chunks that are gone. Other chunks with the same text get the vector, too. */
  saveVectors(vectors: readonly { chunkId: number; vector: Float32Array }[], modelId?: string): Promise<void>;
  /** Returns resources of sessions without an embedding of the model (by default, the active one). */
  pendingResources(limit: number, modelId?: string): Promise<string[]>;
  saveResources(
    resources: readonly { resource: string; vector: Float32Array }[],
    modelId?: string,
  ): Promise<void>;
  /** Recomputes the access patterns of sessions whose resources changed since the last call. */
  refreshAccessPatterns(): Promise<void>;
}

export interface ActiveModel {
  id: number;
  name: string;
  dimensions: number;
}

/** Throws if a vector does not have the model's dimensions. */
export function checkDimensions(model: ActiveModel, vector: Float32Array): void {
  if (vector.length === model.dimensions) return;
  throw new MementorError(
    "model_invalid",
    `a vector has ${vector.length} dimensions, but ${model.name} has ${model.dimensions}`,
  );
}
