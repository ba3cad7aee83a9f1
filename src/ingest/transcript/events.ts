import type { Sender, TitleSource } from "../../domain.ts";
import type { EntryText } from "./transcript.ts";

/** Time, place and version of a record; null for unknown values. */
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
 * The content of a session's record in a form that all agents share. An agent's adapter converts its records to events, and the
 * recorder builds turns from events.
 */
export type TranscriptEvent = TitleEvent | PrLinkEvent | RewindEvent | ConversationEvent | SkippedEvent;

/** A title of a session; null when the record has none. */
export interface TitleEvent {
  kind: "title";
  /** Null for the session of the previous record. */
  sessionId: string | null;
  source: TitleSource;
  title: string | null;
}

/** A pull request that was opened in a session; null when the record does not identify it. */
export interface PrLinkEvent {
  kind: "pr_link";
  sessionId: string | null;
  link: { number: number; url: string; repository: string; timestamp: string | null } | null;
}

/** The user took back a record and everything after it. */
export interface RewindEvent {
  kind: "rewind";
  /** Null for the session of the previous record. */
  sessionId: string | null;
  /** The first record that was taken back. */
  uuid: string;
}

/** A record without content to store. */
export interface SkippedEvent {
  kind: "skipped";
  /** Kind under which its line is counted. */
  reason: string;
}

/** A record of a conversation: a session's main one, or that of one of its subagents. */
export interface ConversationEvent extends RecordContext {
  kind: "conversation";
  /** Identity of the record, which stays the same when the record is written again or copied to another session. */
  uuid: string | null;
  /** Null for the session of the previous record. */
  sessionId: string | null;
  /** Null for the main conversation. */
  agentId: string | null;
  /** True when a person typed it, even in a session that a program started. */
  isTyped: boolean;
  /** True when a program drives the session; null when the record does not tell. */
  isAutomated: boolean | null;
  message: Message;
}

export type Message = Said | AgentWork | ToolResults | RecapMessage | CompactionMark;

/** A message to the agent, or the reason why there is none. */
export type Said = Prompt | Command | CompactionSummary | SkippedEvent;

/** A prompt, which starts a turn. Only a request of a person, a program or another agent is a prompt, without injected text. */
export interface Prompt {
  kind: "prompt";
  text: string;
  /** Its sender, unless that is a person or the program that drives the session. */
  by?: Sender;
  /** True for a plan of the agent that its user accepted, as the client records it. */
  isPlan?: boolean;
  /** True when it was written while the agent worked. It may be recorded again when its turn starts. */
  isQueued: boolean;
}

/** A command of the agent, such as `/review 12`. It becomes a prompt when work follows. */
export interface Command {
  kind: "command";
  text: string;
}

/** The summary that replaced a long context. It is a turn by itself, and ends the turn before it. */
export interface CompactionSummary {
  kind: "compaction_summary";
  text: string;
}

/** The assistant's thinking, answers and tool calls. */
export interface AgentWork {
  kind: "work";
  texts: readonly EntryText[];
  calls: readonly ToolCall[];
}

/** Results of tools, and text in the same record. */
export interface ToolResults {
  kind: "results";
  results: readonly ToolResult[];
  said: Said | null;
}

/** A summary for a person who was away. It is a turn by itself, but does not end the turn before it. */
export interface RecapMessage {
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
   * Name of this kind of tool, common to all agents: `Read`, `Edit`, `Write`, `NotebookEdit`, `Grep`, `Glob`, `Bash`, `Task`,
   * `Skill`, `WebFetch`, `WebSearch`. Any other tool has its own name.
   */
  name: string;
  /** Arguments in the call's summary; null for a call without one, such as bookkeeping. */
  shown: readonly ToolArgument[] | null;
  /** Files and directories that it touched, as given to the tool. */
  paths: readonly string[];
  /** A text with the web addresses that it requested. */
  web: string | null;
  /** The shell command that it ran. */
  command: string | null;
  /** True when its result contains words of the conversation: the user's answers, or a report. */
  returnsWords: boolean;
}

/** An argument in a summary: `key="value"`, or only the value without a key. Left out without a value. */
export interface ToolArgument {
  key: string | null;
  value: string | null;
  isPath: boolean;
}

export interface ToolResult {
  callId: string | null;
  isError: boolean;
  /** The tool's output. For a failure, its reason without the agent's wrapping. */
  text: string;
  /** The user's answers to questions. */
  answers: readonly Answer[];
  /** A subagent's report. Only its end is stored. */
  report: string | null;
  /** A plan, if the call does not contain it. */
  plan: string | null;
}

/** A question that the agent asked, and the user's answer. */
export interface Answer {
  question: string;
  answer: string;
  notes: string | null;
}
