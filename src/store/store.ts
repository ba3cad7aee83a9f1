import type { WindowType } from "../domain.ts";
import type { BrowseStore, LocalBrowseStore } from "./browse.ts";
import type { Filter } from "./filter.ts";
import type { ForgetPlan, ForgetPreview, ForgetSelection, PruneRequest } from "./forget.ts";
import type { HookCallFacts, JournalStore } from "./journal.ts";
import type { MarkStore, RecallStore } from "./marks.ts";
import type {
  ChunkDistance,
  ChunkHit,
  ExportedSession,
  ExportedTurn,
  IngestStore,
  KeywordHit,
  MemoryTotals,
  SessionPlace,
  StoredChunk,
  StoredModel,
  StoredTurn,
  SwitchOutcome,
  TurnHit,
} from "./stored.ts";

export type { BrowseStore, IngestStore, JournalStore, LocalBrowseStore, MarkStore };

/** Data that both a memory's file and a team's database offer for reading. Methods reject with `MementorError`. */
export interface ReadStore extends AsyncDisposable {
  readonly browse: BrowseStore;
  readonly search: SearchStore;
  readonly exports: ExportStore;
  readonly models: ActiveModelStore;
  /** Additional data of a memory's file; null for a team's database. */
  readonly local: LocalStore | null;
  close(): Promise<void>;
}

/** Data of a memory that never leaves its machine. */
export interface LocalStore {
  readonly browse: LocalBrowseStore;
  readonly search: LocalSearchStore;
  readonly marks: MarkStore;
  readonly recall: RecallStore;
  readonly ingest: IngestStore;
  readonly models: Pick<ModelStore, "active" | "next">;
}

/** Queries for an export. */
export interface ExportStore {
  /** Lists the sessions with matching turns, oldest first. */
  sessionIds(filter: Filter): Promise<string[]>;
  session(sessionId: string): Promise<ExportedSession | null>;
  /** Lists the matching turns of a session, in order of time. */
  turnIds(sessionId: string, filter: Filter): Promise<number[]>;
  /** Returns turns in the given order. */
  turns(turnIds: readonly number[]): Promise<ExportedTurn[]>;
}

/** Removes data on purpose, so that no later ingest or import restores it. The caller holds the ingest lock. */
export interface ForgetStore {
  plan(selection: ForgetSelection): Promise<ForgetPlan>;
  /** Plans to remove the oldest turns until the limits hold. Sizes are estimates. */
  planPrune(request: PruneRequest): Promise<ForgetPlan>;
  /** Lists the memories that turns were imported from. */
  origins(): Promise<string[]>;
  preview(plan: ForgetPlan, isPrune?: boolean): Promise<ForgetPreview>;
  /** Removes the plan's data and everything derived from it. Returns the number of removed turns. */
  forget(plan: ForgetPlan): Promise<number>;
  /** Prunes like `forget`, but keeps summaries, the titles of sessions that keep turns, and the data of other devices. */
  prune(plan: ForgetPlan): Promise<number>;
}

/** The model whose vectors are searched. */
interface ActiveModelStore {
  active(): Promise<{ id: string; dimensions: number } | null>;
}

/** Manages models and their vectors. One model is active while the vectors of another are added. */
export interface ModelStore extends ActiveModelStore {
  list(): Promise<StoredModel[]>;
  /** Adds a model. Every chunk then lacks a vector of it. The first model becomes the active one. */
  add(model: { id: string; dimensions: number }): Promise<void>;
  activate(id: string): Promise<void>;
  /** Returns the model that becomes active when its vectors are complete. */
  next(): Promise<{ id: string; dimensions: number } | null>;
  /** Makes this the next model. For the active model, clears the next one. */
  prepare(model: { id: string; dimensions: number }): Promise<void>;
  /** If no vector is missing, computes the model's access patterns and makes it active, in one transaction. */
  switchTo(id: string): Promise<SwitchOutcome>;
  /** Removes a model that is not active, and its vectors. */
  remove(id: string): Promise<void>;
}

/** Reindexes keywords that an older version indexed differently. */
export interface WordStore {
  /** Returns the turn after which outdated keywords begin; null when there are none. */
  due(): Promise<number | null>;
  /** Reindexes a limited number of turns. `next` is the start of the next step; null at the end. */
  index(after: number): Promise<CleanStep>;
}

/** Finds and removes secrets that an older version let through. The caller of `clean` holds the ingest lock. */
export interface SecretStore {
  /** Searches for secrets with the current rules, a limited number of turns per step. The first step has `after` 0. */
  find(after: number): Promise<ScanStep>;
  /**
   * Removes the secrets of such a step in one transaction. Ids of turns stay; the file may contain the bytes until it is
   * rewritten.
   */
  clean(after: number): Promise<CleanStep>;
  /** Returns the turn after which cleaning with the current rules continues; null when the whole memory is clean. */
  due(): Promise<number | null>;
  /** Records how many secrets a scan found and left. The record is removed once all is clean. */
  noteFound(count: number): Promise<void>;
  lastFound(): Promise<number>;
}

