import type { Turn, WindowType } from "../domain.ts";
import type { Filter } from "../filter/filter.ts";
import type { PathFilter } from "../filter/path.ts";
import type {
  Activity,
  ClientCount,
  CommitSummary,
  FileSummary,
  FileTouch,
  LaterCall,
  Page,
  PrSummary,
  RecallCounts,
  ReportRows,
  SessionSummary,
  StoredHookCall,
  TranscriptPlace,
  TurnFailures,
  TurnOutcome,
  TurnSummary,
  VectorOf,
} from "./browse/types.ts";
import type { ExportedSession, ExportedTurn, ForeignFate } from "./export/types.ts";
import type { ForgetPlan, ForgetPreview, ForgetSelection, PruneRequest } from "./forget/types.ts";
import type { AnswerQuery, HookAnswerRow, HookCallEntry } from "./journal/types.ts";
import type { AnswerMark, AnswerMarkKind, BadMark, MarkKind, TurnMark, TurnMarkKind } from "./marks/types.ts";
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
  /**
   * Returns which of these entries are indexed, by `uuid`. A forgotten entry is in turn 0 of no session. Imported
   * entries do not count.
   */
  knownEntries(uuids: readonly string[]): Promise<Map<string, KnownEntry>>;
  write(batch: WriteBatch): Promise<WriteResult>;
  /** Paths of sources that an older version of the reader has read, in the order of their first read. */
  sourcesReadBefore(version: number): Promise<string[]>;
  /** Records that this version of the reader finds nothing more in a source. */
  setReaderVersion(path: string, version: number): Promise<void>;
  /** Number of chunks without a vector of the model (by default, the active one). */
  pendingCount(modelId?: string): Promise<number>;
  /** Whether a chunk or a resource has no vector of the active model, or an access pattern is out of date. */
  hasPendingVectors(): Promise<boolean>;
  /** Chunks without a vector of the model (by default, the active one), newest turns first. */
  pendingChunks(limit: number, modelId?: string): Promise<PendingChunk[]>;
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

