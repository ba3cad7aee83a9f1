import type { Turn, WindowType } from "../domain.ts";
import type { Filter } from "../filter/filter.ts";
import type { PathFilter } from "../filter/path.ts";
import type {
  Activity,
  ClientCount,
  CommitSummary,
  FileSummary,
  FileTouch,
  Page,
  PrSummary,
  RecallCounts,
  ReportRows,
  SessionSummary,
  StoredHookCall,
  TranscriptPlace,
  TurnOutcome,
  TurnSummary,
  VectorOf,
} from "./browse/types.ts";
import type { ExportedSession, ExportedTurn, ForeignFate } from "./export/types.ts";
import type { ForgetPlan, ForgetPreview, ForgetSelection, PruneRequest } from "./forget/types.ts";
import type { AnswerQuery, HookAnswerRow, HookCallEntry } from "./journal/types.ts";
import type { CleanStep, ScanStep } from "./secrets/types.ts";
import type {
  ChunkDistance,
  ChunkHit,
  KeywordHit,
  KnownEntry,
  PendingChunk,
  SourceState,
  StoredChunk,
  StoredModel,
  StoredTurn,
  SwitchOutcome,
  Totals,
  TurnHit,
  WriteBatch,
  WriteResult,
} from "./types.ts";

/** What the ingest needs. The caller holds the ingest lock. */
export interface IngestStore {
  source(path: string): Promise<SourceState | null>;
  /** Which of these entries are indexed already, by `uuid`; those that were forgotten are in turn 0 of no session, and what was imported does not count. */
  knownEntries(uuids: readonly string[]): Promise<Map<string, KnownEntry>>;
  write(batch: WriteBatch): Promise<WriteResult>;
  /** Paths of sources that an older version of the reader read, in the order in which they were first read. */
  sourcesReadBefore(version: number): Promise<string[]>;
  /** Notes that there is nothing more to read from a source for this version of the reader. */
  setReaderVersion(path: string, version: number): Promise<void>;
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
  /** Recomputes the access patterns of sessions whose resources changed since the last call. */
  refreshAccessPatterns(): Promise<void>;
}

