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
  WindowType,
} from "../domain.ts";
import type { BrowseStore } from "./browse/browse.ts";
import type { StatusStore } from "./browse/status-store.ts";
import type { ExportStore } from "./export/export.ts";
import type { ForgetStore } from "./forget/forget.ts";
import type { ChunkDistance } from "./vectors/vectors.ts";

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
  /** Opaque to the store: what the reader needs to go on (JSON). */
  readerState: string | null;
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

/** Narrows candidates inside the search, so that a filter never costs results. Times are ISO 8601. */
export interface SearchFilter {
  sessionId?: string;
  branch?: string;
  since?: string;
  until?: string;
  role?: TurnRole;
  agentId?: string;
  /** Exact path, or a suffix of whole path segments. */
  filePath?: string;
  prNumber?: number;
  commit?: string;
  /** Turns that Claude still sees: left out. */
  inContext?: { sessionId: string };
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

export interface StoredTurn {
  turnId: number;
  sessionId: string;
  agentId: string | null;
  lineIndex: number;
  provisional: boolean;
  role: TurnRole;
  origin: string;
  fullText: string;
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

/** What the ingest needs. The caller holds the ingest lock. */
export interface IngestStore {
  source(path: string): Promise<SourceState | null>;
  /** Which of these entries are indexed already, by `uuid`; those that were forgotten are in turn 0 of no session, and what was imported does not count. */
  knownEntries(uuids: readonly string[]): Promise<Map<string, KnownEntry>>;
  write(batch: WriteBatch): Promise<WriteResult>;
  /** How many chunks have no vector of the model (the active one when not named). */
  pendingCount(modelId?: string): Promise<number>;
  /** Whether a chunk or a resource has no vector of the active model, or an access pattern is out of date. */
  hasPendingVectors(): Promise<boolean>;
  /** Chunks without a vector of the model (the active one when not named), newest turns first. */
  pendingChunks(limit: number, modelId?: string): Promise<PendingChunk[]>;
  /** Chunks that are gone are passed over; others of the same text get the vector too. */
  saveVectors(vectors: readonly { chunkId: number; vector: Float32Array }[], modelId?: string): Promise<void>;
  /** Resources of sessions that were mentioned and have no embedding of the model (the active one when not named). */
  pendingResources(limit: number, modelId?: string): Promise<string[]>;
  saveResources(
    resources: readonly { resource: string; vector: Float32Array }[],
    modelId?: string,
  ): Promise<void>;
  /** Recomputes the access patterns of sessions whose resources changed since the last call (seed 002). */
  refreshAccessPatterns(): Promise<void>;
}

/** What the search needs. Every method applies the whole filter before it counts to `limit`. */
export interface SearchStore {
  nearestChunks(query: Float32Array, limit: number, filter?: SearchFilter): Promise<ChunkHit[]>;
  /** Distances of the query to a sample of all chunks, for the gate. */
  sampleDistances(query: Float32Array, sample: number): Promise<number[]>;
  /**
   * Terms are as `keywordTerms` of `text/` makes them; one with spaces is a phrase. In a large memory the most common
   * of many terms do not count.
   */
  keywordChunks(terms: readonly string[], limit: number, filter?: SearchFilter): Promise<KeywordHit[]>;
  keywordTurns(terms: readonly string[], limit: number, filter?: SearchFilter): Promise<KeywordHit[]>;
  /** The best chunk of each of these turns that has a vector: candidates found otherwise get their distance here. */
  turnDistances(query: Float32Array, turnIds: readonly number[]): Promise<ChunkHit[]>;
  /** The cosine distances of those of the chunks that have a vector, nearest first. */
  chunkDistances(query: Float32Array, chunkIds: readonly number[]): Promise<ChunkDistance[]>;
  /** Ids of the turns that hold a term, for terms that at most `most` turns hold; the others are left out. */
  termTurns(terms: readonly string[], most: number): Promise<Map<string, number[]>>;
  /** In how many turns each term occurs. */
  documentFrequencies(terms: readonly string[]): Promise<Map<string, number>>;
  /** Turns that touched one of these paths: exact, by suffix, or (for bare names) by file name. */
  turnsByFile(hints: readonly string[], limit: number, filter?: SearchFilter): Promise<TurnHit[]>;
  turnsByCommit(hashes: readonly string[], limit: number, filter?: SearchFilter): Promise<TurnHit[]>;
  turnsByPr(numbers: readonly number[], limit: number, filter?: SearchFilter): Promise<TurnHit[]>;
  accessPattern(sessionId: string, window: WindowType): Promise<Float32Array | null>;
  nearestSessions(
    centroid: Float32Array,
    limit: number,
    exceptSessionId: string,
  ): Promise<{ sessionId: string; distance: number }[]>;
  /** Files (no URLs) and URLs that the session touched, newest first (seed 003). */
  recentResources(
    sessionId: string,
    limits: { files: number; urls: number },
  ): Promise<{ files: string[]; urls: string[] }>;
  turns(turnIds: readonly number[]): Promise<StoredTurn[]>;
  /** Turn by turn, in their order there; ids that do not exist are left out. */
  chunks(chunkIds: readonly number[]): Promise<StoredChunk[]>;
  totals(): Promise<Totals>;
}

/** What was told to Claude, and what hooks decided. */
export interface JournalStore {
  /** Turns told to this session since its last compaction. */
  injectedTurns(sessionId: string): Promise<Set<number>>;
  /** What such injections were about (e.g. files) since the session's last compaction. */
  injectedSubjects(sessionId: string, event: string): Promise<Set<string>>;
  recordInjection(entry: {
    sessionId: string;
    event: string;
    turnIds: readonly number[];
    time: string;
    subject?: string;
  }): Promise<void>;
  recordHookCall(call: {
    sessionId: string | null;
    event: string;
    decision: string;
    durationMs: number;
    time: string;
  }): Promise<void>;
  /** Remembers that a compaction is about to happen; it counts once it is confirmed, or in the transcript. */
  announceCompaction(compaction: { sessionId: string; trigger: string | null; time: string }): Promise<void>;
  confirmCompaction(sessionId: string): Promise<void>;
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

/** Whose vectors there are. One model serves while the vectors of another are filled in. */
export interface ModelStore {
  active(): Promise<{ id: string; dimensions: number } | null>;
  list(): Promise<StoredModel[]>;
  /** Makes every chunk wait for a vector of this model; the first model becomes the active one. */
  add(model: { id: string; dimensions: number }): Promise<void>;
  activate(id: string): Promise<void>;
  /** The model that takes over once its vectors are complete. */
  next(): Promise<{ id: string; dimensions: number } | null>;
  /** Makes this the next model; for the active one: it stays, and there is no next one. */
  prepare(model: { id: string; dimensions: number }): Promise<void>;
  /** In one transaction: where nothing is missing, the next model's access patterns are made and it becomes active. */
  switchTo(id: string): Promise<SwitchOutcome>;
  /** Drops a model that is not active, with its vectors. */
  remove(id: string): Promise<void>;
}

/** A memory's database. One process may hold several; methods reject with `MementorError`. */
export interface Store {
  readonly ingest: IngestStore;
  readonly search: SearchStore;
  readonly journal: JournalStore;
  readonly models: ModelStore;
  readonly forget: ForgetStore;
  readonly exports: ExportStore;
  readonly browse: BrowseStore;
  readonly status: StatusStore;
  close(): Promise<void>;
}