/** What the search needs. Every method applies the whole filter before it applies `limit`. */
export interface SearchStore {
  /** Finds nothing if `isLate` returns true during the scan. */
  nearestChunks(
    query: Float32Array,
    limit: number,
    filter?: Filter,
    isLate?: () => boolean,
  ): Promise<ChunkHit[]>;
  /**
   * Distance of the nearest of the few chunks that look nearest by the signs of their vectors: cheaper than
   * `nearestChunks`, and rarely larger than the true minimum. Null without vectors.
   */
  nearestDistance(query: Float32Array, filter?: Filter): Promise<number | null>;
  /** Distances of the query to a sample of all chunks, for the gate. */
  sampleDistances(query: Float32Array, sample: number): Promise<number[]>;
  /**
   * `terms` are those of `keywordTerms` in `text/`. A term with a space is a phrase. In a large memory, the most
   * common of many terms are ignored.
   */
  keywordChunks(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  keywordTurns(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  /** The best chunk of each of these turns that has a vector. Gives candidates that were found otherwise a distance. */
  turnDistances(query: Float32Array, turnIds: readonly number[]): Promise<ChunkHit[]>;
  /** The cosine distances of these chunks, nearest first. Leaves out chunks without a vector. */
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
  /**
   * Files and URLs that the session touched, newest first. Those of imported turns and of the turns in `except` do not
   * count.
   */
  recentResources(
    sessionId: string,
    limits: { files: number; urls: number; except?: ReadonlySet<number> },
  ): Promise<{ files: string[]; urls: string[] }>;
  turns(turnIds: readonly number[]): Promise<StoredTurn[]>;
  /** In order of turn and position. Leaves out ids that do not exist. */
  chunks(chunkIds: readonly number[]): Promise<StoredChunk[]>;
  totals(): Promise<Totals>;
  /** Id of the model whose vectors are searched; null before the first. */
  modelId(): Promise<string | null>;
}

/** Records of what was recalled for Claude, and of what hooks decided. */
export interface JournalStore {
  /** Turns that were recalled in this session since its last compaction. */
  injectedTurns(sessionId: string): Promise<Set<number>>;
  /** The subjects of such injections, such as files, since the session's last compaction. */
  injectedSubjects(sessionId: string, event: string): Promise<Set<string>>;
  /**
   * Turns that were told to a prompt in each of the last three other sessions, and neither shown nor followed by work on
   * their files.
   */
  toldInVain(sessionId: string): Promise<Set<number>>;
  recordInjection(entry: {
    sessionId: string;
    event: string;
    turnIds: readonly number[];
    time: string;
    subject?: string;
  }): Promise<void>;
  recordHookCall(call: HookCallEntry): Promise<void>;
  /** Answers of hooks, the latest first. Leaves out hooks that only queue work. */
  answers(options: AnswerQuery): Promise<HookAnswerRow[]>;
  /** Records that a compaction is about to happen. It counts once it is confirmed or appears in the transcript. */
  announceCompaction(compaction: { sessionId: string; trigger: string | null; time: string }): Promise<void>;
  confirmCompaction(sessionId: string): Promise<void>;
}

/** What a person said of turns and of answers. Marks of a turn go with the turn. */
export interface MarkStore {
  /** Marks a turn. Returns false when it has this mark already. */
  mark(turnId: number, kind: TurnMarkKind): Promise<boolean>;
  /** Returns false when the turn does not have this mark. */
  unmark(turnId: number, kind: TurnMarkKind): Promise<boolean>;
  /** Marks turns of an answer. A later mark replaces an earlier one. */
  markAnswer(answerId: number, turnIds: readonly number[], kind: AnswerMarkKind): Promise<void>;
  /** Returns the number of marks that were removed. */
  unmarkAnswer(answerId: number, turnIds: readonly number[], kind: AnswerMarkKind): Promise<number>;
  /** Stores the vector of a marked answer's prompt, of the active model. */
  savePromptVector(answerId: number, vector: Float32Array): Promise<void>;
  /** The latest first. */
  turnMarks(): Promise<TurnMark[]>;
  /** The latest first. */
  answerMarks(): Promise<AnswerMark[]>;
  /** The kinds of marks that a turn has. */
  marksOf(turnId: number): Promise<MarkKind[]>;
  /** Turns that no hook tells: those that a person muted, and those that the user took back in the agent. */
  muted(): Promise<Set<number>>;
  /** Turns that are not told for some prompts or files, the latest marks first. */
  bad(): Promise<BadMark[]>;
}

/** Models and their vectors. One model is active while the vectors of another are added. */
export interface ModelStore {
  active(): Promise<{ id: string; dimensions: number } | null>;
  list(): Promise<StoredModel[]>;
  /** Adds a model. Every chunk then lacks a vector of it. The first model becomes the active one. */
  add(model: { id: string; dimensions: number }): Promise<void>;
  activate(id: string): Promise<void>;
  /** The model that becomes active when its vectors are complete. */
  next(): Promise<{ id: string; dimensions: number } | null>;
  /** Makes this the next model. For the active model, clears the next one. */
  prepare(model: { id: string; dimensions: number }): Promise<void>;
  /** If no vector is missing, computes the model's access patterns and makes it active, in one transaction. */
  switchTo(id: string): Promise<SwitchOutcome>;
  /** Removes a model that is not active, and its vectors. */
  remove(id: string): Promise<void>;
}

/** Lists and details without a query. Reads only indexes and the rows to show. */
export interface BrowseStore {
  /** Sessions with turns, the latest first, and the total number that match. */
  sessions(filter: Filter, page: Page): Promise<{ sessions: SessionSummary[]; total: number }>;
  /**
   * The session with this id, or whose id alone starts with it. Null when there is none. Rejects with `usage` when
   * several ids start with it.
   */
  session(idOrPrefix: string): Promise<SessionSummary | null>;
  /** In the order asked for; ids that do not exist are left out. */
  summaries(sessionIds: readonly string[]): Promise<SessionSummary[]>;
  /**
   * The session's turns and those of its subagents, in order of time. Includes turns that resume or fork copied into
   * it, under the session that stores them.
   */
  turnsOf(sessionId: string, filter?: Filter): Promise<TurnSummary[]>;
  /** Up to `count` turns before and after a turn in its conversation, in order of time. */
  neighbours(turnId: number, count: number): Promise<{ before: StoredTurn[]; after: StoredTurn[] }>;
  transcriptPlace(turnId: number): Promise<TranscriptPlace | null>;
  /**
   * The files with the most touches, of the whole project, below a directory, or of these paths. Leaves out web
   * addresses. With a filter, only the touches of matching turns count.
   */
  files(options: {
    limit: number;
    below?: string;
    paths?: readonly string[];
    filter?: Filter;
  }): Promise<FileSummary[]>;
  /**
   * Stored paths: the first known one of `exact`, or else all that end in `suffix` (whole path segments), those with
   * the most touches first. Without `suffix`, only `exact` matches.
   */
  findPaths(path: Pick<PathFilter, "exact" | "suffix">): Promise<string[]>;
  /** Turns that touched this stored path: those that changed the file first, newest first. */
  fileHistory(
    path: string,
    options: { limit: number; exceptSessionId?: string; filter?: Filter },
  ): Promise<FileTouch[]>;
  /** What failed in those of the turns whose text has errors, in the order asked for. */
  failures(turnIds: readonly number[]): Promise<TurnFailures[]>;
  /**
   * Turns after this one that made the call with this summary, in order of time: of its session, and of `turnIds`.
   * `failed` says whether the call failed there.
   */
  laterCalls(turnId: number, call: string, turnIds: readonly number[]): Promise<LaterCall[]>;
  /** The latest first, each with its matching sessions. */
  prs(options: { limit: number; prNumber?: number; filter?: Filter }): Promise<PrSummary[]>;
  /** The latest first; `hash` may be abbreviated to four digits or more. */
  commits(options: { limit: number; hash?: string; filter?: Filter }): Promise<CommitSummary[]>;
  /** The latest matching turns, newest first. Of main conversations only, unless the filter names a subagent. */
  recent(limit: number, filter: Filter): Promise<TurnSummary[]>;
  /** How many rows a list would have without its limit: `files` below a directory, `touches` of these paths. */
  count(
    what: "turns" | "files" | "touches" | "commits" | "prs",
    options?: { filter?: Filter; below?: string; paths?: readonly string[] },
  ): Promise<number>;
  /** The branches that turns were made on, the latest first. */
  branches(): Promise<string[]>;
  /** The start times of matching turns and of their sessions. */
  activity(filter: Filter): Promise<Activity>;
  /** With which coding agents the turns that fit were made, the busiest first. */
  clients(filter: Filter): Promise<ClientCount[]>;
  recalls(range: Pick<Filter, "since" | "until">): Promise<RecallCounts>;
  /**
   * The matching sessions with their files, commits and pull requests. Hourly counts only for the `busiest` files
   * with the most touches.
   */
  report(filter: Filter, busiest: number): Promise<ReportRows>;
  /** Mean vector of a turn, a session, or the turns that touched a path; null without vectors. */
  meanVector(of: VectorOf): Promise<Float32Array | null>;
  /** The embedding of a path or web address; null when it has none. */
  resourceVector(resource: string): Promise<Float32Array | null>;
  /** The session of each turn. */
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
  /** Lines that were read but not indexed, by kind. */
  skippedLines(): Promise<Record<string, number>>;
  /** Newest first. */
  lastHookCalls(limit: number): Promise<StoredHookCall[]>;
  /** The latest hook call that told something; null before the first. */
  lastTold(): Promise<StoredHookCall | null>;
}

/** Removes data on purpose, so that no later ingest or import restores it. The caller holds the ingest lock. */
export interface ForgetStore {
  plan(selection: ForgetSelection): Promise<ForgetPlan>;
  /** Plans to remove the oldest turns until the limits hold. Sizes are estimates. */
  planPrune(request: PruneRequest): Promise<ForgetPlan>;
  /** Names of the memories that turns were imported from. */
  origins(): Promise<string[]>;
  preview(plan: ForgetPlan, isPrune?: boolean): Promise<ForgetPreview>;
  /** Removes what the plan names and everything derived from it. Returns the number of removed turns. */
  forget(plan: ForgetPlan): Promise<number>;
  /** Like `forget`, for a prune: keeps summaries, and the titles of sessions that keep turns. */
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
  /** Records how many secrets a look found and left; removed once all is clean. */
  noteFound(count: number): Promise<void>;
  lastFound(): Promise<number>;
}

/** What an export and an import read. */
export interface ExportStore {
  /** Sessions with matching turns, the oldest first. */
  sessionIds(filter: Filter): Promise<string[]>;
  session(sessionId: string): Promise<ExportedSession | null>;
  /** The session's matching turns, in order of time. */
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
  readonly marks: MarkStore;
  readonly models: ModelStore;
  readonly forget: ForgetStore;
  readonly secrets: SecretStore;
  readonly exports: ExportStore;
  readonly browse: BrowseStore;
  readonly status: StatusStore;
  close(): Promise<void>;
}
