import type { TurnOrigin, TurnRole } from "../../domain.ts";
import type { StoredTurn } from "../store.ts";
import type { ReportRows } from "./report.ts";

/** Which sessions are listed. Times are ISO 8601; a session fits when any of its time lies between them. */
export interface SessionFilter {
  branch?: string;
  since?: string;
  until?: string;
  /** Exact path, a suffix of whole path segments, or a directory with its `/`. */
  filePath?: string;
  prNumber?: number;
  commit?: string;
  /** Only sessions that no human drives, or only the others. */
  automated?: boolean;
}

export interface Page {
  limit: number;
  offset?: number;
}

export interface SessionSummary {
  sessionId: string;
  title: string | null;
  /** Start of the first prompt; null when none is known. */
  firstPrompt: string | null;
  automated: boolean;
  /** The last one it was on. */
  branch: string | null;
  projectDir: string | null;
  transcriptPath: string | null;
  /** ISO 8601. */
  startedAt: string | null;
  endedAt: string | null;
  /** Its subagents' turns included, those copied from another session not. */
  turns: number;
  /** Distinct files that it touched, web addresses not counted. */
  files: number;
  foreign: string | null;
}

/** A turn as a line of a list. */
export interface TurnSummary {
  turnId: number;
  sessionId: string;
  sessionTitle: string | null;
  agentId: string | null;
  lineIndex: number;
  provisional: boolean;
  role: TurnRole;
  origin: TurnOrigin;
  /** Start of the prompt, on one line. */
  firstWords: string;
  /** ISO 8601. */
  createdAt: string | null;
  endedAt: string | null;
  branch: string | null;
  /** How many different tool calls it made. */
  toolCalls: number;
  /** Files and web addresses that it touched, in alphabetical order. */
  files: string[];
  foreign: string | null;
}

/** One turn's touch of a file. */
export interface FileTouch {
  turnId: number;
  sessionId: string;
  sessionTitle: string | null;
  /** Start of the turn's prompt, on one line. */
  firstWords: string;
  /** The tools that touched the file in this turn, or `mention`, in alphabetical order. */
  toolNames: string[];
  /** ISO 8601. */
  createdAt: string | null;
  branch: string | null;
  agentId: string | null;
  /** Where it was imported from; null for what was ingested here. */
  foreign: string | null;
}

export interface FileSummary {
  path: string;
  /** How often it was touched: pairs of a turn and a tool. */
  touches: number;
  /** How many of these changed it. */
  changes: number;
  /** ISO 8601, of the newest turn that touched it. */
  lastTime: string | null;
}

/** A pull request and the sessions that opened or named it. */
export interface PrSummary {
  prNumber: number;
  prRepository: string;
  prUrl: string;
  /** ISO 8601, the latest. */
  time: string | null;
  sessionIds: string[];
}

/** A commit in the turn that made it. */
export interface CommitSummary {
  hash: string;
  message: string;
  turnId: number;
  sessionId: string;
  sessionTitle: string | null;
  firstWords: string;
  createdAt: string | null;
  branch: string | null;
}

export interface RecentFilter {
  branch?: string;
  since?: string;
  until?: string;
}

/** Where a turn's transcript lines are, or were. */
export interface TranscriptPlace {
  path: string;
  /** Zero-based; null when the transcript no longer has the turn. */
  firstLine: number | null;
  /** The line after the last; null for the end of the file. */
  endLine: number | null;
  promptUuid: string | null;
}

/** When things happened, ISO 8601, oldest first. */
export interface Activity {
  turns: string[];
  /** When each session started. */
  sessions: string[];
}

/** What came of recalls in a stretch of time. */
export interface RecallCounts {
  /** Calls of hooks by what they decided, most frequent first. */
  calls: { event: string; decision: string; calls: number; meanMs: number }[];
  /** Told turns by event; `used` when a file that the told turn changed or read was touched in the session afterwards. */
  told: { event: string; injections: number; turns: number; used: number }[];
}

/** What a vector stands for: a turn, or all turns of a session. */
export type VectorOf = { turnId: number } | { sessionId: string } | { path: string };

/** What people and agents look at without a query. Everything comes from indexes and the rows that are shown. */
export interface BrowseStore {
  /** Sessions that have turns, the latest first, with how many fit in all. */
  sessions(filter: SessionFilter, page: Page): Promise<{ sessions: SessionSummary[]; total: number }>;
  /** The session of this id or unique start of one; null when there is none, rejects with `usage` when several fit. */
  session(idOrPrefix: string): Promise<SessionSummary | null>;
  /** In the order asked for; ids that do not exist are left out. */
  summaries(sessionIds: readonly string[]): Promise<SessionSummary[]>;
  /**
   * The session's turns with those of its subagents, in order of time. Those that resume or fork copied into it are
   * among them, under the session that they are kept in.
   */
  turnsOf(sessionId: string): Promise<TurnSummary[]>;
  /** Up to `count` turns before and after one in its own conversation, in order of time. */
  neighbours(turnId: number, count: number): Promise<{ before: StoredTurn[]; after: StoredTurn[] }>;
  transcriptPlace(turnId: number): Promise<TranscriptPlace | null>;
  /** The busiest files, of the whole project, below a directory, or of these paths; web addresses are left out. */
  files(options: { limit: number; below?: string; paths?: readonly string[] }): Promise<FileSummary[]>;
  /**
   * Paths as they are stored: the first of `exact` that is known, or else all that end in `suffix` or that `suffix`
   * ends in (whole path segments), the most touched first.
   */
  findPaths(exact: readonly string[], suffix: string): Promise<string[]>;
  /** Turns that touched this path (as it is stored): those that changed the file first, newer before older. */
  fileHistory(path: string, options: { limit: number; exceptSessionId?: string }): Promise<FileTouch[]>;
  /** The latest first. */
  prs(options: { limit: number; prNumber?: number }): Promise<PrSummary[]>;
  /** The latest first; `hash` may be abbreviated to four digits or more. */
  commits(options: { limit: number; hash?: string }): Promise<CommitSummary[]>;
  /** The latest turns of main conversations, newest first. */
  recent(limit: number, filter: RecentFilter): Promise<TurnSummary[]>;
  activity(range: { since?: string; until?: string }): Promise<Activity>;
  recalls(range: { since?: string; until?: string }): Promise<RecallCounts>;
  /** The sessions that fit with what they touched and made; files by the hour only of the `busiest` so many. */
  report(filter: SessionFilter, busiest: number): Promise<ReportRows>;
  /** Mean of the vectors of what a turn, a session or the turns that touched a path say; null without any. */
  meanVector(of: VectorOf): Promise<Float32Array | null>;
  /** The embedding of a path or web address; null when it has none. */
  resourceVector(resource: string): Promise<Float32Array | null>;
  /** Which session each turn belongs to. */
  sessionsOfTurns(turnIds: readonly number[]): Promise<Map<number, string>>;
  /** Files that a session or a turn touched, without web addresses. */
  filesOf(of: { turnId: number } | { sessionId: string }): Promise<string[]>;
}
