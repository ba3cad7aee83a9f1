import type { Filter } from "../filter/filter.ts";
import type { BrowseStore, LocalBrowseStore } from "./browse.ts";
import type { ForgetPlan, ForgetPreview, ForgetSelection, PruneRequest } from "./forget.ts";
import type { HookCallFacts, JournalStore } from "./journal.ts";
import type { MarkStore } from "./marks.ts";
import type { RecallStore } from "./recall.ts";
import type { LocalSearchStore, SearchStore } from "./search.ts";
import type {
  ExportedSession,
  ExportedTurn,
  IngestStore,
  SessionPlace,
  StoredModel,
  SwitchOutcome,
} from "./stored.ts";

export type {
  BrowseStore,
  IngestStore,
  JournalStore,
  LocalBrowseStore,
  LocalSearchStore,
  MarkStore,
  SearchStore,
};

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
