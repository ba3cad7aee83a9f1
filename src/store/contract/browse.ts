import type { Filter } from "../../filter/filter.ts";
import type { PathFilter } from "../../filter/path.ts";
import type {
  Activity,
  AskedCall,
  ClientCount,
  CommitSummary,
  FilePlace,
  FileSummary,
  FileTouch,
  LaterCall,
  Page,
  PrSummary,
  RecallCounts,
  ReportRows,
  SessionSummary,
  TranscriptPlace,
  TurnFailures,
  TurnOutcome,
  TurnSummary,
  VectorOf,
} from "./types/browse.ts";
import type { StoredTurn } from "./types/stored.ts";

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
  neighbours(
    turnId: number,
    count: number,
    chars?: number,
  ): Promise<{ before: StoredTurn[]; after: StoredTurn[] }>;
  /**
   * The files with the most touches, of the whole project, below a directory, or of these paths. Leaves out web
   * addresses. With a filter, only the touches of matching turns count.
   */
  files(options: { limit: number; filter?: Filter } & FilePlace): Promise<FileSummary[]>;
  /**
   * Stored paths: the first known one of `exact`, or else all that end in `suffix` (whole path segments), those with
   * the most touches first. Without `suffix`, only `exact` matches.
   */
  findPaths(path: Pick<PathFilter, "exact" | "suffix">): Promise<string[]>;
  /** Turns that touched this stored path, newest first: those that changed the file before the others, unless `byTime`. */
  fileHistory(
    path: string,
    options: { limit: number; filter?: Filter; byTime?: boolean },
  ): Promise<FileTouch[]>;
  /** The latest first, each with its matching sessions. */
  prs(options: { limit: number; prNumber?: number | undefined; filter?: Filter }): Promise<PrSummary[]>;
  /** The latest first; `hash` may be abbreviated to four digits or more. */
  commits(options: { limit: number; hash?: string | undefined; filter?: Filter }): Promise<CommitSummary[]>;
  /** The latest matching turns, newest first. Of main conversations only, unless the filter names a subagent. */
  recent(limit: number, filter: Filter): Promise<TurnSummary[]>;
  /** How many rows a list would have without its limit: `files` below a directory, `touches` of these paths. */
  count(
    what: "turns" | "files" | "touches" | "commits" | "prs",
    options?: { filter?: Filter } & FilePlace,
  ): Promise<number>;
  /** The branches that turns were made on, the latest first. */
  branches(): Promise<string[]>;
  /** The names of the team's members who have turns here, and of the user where there is a team. */
  authors(): Promise<string[]>;
  /** The start times of matching turns and of their sessions. */
  activity(filter: Filter): Promise<Activity>;
  /** The coding agents of the matching turns, the most active first. */
  clients(filter: Filter): Promise<ClientCount[]>;
  /**
   * The matching sessions with their files, commits and pull requests. Touches by the hour are counted for the `busiest`
   * most touched files only.
   */
  report(filter: Filter, busiest: number): Promise<ReportRows>;
  /** Mean vector of a turn, a session, or the turns that touched a path; null without vectors. */
  meanVector(of: VectorOf): Promise<Float32Array | null>;
  /** The session of each turn. */
  sessionsOfTurns(turnIds: readonly number[]): Promise<Map<number, string>>;
  /** How many files each of these turns touched, and the commits it made. */
  outcomes(turnIds: readonly number[]): Promise<Map<number, TurnOutcome>>;
  /** Files that a session or a turn touched, without web addresses. */
  filesOf(of: { turnId: number } | { sessionId: string }): Promise<string[]>;
}

/** What only a memory's file lists: transcripts, failures, access patterns and answers of hooks stay on their machine. */
export interface LocalBrowseStore extends BrowseStore {
  transcriptPlace(turnId: number): Promise<TranscriptPlace | null>;
  /** What failed in these turns, in the order asked for. Leaves out turns whose text has no errors. */
  failures(turnIds: readonly number[]): Promise<TurnFailures[]>;
  /**
   * Later turns that made the same tool call: those of the turn's session and those in `turnIds`, in order of time.
   * `call` is the call's summary; `failed` says whether it failed there.
   */
  laterCalls(turnId: number, call: string, turnIds: readonly number[]): Promise<LaterCall[]>;
  /** The latest calls with which agents asked this memory, the newest first. */
  asked(options: { sessionId?: string | undefined; limit: number }): Promise<AskedCall[]>;
  recalls(range: Pick<Filter, "since" | "until">): Promise<RecallCounts>;
}
