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
  SessionPlace,
  StoredChunk,
  StoredModel,
  StoredTurn,
  SwitchOutcome,
  Totals,
  TurnHit,
} from "./stored.ts";

export type { BrowseStore, IngestStore, JournalStore, LocalBrowseStore, MarkStore };

/** What can be read of a memory's file and of a team's database alike. Methods reject with `MementorError`. */
export interface ReadStore extends AsyncDisposable {
  readonly browse: BrowseStore;
  readonly search: SearchStore;
  readonly exports: ExportStore;
  readonly models: ActiveModelStore;
  /** What a memory's file holds beyond that; null for a team's database. */
  readonly local: LocalStore | null;
  close(): Promise<void>;
}

/** What stays on the machine of a memory and never goes to a team. */
export interface LocalStore {
  readonly browse: LocalBrowseStore;
  readonly search: LocalSearchStore;
  readonly marks: MarkStore;
  readonly recall: RecallStore;
  readonly ingest: IngestStore;
  readonly models: Pick<ModelStore, "active" | "next">;
}

/** What an export reads. */
export interface ExportStore {
  /** Sessions with matching turns, the oldest first. */
  sessionIds(filter: Filter): Promise<string[]>;
  session(sessionId: string): Promise<ExportedSession | null>;
  /** The session's matching turns, in order of time. */
  turnIds(sessionId: string, filter: Filter): Promise<number[]>;
  /** In the order asked for. */
  turns(turnIds: readonly number[]): Promise<ExportedTurn[]>;
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
  /** Like `forget`, for a prune: keeps summaries, the titles of sessions that keep turns, and what other devices have. */
  prune(plan: ForgetPlan): Promise<number>;
}

/** The model whose vectors are searched. */
interface ActiveModelStore {
  active(): Promise<{ id: string; dimensions: number } | null>;
}