/** What the search needs. Every method applies the whole filter before it counts to `limit`. */
export interface SearchStore {
  /** Finds nothing when `isLate`, which is asked between the steps of a long scan, returns true before its end. */
  nearestChunks(
    query: Float32Array,
    limit: number,
    filter?: Filter,
    isLate?: () => boolean,
  ): Promise<ChunkHit[]>;
  /** Distances of the query to a sample of all chunks, for the gate. */
  sampleDistances(query: Float32Array, sample: number): Promise<number[]>;
  /**
   * Terms are as `keywordTerms` of `text/` makes them; one with spaces is a phrase. In a large memory the most common
   * of many terms do not count.
   */
  keywordChunks(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  keywordTurns(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  /** The best chunk of each of these turns that has a vector: candidates found otherwise get their distance here. */
  turnDistances(query: Float32Array, turnIds: readonly number[]): Promise<ChunkHit[]>;
  /** The cosine distances of those of the chunks that have a vector, nearest first. */
  chunkDistances(query: Float32Array, chunkIds: readonly number[]): Promise<ChunkDistance[]>;
  /** Ids of the turns that contain each term. Leaves out terms that more than `maxTurns` turns contain. */
  termTurns(terms: readonly string[], maxTurns: number): Promise<Map<string, number[]>>;
  /** Turns that touched one of these paths: exact, by suffix, or (for bare names) by file name. */
  turnsByFile(hints: readonly string[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  turnsByCommit(hashes: readonly string[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  turnsByPr(numbers: readonly number[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  accessPattern(sessionId: string, window: WindowType): Promise<Float32Array | null>;
  nearestSessions(
    centroid: Float32Array,
    limit: number,
    exceptSessionId: string,
    filter?: Filter,
  ): Promise<{ sessionId: string; distance: number }[]>;
  /** Files (no URLs) and URLs that the session touched, newest first; those of imported turns do not count. */
  recentResources(
    sessionId: string,
    limits: { files: number; urls: number },
  ): Promise<{ files: string[]; urls: string[] }>;
  turns(turnIds: readonly number[]): Promise<StoredTurn[]>;
  /** Turn by turn, in their order there; ids that do not exist are left out. */
  chunks(chunkIds: readonly number[]): Promise<StoredChunk[]>;
  totals(): Promise<Totals>;
  /** Id of the model whose vectors are searched; null before the first. */
  modelId(): Promise<string | null>;
}

/** What was recalled for Claude, and what hooks decided. */
export interface JournalStore {
  /** Turns that were recalled in this session since its last compaction. */
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
  recordHookCall(call: HookCallEntry): Promise<void>;
  /** Answers of hooks, the latest first; hooks that only note work are left out. */
  answers(options: AnswerQuery): Promise<HookAnswerRow[]>;
  /** Remembers that a compaction is about to happen; it counts once it is confirmed, or in the transcript. */
  announceCompaction(compaction: { sessionId: string; trigger: string | null; time: string }): Promise<void>;
  confirmCompaction(sessionId: string): Promise<void>;
}

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

/** Lists and details without a query. Reads only indexes and the rows to show. */
export interface BrowseStore {
  /** Sessions that have turns, the latest first, with how many fit in all. */
  sessions(filter: Filter, page: Page): Promise<{ sessions: SessionSummary[]; total: number }>;
  /** The session of this id or unique start of one; null when there is none, rejects with `usage` when several fit. */
  session(idOrPrefix: string): Promise<SessionSummary | null>;
  /** In the order asked for; ids that do not exist are left out. */
  summaries(sessionIds: readonly string[]): Promise<SessionSummary[]>;
  /**
   * The session's turns with those of its subagents, in order of time. Those that resume or fork copied into it are
   * among them, under the session that they are kept in.
   */
  turnsOf(sessionId: string, filter?: Filter): Promise<TurnSummary[]>;
  /** Up to `count` turns before and after one in its own conversation, in order of time. */
  neighbours(turnId: number, count: number): Promise<{ before: StoredTurn[]; after: StoredTurn[] }>;
  transcriptPlace(turnId: number): Promise<TranscriptPlace | null>;
  /**
   * The busiest files, of the whole project, below a directory, or of these paths; web addresses are left out. With a
   * filter only the touches of turns that fit count.
   */
  files(options: {
    limit: number;
    below?: string;
    paths?: readonly string[];
    filter?: Filter;
  }): Promise<FileSummary[]>;
  /**
   * Paths as they are stored: the first of `exact` that is known, or else all that end in `suffix` (whole path
   * segments), the most touched first. A path without a suffix matches only exactly.
   */
  findPaths(path: Pick<PathFilter, "exact" | "suffix">): Promise<string[]>;
  /** Turns that touched this path (as it is stored): those that changed the file first, newer before older. */
  fileHistory(
    path: string,
    options: { limit: number; exceptSessionId?: string; filter?: Filter },
  ): Promise<FileTouch[]>;
  /** The latest first, with those of their sessions that fit. */
  prs(options: { limit: number; prNumber?: number; filter?: Filter }): Promise<PrSummary[]>;
  /** The latest first; `hash` may be abbreviated to four digits or more. */
  commits(options: { limit: number; hash?: string; filter?: Filter }): Promise<CommitSummary[]>;
  /** The latest turns that fit, newest first: of main conversations, unless the filter names a subagent. */
  recent(limit: number, filter: Filter): Promise<TurnSummary[]>;
  /** When the turns that fit and their sessions began. */
  activity(filter: Filter): Promise<Activity>;
  /** With which coding agents the turns that fit were made, the busiest first. */
  clients(filter: Filter): Promise<ClientCount[]>;
  recalls(range: Pick<Filter, "since" | "until">): Promise<RecallCounts>;
  /** The sessions that fit with what they touched and made; hourly counts only for the `busiest` files with the most touches. */
  report(filter: Filter, busiest: number): Promise<ReportRows>;
  /** Mean of the vectors of what a turn, a session or the turns that touched a path say; null without any. */
  meanVector(of: VectorOf): Promise<Float32Array | null>;
  /** The embedding of a path or web address; null when it has none. */
  resourceVector(resource: string): Promise<Float32Array | null>;
  /** Which session each turn belongs to. */
  sessionsOfTurns(turnIds: readonly number[]): Promise<Map<number, string>>;
  /** How many files each of these turns touched, and the commits it made. */
  outcomes(turnIds: readonly number[]): Promise<Map<number, TurnOutcome>>;
  /** Files that a session or a turn touched, without web addresses. */
  filesOf(of: { turnId: number } | { sessionId: string }): Promise<string[]>;
}

/** Facts about the database itself. */
export interface StatusStore {
  /** When a transcript was last read, ISO 8601; null before the first. */
  lastIngest(): Promise<string | null>;
  /** Lines that were read and not indexed, by kind. */
  skippedLines(): Promise<Record<string, number>>;
  /** Newest first. */
  lastHookCalls(limit: number): Promise<StoredHookCall[]>;
}

/** What goes on purpose, and does not come back with a later ingest or import. The caller holds the ingest lock. */
export interface ForgetStore {
  plan(selection: ForgetSelection): Promise<ForgetPlan>;
  /** The oldest turns until the limits hold; sizes are estimated. */
  planPrune(request: PruneRequest): Promise<ForgetPlan>;
  preview(plan: ForgetPlan, isPrune?: boolean): Promise<ForgetPreview>;
  /** Removes what the plan names and all that came from it; returns how many turns there were. */
  forget(plan: ForgetPlan): Promise<number>;
  /** The same for a prune: titles of sessions that keep turns stay, as do the summaries. */
  prune(plan: ForgetPlan): Promise<number>;
}

/** Secrets that an older version let through. The caller of `clean` holds the ingest lock. */
export interface SecretStore {
  /** Looks for secrets with today's rules, a limited number of turns per step. The first step has `after` 0. */
  find(after: number): Promise<ScanStep>;
  /** Removes what such a step finds, in one transaction. Ids of turns stay; a file may hold the bytes until it is rewritten. */
  clean(after: number): Promise<CleanStep>;
  /** Where to continue cleaning with today's rules; null when the whole memory is clean. */
  due(): Promise<number | null>;
}

/** What an export reads, and an import asks. */
export interface ExportStore {
  /** Sessions with turns that fit, the oldest first. */
  sessionIds(filter: Filter): Promise<string[]>;
  session(sessionId: string): Promise<ExportedSession | null>;
  /** The session's turns that fit, in order of time. */
  turnIds(sessionId: string, filter: Filter): Promise<number[]>;
  /** In the order asked for. */
  turns(turnIds: readonly number[]): Promise<ExportedTurn[]>;
  fates(turns: readonly Turn[], foreignOrigin: string): Promise<ForeignFate[]>;
}

/** A memory's database. One process may hold several; methods reject with `MementorError`. */
export interface Store {
  readonly ingest: IngestStore;
  readonly search: SearchStore;
  readonly journal: JournalStore;
  readonly models: ModelStore;
  readonly forget: ForgetStore;
  readonly secrets: SecretStore;
  readonly exports: ExportStore;
  readonly browse: BrowseStore;
  readonly status: StatusStore;
  close(): Promise<void>;
}
