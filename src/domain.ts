/** The types of the domain. The page "how-it-works" explains the terms. */

import type { TurnText } from "./turn/text.ts";
import type { Wording } from "./turn/wording.ts";

/** `turn` for ordinary work; the two others are summaries of earlier work, written by Claude Code. */
export type TurnRole = "turn" | "compaction_summary" | "away_summary";

/**
 * Who may have sent a prompt that nobody typed: an agent of the same team, another session, a channel such as that of a chat
 * or a review, a timer, a server of MCP; `other` where it is known only that it was not the user.
 */
const SENDERS = ["teammate", "session", "channel", "timer", "server", "other"] as const;

export type Sender = (typeof SENDERS)[number];

/**
 * Who may have given the prompt of a turn; `automated`: a program; `subagent`: the agent that started it; `agent`: nobody,
 * it is a note that an agent wrote.
 */
export const TURN_ORIGINS = ["human", "automated", "subagent", "agent", ...SENDERS] as const;

/** Who gave the prompt of a turn. */
export type TurnOrigin = (typeof TURN_ORIGINS)[number];

/** Returns a stored origin; one of another version is not known to be the user. */
export function turnOrigin(stored: string): TurnOrigin {
  return TURN_ORIGINS.find((origin) => origin === stored) ?? "other";
}

/** A resource that a turn touched. */
export interface FileMention {
  /** A path relative to the project root, an absolute path outside the project, or a URL. */
  filePath: string;
  /** The tool that touched it (`Read`, `Edit`, `WebFetch`, ...) or `mention` for an `@path` in the prompt. */
  toolName: string;
}

/** A commit made during a turn. */
export interface Commit {
  hash: string;
  message: string;
}

/** Where a turn stands in its session, and under which circumstances it was made. */
export interface TurnFacts {
  sessionId: string;
  /** Null for the main conversation. */
  agentId: string | null;
  isSidechain: boolean;
  /** Zero-based line of the entry that starts the turn, in its transcript. */
  lineIndex: number;
  /** True while the next prompt, which ends the turn, is missing. */
  provisional: boolean;
  role: TurnRole;
  /** ISO 8601, of the entry that starts the turn; null when the transcript has none. */
  createdAt: string | null;
  /** ISO 8601, of the turn's last entry. */
  endedAt: string | null;
  branch: string | null;
  cwd: string | null;
  model: string | null;
  clientVersion: string | null;
}

/** A turn of a transcript, redacted and ready to be stored. Its text is embedded and shown. */
export interface Turn extends TurnFacts, TurnText {
  origin: TurnOrigin;
  /** One summary per tool call, de-duplicated, in order. */
  toolSummary: string[];
  mentions: FileMention[];
  commits: Commit[];
  /** Its failed tool calls, the last one last; absent when nothing is known about them. */
  failures?: Failure[];
  /** What got past failed calls; absent when nothing is known about that. */
  cures?: Cure[];
  /** `uuid` of the entry that starts the turn. Identifies the turn even if its line number changes. */
  promptUuid: string | null;
  /** `uuid` of every entry in the turn, including the first. */
  entryUuids: string[];
  /** What identifies it by its words before secrets were taken out; absent where that is what its text says. */
  wording?: Wording;
}

/** Whose a turn or session is, where it was not made here. */
export interface Origin {
  /** The member of the team who made it; null for what was made here. */
  author: string | null;
  /** The memory that it was imported from, or `team`; null for what was ingested here. */
  foreign: string | null;
  /** The user's device where it was said; absent for this one. */
  device?: string;
}

/** A failed tool call of a turn. */
export interface Failure {
  /** UTF-16 offsets of its error in the turn's text. */
  start: number;
  end: number;
  /** Index of the call in `toolSummary`; null when the call is not known or has no summary. */
  call: number | null;
  /** True when the same call succeeded later in the turn. */
  mended: boolean;
}

/** A line of a failed call's output that says what was wrong. */
export interface ErrorLine {
  text: string;
  /** The line without what differs from one time to the next: paths, numbers, addresses, times. */
  form: string;
}

/** What got past a failed call. One of `call` and `change` is not null. */
export interface Cure {
  errors: ErrorLine[];
  /** The kinds of command that failed, such as `git push`. */
  kinds: string[];
  /** The call that failed, and the one that then succeeded, as one line. */
  failed: string;
  call: string | null;
  /** Whether `call` is what had to be run before the failed call succeeded when it was repeated. */
  isBefore: boolean;
  /** How many calls it took: those after the failed one, the one that succeeded among them. */
  calls: number;
  /** The change after which the call succeeded, and the line that it added. */
  change: { path: string; line: string } | null;
  /** What the agent said was wrong, or why it went on so. */
  said: { text: string; isThinking: boolean } | null;
}

/** A piece of a turn's text: the unit that is embedded. */
export interface Chunk {
  chunkIndex: number;
  /** Always `text.slice(start, end)`. */
  content: string;
  /** UTF-16 offsets into the turn's text. */
  start: number;
  end: number;
}

export interface PrLink {
  sessionId: string;
  prNumber: number;
  prUrl: string;
  prRepository: string;
  /** ISO 8601. */
  timestamp: string | null;
}

/** A place where Claude Code replaced a long context by a summary. */
export interface Compaction {
  sessionId: string;
  lineIndex: number;
  trigger: string | null;
  preTokens: number | null;
  timestamp: string | null;
}

/** A place where the user took turns of a session back, so that the agent no longer knows them. */
export interface Rewind {
  sessionId: string;
  /** The first record that was taken back. */
  uuid: string;
  /** The line of the rewind; what comes after it stands. */
  lineIndex: number;
}

export type TitleSource = "summary" | "custom-title" | "ai-title";

/** Facts about a session from its transcript. Null means unknown and leaves the stored value unchanged. */
export interface SessionFacts {
  sessionId: string;
  /** Id of the coding agent; absent where it is not known. */
  client?: string;
  projectDir: string | null;
  title: string | null;
  titleSource: TitleSource | null;
  firstPrompt: string | null;
  /** True for sessions that no human drives (`entrypoint` of an SDK). */
  automated: boolean | null;
  branch: string | null;
  /** ISO 8601, of the earliest and latest entry seen. */
  startedAt: string | null;
  endedAt: string | null;
}

/** Where a read of a transcript ended, and what the next read needs to continue. */
export interface ReadCursor {
  /** End of the last complete line that was read, in bytes, and the number of lines up to there. */
  byteOffset: number;
  lineIndex: number;
  /** Start of the earliest open turn. The next read starts here, to see the whole turn. */
  resumeOffset: number;
  resumeLine: number;
  /** Facts about the file's sessions. */
  sessions: readonly SessionFacts[];
  /** Opaque state of the reader, without words of the transcript; null at the start of a file. */
  readerState: string | null;
}

/** Facts about a subagent of a session from its transcript. */
export interface SubagentFacts {
  sessionId: string;
  agentId: string;
  agentType: string | null;
  task: string | null;
}

/** A turn that resume or fork copied from another session. It is indexed there, but also in Claude's context here. */
export interface TurnCopy {
  sessionId: string;
  lineIndex: number;
  turnId: number;
}

/** The turns of a session whose resources an access pattern is the mean of: all, or the latest 5 or 10. */
export type WindowType = "full" | "recent_5" | "recent_10";

/** How a result was found. */
export type HitSource = "vector" | "keyword" | "file" | "access" | "commit" | "pr" | "title";
