import type { WindowType } from "../domain.ts";
import type { Filter } from "../filter/filter.ts";
import type { BrowseStore } from "./browse.ts";
import type {
  ChunkDistance,
  ChunkHit,
  KeywordHit,
  StoredChunk,
  StoredTurn,
  Totals,
  TurnHit,
} from "./stored.ts";

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
