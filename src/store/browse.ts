import type { Commit, Origin, PrLink, TurnFacts, TurnOrigin } from "../domain.ts";
import type { Filter, PathFilter } from "./filter.ts";
import type { StoredTurn } from "./stored.ts";

export interface RowPage {
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
  /** Subject of its first turns; absent when a title or a prompt names the session. */
  opening?: string;
  automated: boolean;
  /** The branch of its last turn. */
  branch: string | null;
  projectDir: string | null;
  transcriptPath: string | null;
  /** ISO 8601. */
  startedAt: string | null;
  endedAt: string | null;
  /** Number of turns, including those of its subagents, but not turns copied from another session. */
  turns: number;
  /** Number of distinct files that it touched, without web addresses. */
  files: number;
  /** True when only its prompts are left; absent otherwise. */
  promptOnly?: true;
}

/** The fields of a turn that all lists share. */
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
  /** Subject of the turn on one line; see `turnTitle`. */
  title: string;
  /** Number of distinct tool calls. */
  toolCalls: number;
  /** Files and web addresses that it touched, in alphabetical order. */
  files: string[];
  /** True when only its prompt is left; absent otherwise. */
  promptOnly?: true;
}

/** A turn that touched a file. */
export interface FileTouch extends ListedTurn, Pick<TurnSummary, "client" | "origin" | "title" | "agentId"> {
  /** The tools that touched the file in this turn, or `mention`, in alphabetical order. */
  toolNames: string[];
}

/** The files to list: those below a directory, or those with these paths; all by default. */
export interface FileScope {
  below?: string | undefined;
  paths?: readonly string[];
}

export interface FileSummary {
  path: string;
  /** Number of touches. Each pair of a turn and a tool counts once. */
  touches: number;
  /** Number of touches that changed the file. */
  changes: number;
  /** Time of the newest turn that touched it, ISO 8601. */
  lastTime: string | null;
  /** Origin of the file when only other people's turns touched it; absent otherwise. */
  others?: { foreign: string; author: string | null };
  /** The user's other devices that touched it, when this one did not; absent otherwise. */
  device?: string;
}

/** A pull request and the sessions that opened or mentioned it. */
export interface PrSummary {
  prNumber: number;
  prRepository: string;
  prUrl: string;
  /** Time of its latest mention, ISO 8601. */
  time: string | null;
  sessionIds: string[];
  /**
   * The turn that first opened or mentioned it; null when unknown. That turn opened or mentioned `of` pull requests; `at` is the
   * zero-based position of this one.
   */
  opened: { turnId: number; at: number; of: number } | null;
}

/** A commit in the turn that made it. */
export interface CommitSummary extends ListedTurn, Commit {}

/** The lines of a turn in its transcript. */
export interface TranscriptLines {
  path: string;
  /** Zero-based; null when the transcript no longer contains the turn. */
  firstLine: number | null;
  /** Line after the last; null for the end of the file. */
  endLine: number | null;
  promptUuid: string | null;
}

/** A tool call by which an agent queried this memory. */
export interface MemoryQuery {
  turnId: number;
  sessionId: string;
  /** End of the turn, ISO 8601. */
  time: string;
  /** The call as shown in its turn. */
  call: string;
}

/** Start times of turns and sessions, ISO 8601, oldest first. */
export interface ActivityTimes {
  turns: string[];
  /** Start times of the sessions. */
  sessions: string[];
}

/** Number of sessions and turns of one coding agent. */
export interface ClientCount {
  client: string;
  sessions: number;
  turns: number;
}

/** Turns that the hooks of one event showed, and their effect on the sessions. */
interface ToldTurns {
  event: string;
  /** Number of hook answers. */
  answers: number;
  turns: number;
  /**
   * Number of shown turns that touched files, of those with a file that the session then edited, and of those with one that it
   * only read.
   */
  named: number;
  edited: number;
  read: number;
  /** Number of turns that the session then printed with `mementor show`. */
  shown: number;
}

/** Decisions of hooks in a period, and their effects. */
export interface RecallCounts {
  /** Hook calls by decision, the most frequent first. */
  calls: { event: string; decision: string; calls: number; meanMs: number }[];
  /** Shown turns by event. */
  told: ToldTurns[];
  /** Answers that a person marked, wholly or partly, by event. */
  marked: { event: string; good: number; bad: number }[];
  /** Number of queries by agents, and of sessions with such queries. */
  asked: { calls: number; sessions: number };
}

/** The owner of a mean vector: a turn, a session, or a path. */
export type VectorOwner = { turnId: number } | { sessionId: string } | { path: string };

/** A session's touches of one file. */
export interface SessionFile {
  sessionId: string;
  path: string;
  touches: number;
  changes: number;
}

/** Touches of one file in one hour, over all selected sessions. */
interface FileHour {
  path: string;
  /** Hour in ISO 8601, `2026-03-04T10`. */
  hour: string;
  touches: number;
}