/** Models and their vectors. One model is active while the vectors of another are added. */
export interface ModelStore extends ActiveModelStore {
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

/** Words that an older version indexed in another way. */
export interface WordStore {
  /** The turn after which the words of an older version begin; null when there are none. */
  due(): Promise<number | null>;
  /** Indexes a limited number of turns again. `next` is where the next step starts; null at the end. */
  index(after: number): Promise<CleanStep>;
}

/** Secrets that an older version let through. The caller of `clean` holds the ingest lock. */
export interface SecretStore {
  /** Looks for secrets with today's rules, a limited number of turns per step. The first step has `after` 0. */
  find(after: number): Promise<ScanStep>;
  /**
   * Removes what such a step finds, in one transaction. Ids of turns stay; a file may hold the bytes until it is
   * rewritten.
   */
  clean(after: number): Promise<CleanStep>;
  /** Where to continue cleaning with today's rules; null when the whole memory is clean. */
  due(): Promise<number | null>;
  /** Records how many secrets a look found and left; removed once all is clean. */
  noteFound(count: number): Promise<void>;
  lastFound(): Promise<number>;
}

/** Facts about the database itself. */
export interface StatusStore {
  /** When a transcript was last read, ISO 8601; null before the first. */
  lastIngest(): Promise<string | null>;
  /** Lines that were read but not indexed, by kind. */
  skippedLines(): Promise<Record<string, number>>;
  /** Lists the sessions that an agent's transcripts gave, with all directories in which they worked. */
  sessionPlaces(client: string): Promise<SessionPlace[]>;
  /** Newest first. */
  lastHookCalls(limit: number): Promise<HookCallFacts[]>;
  /** The latest hook call that told something; null before the first. */
  lastTold(): Promise<HookCallFacts | null>;
}

/** A secret in a memory, without its value. */
export interface FoundSecret {
  /** Null for a secret outside turns' texts. */
  turnId: number | null;
  /** `text`, or the name of the column: `branch`, `title`, `file`, ... */
  place: string;
  /** As in `[redacted:<kind>]`; `private` for a private passage. */
  kind: string;
  /** Length in characters. */
  chars: number;
}

/** The secrets that a step of a scan found. `next` is where the next step starts; null at the end. */
export interface ScanStep {
  found: FoundSecret[];
  next: number | null;
}

/** What a step removed. `next` is where the next step starts; null at the end. */
export interface CleanStep {
  /** Number of turns and other values that were changed. */
  changed: number;
  next: number | null;
}

/** What a search needs. Every method applies the whole filter before it applies `limit`. */
export interface SearchStore {
  /**
   * Runs the steps of a search, which get what was said around a turn, too. On a server all steps see one unchanging view,
   * in one transaction, so `work` may run more than once.
   */
  snapshot<T>(work: (view: SearchStore, browse: Pick<BrowseStore, "neighbours">) => Promise<T>): Promise<T>;
  nearestChunks(query: Float32Array, limit: number, filter?: Filter): Promise<ChunkHit[]>;
  /** Distances of the query to a sample of all chunks, for the gate. */
  sampleDistances(query: Float32Array, sample: number): Promise<number[]>;
  /**
   * `terms` are those of `keywordTerms` in `text/`. A term with a space is a phrase. In a large memory, the most
   * common of many terms are ignored.
   */
  keywordChunks(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  keywordTurns(terms: readonly string[], limit: number, filter?: Filter): Promise<KeywordHit[]>;
  /** The nearest chunk of each of these turns, for candidates that were not found by their vectors. */
  turnDistances(query: Float32Array, turnIds: readonly number[]): Promise<ChunkHit[]>;
  /** Ids of the turns that contain each term. Leaves out terms that more than `maxTurns` turns contain. */
  termTurns(terms: readonly string[], maxTurns: number, filter?: Filter): Promise<Map<string, number[]>>;
  /** Turns that touched one of these paths: exact, by suffix, or (for bare names) by file name. */
  turnsByFile(hints: readonly string[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  turnsByCommit(hashes: readonly string[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  turnsByPr(numbers: readonly number[], limit: number, filter?: Filter): Promise<TurnHit[]>;
  /**
   * The turns of sessions whose title contains all of these texts, in any case. The latest session comes first, its
   * turns in order.
   */
  turnsByTitle(
    texts: readonly string[],
    limit: number,
    filter?: Filter,
  ): Promise<{ turnId: number; title: string }[]>;
  /**
   * Turns in the order asked for. With `chars`, no more of a text is read, while its parts are those of the whole: for what
   * is only ranked or judged, as a stranger's turn may have millions of characters.
   */
  turns(turnIds: readonly number[], chars?: number): Promise<StoredTurn[]>;
  /** In order of turn and position. Leaves out ids that do not exist. */
  chunks(chunkIds: readonly number[]): Promise<StoredChunk[]>;
  /** Counts of turns and chunks that match the filter, and of all chunks that wait for vectors. */
  totals(filter?: Filter): Promise<Totals>;
  /** Id of the model whose vectors are searched; null before the first. */
  modelId(): Promise<string | null>;
}

/** What only a memory's file answers: what hooks ask, and where in the code a session worked. */
export interface LocalSearchStore extends SearchStore {
  /** Finds nothing if `isLate` returns true during the scan. */
  nearestChunks(
    query: Float32Array,
    limit: number,
    filter?: Filter,
    isLate?: () => boolean,
  ): Promise<ChunkHit[]>;
  /**
   * Distance of the nearest chunk among the few whose vectors have the most similar signs: cheaper than
   * `nearestChunks`, and rarely larger than the true minimum. Null without vectors.
   */
  nearestDistance(query: Float32Array, filter?: Filter): Promise<number | null>;
  /** The cosine distances of these chunks, nearest first. Leaves out chunks without a vector. */
  chunkDistances(query: Float32Array, chunkIds: readonly number[]): Promise<ChunkDistance[]>;
  accessPattern(sessionId: string, window: WindowType): Promise<Float32Array | null>;
  nearestSessions(
    pattern: Float32Array,
    limit: number,
    exceptSessionId: string,
    filter?: Filter,
  ): Promise<{ sessionId: string; distance: number }[]>;
  /** The embedding of a path or web address; null when it has none. */
  resourceVector(resource: string): Promise<Float32Array | null>;
  /**
   * Files and URLs that the session touched, newest first. Those of imported turns and of the turns in `except` do not
   * count.
   */
  recentResources(
    sessionId: string,
    limits: { files: number; urls: number; except?: ReadonlySet<number> },
  ): Promise<{ files: string[]; urls: string[] }>;
}
