import type { Turn } from "../../domain.ts";
import type { ForeignFate } from "./types/export.ts";
import type {
  KnownEntry,
  PendingChunk,
  SourceState,
  VectorsReady,
  WriteBatch,
  WriteResult,
} from "./types/stored.ts";

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