/** The data of a report on the sessions that match a filter. */
export interface ReportRows {
  /** The latest first. */
  sessions: SessionSummary[];
  /** By session; within a session, most touched files first. Without web addresses. */
  files: SessionFile[];
  /** Touches of the most touched files only, most touched first. */
  hours: FileHour[];
  /** In order of time. */
  commits: (Commit & { sessionId: string })[];
  prs: Omit<PrLink, "timestamp">[];
}

/** The files and commits of a turn. */
export interface TurnOutcome {
  /** Number of files that it touched, without web addresses. */
  files: number;
  /** Hashes of its commits. */
  commits: string[];
}

/** Lists and details for browsing, without a search query. Reads only indexes and the rows to show. */
export interface BrowseStore {
  /** Lists a page of the matching sessions that have turns, latest first, with the total number of matches. */
  sessions(filter: Filter, page: RowPage): Promise<{ sessions: SessionSummary[]; total: number }>;
  /**
   * Returns the session with this id, or the only one whose id starts with it; null without one. Rejects with `usage` when
   * several ids start with it.
   */
  session(idOrPrefix: string): Promise<SessionSummary | null>;
  /** Returns these sessions in the given order, without unknown ids. */
  summaries(sessionIds: readonly string[]): Promise<SessionSummary[]>;
  /**
   * Returns a session's turns and those of its subagents, in order of time. Includes turns that resume or fork copied into it,
   * under the session that stores them.
   */
  turnsOf(sessionId: string, filter?: Filter): Promise<TurnSummary[]>;
  /** Returns up to `count` turns before and after a turn in its conversation, in order of time. */
  neighbours(
    turnId: number,
    count: number,
    chars?: number,
  ): Promise<{ before: StoredTurn[]; after: StoredTurn[] }>;
  /**
   * Lists the files with the most touches: in the whole project, below a directory, or among these paths. Leaves out web
   * addresses. With a filter, counts only touches of matching turns.
   */
  files(options: { limit: number; filter?: Filter } & FileScope): Promise<FileSummary[]>;
  /**
   * Returns the first known path of `exact`, or else all stored paths that end in `suffix` (whole segments), most touched first.
   * Without `suffix`, only `exact` matches.
   */
  findPaths(path: Pick<PathFilter, "exact" | "suffix">): Promise<string[]>;
  /**
   * Lists the turns that touched a stored path, newest first. Turns that changed the file come before others, unless `byTime`.
   */
  fileHistory(
    path: string,
    options: { limit: number; filter?: Filter; byTime?: boolean },
  ): Promise<FileTouch[]>;
  /** Lists pull requests, latest first, each with its matching sessions. */
  prs(options: { limit: number; prNumber?: number | undefined; filter?: Filter }): Promise<PrSummary[]>;
  /** Lists commits, latest first. `hash` may be abbreviated to four digits or more. */
  commits(options: { limit: number; hash?: string | undefined; filter?: Filter }): Promise<CommitSummary[]>;
  /** Lists the latest matching turns, newest first. Leaves out subagents unless the filter names one. */
  recent(limit: number, filter: Filter): Promise<TurnSummary[]>;
  /** Counts the rows of a list without its limit: `files` below a directory, `touches` of these paths. */
  count(
    what: "turns" | "files" | "touches" | "commits" | "prs",
    options?: { filter?: Filter } & FileScope,
  ): Promise<number>;
  /** Lists the branches with turns, latest first. */
  branches(): Promise<string[]>;
  /** Lists the team members who have turns here and, in a team, the user. */
  authors(): Promise<string[]>;
  /** Returns the start times of matching turns and of their sessions. */
  activity(filter: Filter): Promise<ActivityTimes>;
  /** Lists the coding agents of matching turns, most active first. */
  clients(filter: Filter): Promise<ClientCount[]>;
  /**
   * Returns the matching sessions with their files, commits and pull requests. Counts touches by the hour only for the `busiest`
   * most touched files.
   */
  report(filter: Filter, busiest: number): Promise<ReportRows>;
  /** Returns the mean vector of a turn, a session, or the turns that touched a path; null without vectors. */
  meanVector(of: VectorOwner): Promise<Float32Array | null>;
  /** Returns the session of each turn. */
  sessionsOfTurns(turnIds: readonly number[]): Promise<Map<number, string>>;
  /** Returns the number of files that each turn touched, and its commits. */
  outcomes(turnIds: readonly number[]): Promise<Map<number, TurnOutcome>>;
  /** Lists the files that a session or a turn touched, without web addresses. */
  filesOf(of: { turnId: number } | { sessionId: string }): Promise<string[]>;
}

/**
 * Lists that exist only in a memory's file. Transcripts, access patterns and answers of hooks never leave their
 * machine.
 */
export interface LocalBrowseStore extends BrowseStore {
  transcriptPlace(turnId: number): Promise<TranscriptLines | null>;
  /** Returns only the ids of the turns of `fileHistory`. */
  fileTurns(...asked: Parameters<BrowseStore["fileHistory"]>): Promise<number[]>;
  /** Lists the latest tool calls by which agents queried this memory, newest first. */
  asked(options: { sessionId?: string | undefined; limit: number }): Promise<MemoryQuery[]>;
  recalls(range: Pick<Filter, "since" | "until">): Promise<RecallCounts>;
}
