/** The words of the field, as types only; see the README's "How it works" for what they mean. */

import type { TurnText } from "./turn/text.ts";

/** `turn` for ordinary work; the two summaries are texts that Claude Code wrote about earlier work. */
export type TurnRole = "turn" | "compaction_summary" | "away_summary";

/** Who gave the prompt of a turn. */
export type TurnOrigin = "human" | "teammate" | "automated" | "subagent";

/** One resource that a turn touched: a path relative to the project root, an absolute path outside it, or a URL. */
export interface FileMention {
  filePath: string;
  /** The tool that touched it (`Read`, `Edit`, `WebFetch`, ...) or `mention` for an `@path` in the prompt. */
  toolName: string;
}

/** A commit made during a turn. */
export interface Commit {
  hash: string;
  message: string;
}

/** One turn of a transcript, complete and redacted, ready to be stored. Its text is what is embedded and shown. */
export interface Turn extends TurnText {
  sessionId: string;
  /** Null for the main conversation. */
  agentId: string | null;
  isSidechain: boolean;
  /** Zero-based line of the entry that starts the turn, in its transcript. */
  lineIndex: number;
  /** True while the prompt that ends the turn is not there yet. */
  provisional: boolean;
  role: TurnRole;
  origin: TurnOrigin;
  /** One summary per tool call, de-duplicated, in order. */
  toolSummary: string[];
  mentions: FileMention[];
  commits: Commit[];
  /** ISO 8601, of the entry that starts the turn; null when the transcript has none. */
  createdAt: string | null;
  /** ISO 8601, of the turn's last entry. */
  endedAt: string | null;
  branch: string | null;
  cwd: string | null;
  model: string | null;
  clientVersion: string | null;
  /** `uuid` of the entry that starts the turn; what identifies the turn when its line moves. */
  promptUuid: string | null;
  /** `uuid` of every entry whose content is in the turn, the first included. */
  entryUuids: string[];
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

export type TitleSource = "summary" | "custom-title" | "ai-title";

/** What a transcript tells about its session; a null says nothing and changes nothing. */
export interface SessionFacts {
  sessionId: string;
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

/** What a transcript tells about one subagent of a session. */
export interface SubagentFacts {
  sessionId: string;
  agentId: string;
  agentType: string | null;
  task: string | null;
}

/** A turn copied from another session by resume or fork: it is indexed there, and seen by Claude here. */
export interface TurnCopy {
  sessionId: string;
  lineIndex: number;
  turnId: number;
}

/** The windows of an access pattern (seed 002). */
export type WindowType = "full" | "recent_5" | "recent_10";

/** How a result was found. */
export type HitSource = "vector" | "keyword" | "file" | "access" | "commit" | "pr";
