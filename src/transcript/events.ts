import type { TitleSource } from "../domain.ts";
import type { EntryText } from "./transcript.ts";

/** When, where and by what a record of a session was written; null for what it does not say. */
export interface RecordContext {
  /** ISO 8601. */
  timestamp: string | null;
  cwd: string | null;
  branch: string | null;
  /** Version of the agent. */
  version: string | null;
  model: string | null;
}

/**
 * The content of a session's record in a form that all agents share. The adapter of an agent converts its records to
 * events, and the recorder builds turns from events.
 */
export type TranscriptEvent = TitleEvent | PrLinkEvent | ConversationEvent | SkippedEvent;

/** A title of a session; null when the record has none. */
export interface TitleEvent {
  kind: "title";
  /** Null: the session of the record before. */
  sessionId: string | null;
  source: TitleSource;
  title: string | null;
}

/** A pull request that was opened in a session; null when the record does not say which. */
export interface PrLinkEvent {
  kind: "pr_link";
  sessionId: string | null;
  link: { number: number; url: string; repository: string; timestamp: string | null } | null;
}

/** A record that says nothing. */
export interface SkippedEvent {
  kind: "skipped";
  /** What its line is counted under. */
  reason: string;
}

/** A record of a conversation: a session's main one, or that of one of its subagents. */
export interface ConversationEvent extends RecordContext {
  kind: "conversation";
  /** The record's identity: it stays the same when the record is written again or copied to another session. */
  uuid: string | null;
  /** Null: the session of the record before. */
  sessionId: string | null;
  /** Null for the main conversation. */
  agentId: string | null;
  /** True when a person typed this, even where a program started the session. */
  isTyped: boolean;
  /** Whether a program drives the session, as far as this record knows. */
  isAutomated: boolean | null;
  message: Message;
}

export type Message = Said | Work | Results | Recap | CompactionMark;

/** What was said to the agent, or why nothing was. */
export type Said = Prompt | Command | CompactionSummary | SkippedEvent;

/** A prompt starts a turn. Only what a person, a program or another agent asked for is one, without injected text. */
export interface Prompt {
  kind: "prompt";
  text: string;
  /** Written by an agent that works in the same team. */
  isTeammate: boolean;
  /** Written while the agent worked; it may be recorded a second time when its turn comes. */
  isQueued: boolean;
}

/** A command of the agent, such as `/review 12`: it becomes a prompt when work follows. */
export interface Command {
  kind: "command";
  text: string;
}

/** The summary that took the place of a long context; it is a turn and ends the one before. */
export interface CompactionSummary {
  kind: "compaction_summary";
  text: string;
}

/** What the assistant thought, answered and did. */
export interface Work {
  kind: "work";
  texts: readonly EntryText[];
  calls: readonly ToolCall[];
}

/** What tools returned, and what was said in the same record. */
export interface Results {
  kind: "results";
  results: readonly ToolResult[];
  said: Said | null;
}

/** A summary for a person who was away: a turn that ends no other. */
export interface Recap {
  kind: "recap";
  text: string;
}

/** The place where a long context was replaced. */
export interface CompactionMark {
  kind: "compaction";
  trigger: string | null;
  preTokens: number | null;
}

export interface ToolCall {
  id: string | null;
  /**
   * The name that every agent's tool of this kind gets: `Read`, `Edit`, `Write`, `NotebookEdit`, `Grep`, `Glob`, `Bash`,
   * `Task`, `Skill`, `WebFetch`, `WebSearch`; any other tool keeps its own.
   */
  name: string;
  /** What its summary shows; null when it has none, as bookkeeping. */
  shown: readonly ToolArgument[] | null;
  /** Files and directories that it touched, as the tool was given them. */
  paths: readonly string[];
  /** A text that names what it looked for on the web. */
  web: string | null;
  /** The shell command that it ran. */
  command: string | null;
  /** True when its result holds words of the conversation: answers of the user, or a report. */
  returnsWords: boolean;
}

/** `key="value"` in a summary; without a key the value stands alone. Without a value nothing is shown. */
export interface ToolArgument {
  key: string | null;
  value: string | null;
  isPath: boolean;
}

export interface ToolResult {
  callId: string | null;
  isError: boolean;
  /** What the tool printed; for a failure its reason, without what the agent wraps around it. */
  text: string;
  /** What the user answered to questions. */
  answers: readonly Answer[];
  /** What a subagent reported; its end is kept. */
  report: string | null;
  /** A plan of the agent, where its call did not say it. */
  plan: string | null;
}

/** A question that the agent asked, and what the user decided. */
export interface Answer {
  question: string;
  answer: string;
  notes: string | null;
}
