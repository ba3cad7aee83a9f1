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

/** How far a transcript was read. */
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
  /** Lines without content to index, or that could not be read, by kind. */
  skipped: Record<string, number>;
  /** Ids of sessions that are skipped because they work in an excluded project. */
  leftOut: readonly string[];
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
  /** True for what the user writes just now: it is stored, also where the same words were forgotten before. */
  isWrittenNow?: boolean;
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
  rank: VectorRank;
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

export interface StoredTurn extends TurnFacts, TurnText, Origin {
  turnId: number;
  /** Id of the coding agent of its session. */
  client: string;
  origin: string;
  toolSummary: string[];
  sessionTitle: string | null;
  /** True where only the prompt is left of it; absent otherwise. */
  promptOnly?: true;
}

export interface StoredChunk extends Chunk {
  chunkId: number;
  turnId: number;
}

/** Where a session worked. */
export interface SessionPlace {
  sessionId: string;
  /** Its transcript. */
  path: string;
  /** Working directories of its turns. */
  directories: readonly string[];
}

/** What a memory or a part of it holds. A note of the user is stored like a session with one turn, but counts as neither. */
export interface Held {
  sessions: number;
  /** Turns of sessions. */
  turns: number;
  notes: number;
}

export interface Totals extends Held {
  chunks: number;
  pendingChunks: number;
}

/** How many chunks wait for a vector of those that are to have one: of turns' first passages and outcomes, and of the rest. */
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

/** `pending`: vectors are missing. `cancelled`: it is no longer the next model. */
export type SwitchOutcome = "switched" | "pending" | "cancelled";

/** A session as it is carried elsewhere. */
export interface ExportedSession extends Pick<WriteBatch, "subagents" | "prLinks" | "compactions"> {
  facts: SessionFacts;
}

/** A turn as it is exported. A line index of -1 means that its transcript no longer held it. */
export interface ExportedTurn extends Turn, Omit<Origin, "device"> {
  turnId: number;
  /** Whether it is muted or pinned, and since when. */
  marks: Pick<PromptMark, "kind" | "time">[];
}

/**
 * What becomes of a turn that comes from elsewhere. `own`: it was ingested here already; `known`: it was imported
 * already; `update`: an older version of it was imported; `forgotten`: it was removed on purpose.
 */
export type ForeignFate = "new" | "update" | "known" | "own" | "forgotten";

/** What an ingest reads and writes. The caller holds the ingest lock. */
export interface IngestStore {
  source(path: string): Promise<SourceState | null>;
  /**
   * The turns that these entries are in, by `uuid` of the entry. Unknown and imported entries are left out. A forgotten
   * entry is in a turn with the id 0 and an empty session id.
   */
  knownEntries(uuids: readonly string[]): Promise<Map<string, KnownEntry>>;
  write(batch: WriteBatch): Promise<WriteResult>;
  /**
   * Which of these sessions the memory knows: it holds or held them, it leaves them out, or something of them was
   * removed.
   */
  heldSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  /** Whether one of these turns was forgotten, or begins like one that was. */
  areForgotten(turns: readonly Turn[]): Promise<boolean>;
  /** Lets these turns in that were kept out since an import was undone. What was forgotten in another way stays so. */
  letInAgain(arriving: Pick<WriteBatch, "turns" | "sessions" | "subagents" | "prLinks">): Promise<void>;
  /** What becomes of each of these turns when it is imported. */
  fates(turns: readonly Turn[], foreignOrigin: string): Promise<ForeignFate[]>;
  /** Paths of sources that an older version of the reader has read, in the order of their first read. */
  sourcesReadBefore(version: number): Promise<string[]>;
  /** Records that this version of the reader finds nothing more in a source. */
  setReaderVersion(path: string, version: number): Promise<void>;
  /** Number of chunks that wait for a vector of the model (by default, the active one). */
  pendingCount(modelId?: string): Promise<number>;
  /** How far the vectors of a model are (by default, of the active one). */
  vectorsReady(modelId?: string): Promise<VectorsReady>;
  /** Whether a chunk or a resource waits for a vector of the active model, or an access pattern is out of date. */
  hasPendingVectors(): Promise<boolean>;
  /** Chunks that wait for a vector of the model (by default, the active one), in the order in which they are of use. */
  pendingChunks(limit: number, modelId?: string): Promise<PendingChunk[]>;
  /** Chunks that wait for a vector of the active model, those that were stored last first. */
  latestPending(limit: number): Promise<PendingChunk[]>;
  /** Skips chunks that are gone. Other chunks with the same text get the vector too. */
  saveVectors(vectors: readonly { chunkId: number; vector: Float32Array }[], modelId?: string): Promise<void>;
  /** Resources of sessions without an embedding of the model (by default, the active one). */
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

/** Rejects a vector that does not belong to the model's space. */
export function checkDimensions(model: ActiveModel, vector: Float32Array): void {
  if (vector.length === model.dimensions) return;
  throw new MementorError(
    "model_invalid",
    `a vector of ${vector.length} dimensions is not one of ${model.name}, which has ${model.dimensions}`,
  );
}