/** Facts about the database itself. */
export interface StatusStore {
  /** Returns the time when a transcript was last read, ISO 8601; null before the first. */
  lastIngest(): Promise<string | null>;
  /** Counts the lines that were read but not indexed, by kind. */
  skippedLines(): Promise<Record<string, number>>;
  /** Lists the sessions from an agent's transcripts, with all their working directories. */
  sessionPlaces(client: string): Promise<SessionPlace[]>;
  /** Lists the latest hook calls, newest first. */
  lastHookCalls(limit: number): Promise<HookCallFacts[]>;
  /** Returns the latest hook call that showed something; null before the first. */
  lastTold(): Promise<HookCallFacts | null>;
}

/** A found secret, without its value. */
export interface FoundSecret {
  /** Null for a secret outside turns' texts. */
  turnId: number | null;
  /** `text`, or the name of the column: `branch`, `title`, `file`, ... */
  place: string;
  /** Kind as in `[redacted:<kind>]`; `private` for a private passage. */
  kind: string;
  /** Length in characters. */
  chars: number;
}

/** Secrets that a scan step found. `next` is the start of the next step; null at the end. */
export interface ScanStep {
  found: FoundSecret[];
  next: number | null;
}

/** Result of a cleaning step. `next` is the start of the next step; null at the end. */
export interface CleanStep {
  /** Number of changed turns and other values. */
  changed: number;
  next: number | null;
}

/** Queries for a search. Every method applies the whole filter before `limit`. */
export interface SearchStore {
  /**
   * Runs the steps of a search, including the turns around a turn. On a server, all steps see one unchanging view in one
   * transaction, so `work` may run more than once.
   */
  snapshot<T>(work: (view: SearchStore, browse: Pick<BrowseStore, "neighbours">) => Promise<T>): Promise<T>;
  nearestChunks(query: Float32Array, limit: number, filter?: Filter): Promise<ChunkHit[]>;
  /** Returns the query's distances to a sample of all chunks, for the gate. */
  sampleDistances(query: Float32Array, sample: number): Promise<number[]>;
  /**
   * Finds chunks by keywords. `terms` come from `keywordTerms` in `text/`; a term with a space is a phrase. In a large memory,
   * the most common of many terms are ignored.
   */
  keywordChunks(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  keywordTurns(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  /** Returns the nearest chunk of each of these turns, for candidates that were not found by vectors. */
  turnDistances(query: Float32Array, turnIds: readonly number[]): Promise<ChunkHit[]>;
  /** Returns the ids of the turns that contain each term. Leaves out terms that more than `maxTurns` turns contain. */
  termTurns(terms: readonly string[], maxTurns: number, filter?: Filter): Promise<Map<string, number[]>>;
  /** Finds turns that touched one of these paths: exact, by suffix, or (for bare names) by file name. */
  turnsByFile(hints: readonly string[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  turnsByCommit(hashes: readonly string[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  turnsByPr(numbers: readonly number[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  /**
   * Finds the turns of sessions whose title contains all of these texts, in any case. Latest session first, its turns in order.
   */
  turnsByTitle(
    texts: readonly string[],
    limit: number,
    filter?: Filter,
  ): Promise<{ turnId: number; title: string }[]>;
  /**
   * Returns turns in the given order. With `chars`, reads at most that many characters of a text, but the parts of the whole: for
   * ranking, because a stranger's turn may have millions of characters.
   */
  turns(turnIds: readonly number[], chars?: number): Promise<StoredTurn[]>;
  /** Returns chunks in order of turn and position. Leaves out unknown ids. */
  chunks(chunkIds: readonly number[]): Promise<StoredChunk[]>;
  /** Counts the matching turns and chunks, and all chunks that wait for vectors. */
  totals(filter?: Filter): Promise<MemoryTotals>;
  /** Returns the id of the model whose vectors are searched; null before the first. */
  modelId(): Promise<string | null>;
}

/** Queries that only a memory's file answers: those of hooks, and those about access patterns. */
export interface LocalSearchStore extends SearchStore {
  /** Finds the nearest chunks. Finds nothing if `isLate` returns true during the scan. */
  nearestChunks(
    query: Float32Array,
    limit: number,
    filter?: Filter,
    isLate?: () => boolean,
  ): Promise<ChunkHit[]>;
  /**
   * Returns the distance of the nearest among the few chunks with the most similar signs. Cheaper than `nearestChunks`, and
   * rarely larger than the true minimum. Null without vectors.
   */
  nearestDistance(query: Float32Array, filter?: Filter): Promise<number | null>;
  /** Returns the cosine distances of these chunks, nearest first. Leaves out chunks without a vector. */
  chunkDistances(query: Float32Array, chunkIds: readonly number[]): Promise<ChunkDistance[]>;
  accessPattern(sessionId: string, window: WindowType): Promise<Float32Array | null>;
  nearestSessions(
    pattern: Float32Array,
    limit: number,
    exceptSessionId: string,
    filter?: Filter,
  ): Promise<{ sessionId: string; distance: number }[]>;
  /** Returns the embedding of a path or web address; null when it has none. */
  resourceVector(resource: string): Promise<Float32Array | null>;
  /**
   * Lists files and URLs that the session touched, newest first. Leaves out those of imported turns and of the turns in `except`.
   */
  recentResources(
    sessionId: string,
    limits: { files: number; urls: number; except?: ReadonlySet<number> },
  ): Promise<{ files: string[]; urls: string[] }>;
}
