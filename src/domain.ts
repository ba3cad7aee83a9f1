/** The types of the domain. The page "how-it-works" explains the terms. */

import type { TurnText } from "./turn/text.ts";
import type { Wording } from "./turn/wording.ts";

/** `turn` for ordinary work; the two others are summaries of earlier work, written by Claude Code. */
export type TurnRole = "turn" | "compaction_summary" | "away_summary";

/**
 * Senders of a prompt that nobody typed: an agent of the same team, another session, a channel such as a chat or a review, a
 * timer, an MCP server; `other` for an unknown sender that is not the user.
 */
const SENDERS = ["teammate", "session", "channel", "timer", "server", "other"] as const;

export type Sender = (typeof SENDERS)[number];

/**
 * Origins of a turn's prompt. `automated`: a program; `subagent`: the agent that started the subagent; `agent`: an agent's note,
 * without a prompt.
 */
export const TURN_ORIGINS = ["human", "automated", "subagent", "agent", ...SENDERS] as const;

/** The origin of a turn's prompt. */
export type TurnOrigin = (typeof TURN_ORIGINS)[number];

/** Parses a stored origin. An unknown one, from another version, counts as not the user. */
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

/** The place of a turn in its session, and its circumstances. */
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
  /** Time of the entry that starts the turn, ISO 8601; null when the transcript has none. */
  createdAt: string | null;
  /** Time of the turn's last entry, ISO 8601. */
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
  /** `uuid` of the entry that starts the turn. It identifies the turn even if its line number changes. */
  promptUuid: string | null;
  /** `uuid` of every entry in the turn, including the first. */
  entryUuids: string[];
  /** Its wording before secrets were removed; absent if its text has the same wording. */
  wording?: Wording;
}

/** The owner of a turn or session that was not made here. */
export interface Origin {
  /** The team member who made it; null for the user. */
  author: string | null;
  /** The memory that it was imported from, or `team`; null if it was ingested here. */
  foreign: string | null;
  /** The user's device that made it; absent for this one. */
  device?: string;
}

/** A piece of a turn's text: the unit that is embedded. */
export interface Chunk {
  chunkIndex: number;
  /** Always `text.slice(start, end)`. */
  content: string;
  /** UTF-16 offsets in the turn's text. */
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
  /** Line of the rewind. Records after it count. */
  lineIndex: number;
}

export type TitleSource = "summary" | "custom-title" | "ai-title";

/** Facts about a session from its transcript. Null means unknown and leaves the stored value unchanged. */
export interface SessionFacts {
  sessionId: string;
  /** Id of the coding agent; absent when unknown. */
  client?: string;
  projectDir: string | null;
  title: string | null;
  titleSource: TitleSource | null;
  firstPrompt: string | null;
  /** True for sessions that no human drives (`entrypoint` of an SDK). */
  automated: boolean | null;
  branch: string | null;
  /** Times of the earliest and latest entry seen, ISO 8601. */
  startedAt: string | null;
  endedAt: string | null;
}

/** The end of a read of a transcript, with the state that the next read needs. */
export interface ReadCursor {
  /** End of the last complete line that was read, in bytes, and its line number. */
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

/** The turns of a session that an access pattern averages over: all, or the latest 5 or 10. */
export type WindowType = "full" | "recent_5" | "recent_10";

/** How a result was found. */
export type HitSource = "vector" | "keyword" | "file" | "access" | "commit" | "pr" | "title";
