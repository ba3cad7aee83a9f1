import type { Commit, Failure, Origin, PrLink, TurnFacts, TurnOrigin } from "../domain.ts";
import type { Filter, PathFilter } from "./filter.ts";
import type { StoredTurn } from "./stored.ts";

export interface Page {
  limit: number;
  offset?: number;
}

export interface SessionSummary extends Origin {
  sessionId: string;
  /** Id of the coding agent of the session. */
  client: string;
  title: string | null;
  /** Start of the first prompt; null when none is known. */
  firstPrompt: string | null;
  /** What its first turns were about; absent where a title or a prompt names the session. */
  opening?: string;
  automated: boolean;
  /** The branch of its last turn. */
  branch: string | null;
  projectDir: string | null;
  transcriptPath: string | null;
  /** ISO 8601. */
  startedAt: string | null;
  endedAt: string | null;
  /** Includes turns of its subagents, not turns copied from another session. */
  turns: number;
  /** Distinct files that it touched, without web addresses. */
  files: number;
  /** True where only the prompts are left of it; absent otherwise. */
  promptOnly?: true;
}

/** What every list says of a turn. */
interface ListedTurn extends Origin, Pick<TurnFacts, "sessionId" | "createdAt" | "branch"> {
  turnId: number;
  sessionTitle: string | null;
  /** Start of the prompt, on one line. */
  firstWords: string;
}

/** A turn as a line of a list. */
export interface TurnSummary
  extends ListedTurn,
    Pick<TurnFacts, "agentId" | "lineIndex" | "provisional" | "role" | "endedAt"> {
  /** Id of the coding agent of its session. */
  client: string;
  origin: TurnOrigin;
  /** What the turn was about, on one line: see `turnTitle`. */
  title: string;
  /** Number of its different tool calls. */
  toolCalls: number;
  /** Files and web addresses that it touched, in alphabetical order. */
  files: string[];
  /** True where only the prompt is left of it; absent otherwise. */
  promptOnly?: true;
}

/** A turn that touched a file. */
export interface FileTouch extends ListedTurn, Pick<TurnSummary, "client" | "origin" | "title" | "agentId"> {
  /** The tools that touched the file in this turn, or `mention`, in alphabetical order. */
  toolNames: string[];
}

/** What failed in a turn. */
interface TurnFailures {
  turnId: number;
  /** The last one last; empty when only the texts of the errors are known. */
  failures: Failure[];
}

/** A call that a turn repeated. */
export interface LaterCall {
  turnId: number;
  /** ISO 8601. */
  createdAt: string | null;
  failed: boolean;
}

/** Which files are listed: those below a directory, or of these paths; all of them by default. */
export interface FilePlace {
  below?: string | undefined;
  paths?: readonly string[];
}

export interface FileSummary {
  path: string;
  /** Number of touches: pairs of a turn and a tool. */
  touches: number;
  /** Touches that changed it. */
  changes: number;
  /** ISO 8601, of the newest turn that touched it. */
  lastTime: string | null;
  /** Whose it is where only turns of others touched it; absent otherwise. */
  others?: { foreign: string; author: string | null };
  /** The user's other devices where it was touched, when it was not touched here; absent otherwise. */
  device?: string;
}

/** A pull request and the sessions that opened or named it. */
export interface PrSummary {
  prNumber: number;
  prRepository: string;
  prUrl: string;
  /** ISO 8601, the latest. */
  time: string | null;
  sessionIds: string[];
  /**
   * The turn in which it was first opened or named; null where none is known. It is the one at the place `at`, from 0 on, `of`
   * as many as that turn opened or named.
   */
  opened: { turnId: number; at: number; of: number } | null;
}

/** A commit in the turn that made it. */
export interface CommitSummary extends ListedTurn, Commit {}

/** Where a turn's lines are in its transcript, or were. */
export interface TranscriptPlace {
  path: string;
  /** Zero-based; null if the transcript no longer has the turn. */
  firstLine: number | null;
  /** The line after the last; null for the end of the file. */
  endLine: number | null;
  promptUuid: string | null;
}

/** A call with which an agent asked this memory. */
export interface AskedCall {
  turnId: number;
  sessionId: string;
  /** ISO 8601, of the end of its turn. */
  time: string;
  /** The call as its turn shows it. */
  call: string;
}

/** When things happened, ISO 8601, oldest first. */
export interface Activity {
  turns: string[];
  /** When each session started. */
  sessions: string[];
}

/** The work done with one coding agent. */
export interface ClientCount {
  client: string;
  sessions: number;
  turns: number;
}

/** Turns that hooks of one event told, and what their sessions did then. */
interface ToldTurns {
  event: string;
  /** Number of answers. */
  answers: number;
  turns: number;
  /** Turns that touched files, those with a file that the session then edited, and those with one it only read. */
  named: number;
  edited: number;
  read: number;
  /** Turns that the session then printed with `mementor show`. */
  shown: number;
}

/** What hooks decided in a period, and what came of it. */
export interface RecallCounts {
  /** Hook calls by decision, the most frequent first. */
  calls: { event: string; decision: string; calls: number; meanMs: number }[];
  /** Told turns by event. */
  told: ToldTurns[];
  /** Answers that a person marked, in whole or in part, by event. */
  marked: { event: string; good: number; bad: number }[];
  /** How often agents asked this memory, and in how many sessions. */
  asked: { calls: number; sessions: number };
}

/** What a vector describes: a turn, or all turns of a session. */
export type VectorOf = { turnId: number } | { sessionId: string } | { path: string };

/** A session's touches of one file. */
export interface SessionFile {
  sessionId: string;
  path: string;
  touches: number;
  changes: number;
}

/** Touches of one file in one hour, over all sessions asked for. */
interface FileHour {
  path: string;
  /** ISO 8601 to the hour, `2026-03-04T10`. */
  hour: string;
  touches: number;
}

/** The data of a report on the sessions that fit a filter. */
export interface ReportRows {
  /** The latest first. */
  sessions: SessionSummary[];
  /** Session by session; the files that a session touched most first. Web addresses are left out. */
  files: SessionFile[];
  /** Only the busiest files, the busiest first. */
  hours: FileHour[];
  /** In order of time. */
  commits: (Commit & { sessionId: string })[];
  prs: Omit<PrLink, "timestamp">[];
}

/** The files and commits of a turn. */
export interface TurnOutcome {
  /** Files that it touched, without web addresses. */
  files: number;
  /** Hashes of the commits that it made. */
  commits: string[];
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
  /** The turns of `fileHistory`, of which it reads nothing else. */
  fileTurns(...asked: Parameters<BrowseStore["fileHistory"]>): Promise<number[]>;
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
