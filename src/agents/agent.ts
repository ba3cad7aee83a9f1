import { closeSync, openSync, readSync } from "node:fs";
import type { ReadOptions, TranscriptStep } from "../ingest/transcript/transcript.ts";
import type { Project } from "../io/git/project.ts";
import { type JsonObject, parseObject } from "../io/json.ts";
import { OPEN_UNTRUSTED, statIfExists } from "../io/read.ts";
import { onOneLine } from "../text/lines.ts";
import type { HookPayload } from "./hook-payload.ts";

/** The surroundings that determine where an agent keeps its files. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  platform: NodeJS.Platform;
}

/** A file of an agent's own memory. It need not exist. */
export interface MemoryFile {
  path: string;
  /** Number of lines that the agent loads; null for all. */
  lines: number | null;
}

/** Facts about a session's records that follow from the path of its file. */
export interface SourceFile {
  /** Session of records that name none; null when the path does not tell. */
  sessionId: string | null;
  /** True when the file is named after its session, whatever sessions its records name. */
  isNamed: boolean;
  /** The subagent of the file; null for a main conversation. */
  agentId: string | null;
}

/** The size and times of a source. They change whenever its content changes. */
export interface SourceStamp {
  /** Size of a file in bytes. For a session in a database, any number that grows with it. */
  size: number;
  /** Time of the last change of content, in ms. */
  mtimeMs: number;
  /** Time of creation here or of the last change, in ms. A copy of an old file counts as new. */
  ctimeMs: number;
}

/**
 * How a source changes. `appended`: it grows at its end, and a read continues where the last one stopped; a file whose start has
 * changed is read again from its start. `replaced`: it is rewritten with each change, or is in a database, and is read whole each
 * time. In both cases, turns keep their ids by the `uuid` of their first entry.
 */
type Growth = "appended" | "replaced";

/** Conditions on the sessions to find. */
export interface SessionQuery {
  project: Project;
  environment: Environment;
  /** Tells whether a working directory belongs to the project. */
  belongs: (cwd: string) => boolean;
  isWanted: (path: string) => boolean;
}

/** Reads a source, or its part after `options.from`, in steps that can each be stored with their cursor. */
export type SourceReader = (path: string, options: ReadOptions) => AsyncIterable<TranscriptStep>;

/**
 * A coding agent whose sessions are read. Only its folder knows its format: its adapter converts its records to
 * events (`ingest/transcript/events.ts`), and everything after that is the same for all agents.
 *
 * A path identifies a session. If a database contains several sessions, the path is that of the database with the
 * session's id as one more segment. `container` returns the file itself.
 */
export interface Agent {
  /** Short name in lower case, as stored and typed. `names.ts` has the display name. */
  id: AgentId;
  /** Returns the directory with this agent's settings. Absent for an agent in which nothing is installed. */
  home?: (environment: Environment) => string;
  /** Returns the directory in which the session of a source was started; null when its records do not tell. */
  startedIn?: (path: string) => string | null;
  /**
   * Returns the directory in which the session is now; absent if sessions never change their directory, or the first one suffices
   * to find them.
   */
  endedIn?: (path: string) => string | null;
  /** How it calls hooks; absent where that is as Claude Code does. */
  hooks?: AgentHooks;
  /** Returns the command line that continues a session in this agent; absent if there is none. */
  resumeCommand?: (sessionId: string) => readonly string[];
  /** Returns the directories that contain all the sessions this agent writes. */
  roots: (environment: Environment) => readonly string[];
  /**
   * Tells whether this agent may have written a path. The first agent in `AGENTS` that owns a file reads it, so an agent with a
   * narrower test precedes one that accepts any `.jsonl`. The path may no longer exist.
   */
  owns: (path: string) => boolean;
  growth: (path: string) => Growth;
  /** Returns the stamp of a source without reading it; null when the source is gone. */
  stampOf: (path: string) => SourceStamp | null;
  /** Returns the file that contains a source; absent where each source is a file. */
  container?: (path: string) => string;
  /**
   * Finds the sources of a project's sessions on this machine, except those that `filesOfSession` adds. Uses the working
   * directories in the records rather than the names of folders. Does not open unwanted sources.
   */
  projectSessions: (query: SessionQuery) => string[];
  /**
   * Finds the sources at a path: the source itself, or those below a directory, a session before its subagents. Rejects when the
   * path does not exist.
   */
  discover: (path: string) => AsyncIterable<string>;
  /** Returns the directory with the files of a session's subagents. Absent if `projectSessions` finds them. */
  subagentFolder?: (sessionFile: string) => string | null;
  sourceOf: (path: string) => SourceFile;
  /**
   * Returns the name of a main conversation in a source, the same for all its sources; null for a source without a prompt. Absent
   * for an agent that writes one source per conversation, starting with the first message.
   */
  conversationOf?: (path: string) => string | null;
  /** The list of prompts that outlives this agent's transcripts; absent for an agent without one. */
  promptList?: PromptList;
  /** Loads the reader, because most commands only look for sources. */
  reader: () => Promise<SourceReader>;
}

/** How an agent calls hooks, in so far as it does not do so as Claude Code does. */
export interface AgentHooks {
  /** Its names for the events, besides Claude Code's. */
  events?: readonly string[];
  /** A variable that it sets for its hooks. */
  variable?: string;
  /**
   * Whether it calls, by fields that nobody else writes; null for a payload without them. `named` is the agent on the command
   * line. Counts before the transcript.
   */
  claims?: (payload: HookPayload, named: string | null) => boolean | null;
  /** Whether a payload looks like this agent's. Counts where the transcript does not tell. */
  resembles?: (payload: HookPayload) => boolean;
  /** Returns a payload with Claude Code's field names, and without text that nobody typed. */
  normalize?: (payload: HookPayload, environment: Environment) => Partial<HookPayload>;
  /** Returns the answer to an event, by the agent's name, for stdout; null for one in Claude Code's format. */
  answer?: (event: string | null, text: string) => string | null;
}

/** An agent's list of prompts, which outlives its transcripts. */
export interface PromptList {
  /** Returns the listed sessions, without those of unknown directories. */
  sessions: (environment: Environment) => ListedSession[];
  /** Tells whether the transcript of a session still exists. */
  hasTranscript: (sessionId: string, environment: Environment) => boolean;
}

/** Display names of the supported agents by id. In a module of its own, since a list shows names without reading sessions. */
const NAMES = {
  antigravity: "Antigravity CLI",
  "claude-code": "Claude Code",
  cline: "Cline",
  codex: "Codex",
  copilot: "Copilot CLI",
  cursor: "Cursor",
  droid: "Droid",
  gemini: "Gemini CLI",
  opencode: "opencode",
  qwen: "Qwen Code",
} as const;

export type AgentId = keyof typeof NAMES;

/** Returns the ids of the supported agents. */
export function agentIds(): AgentId[] {
  return Object.keys(NAMES) as AgentId[];
}

/** Returns an agent's display name; the id itself for an agent of a newer version. */
export function agentName(id: string): string {
  return isAgent(id) ? NAMES[id] : onOneLine(id);
}

/** Tells whether this version supports an agent. Other ids may come from a newer version, or be made up. */
export function isAgent(id: string): id is AgentId {
  return Object.hasOwn(NAMES, id);
}

/** A prompt in an agent's list of prompts. */
interface ListedPrompt {
  text: string;
  /** ISO 8601. */
  time: string;
}

/** A session in an agent's list of prompts. */
export interface ListedSession {
  sessionId: string;
  /** The directory in which its prompts were typed. */
  cwd: string;
  /** In order of time, at least one. */
  prompts: readonly ListedPrompt[];
}

/** Maximum bytes to read of a list, from its end, which has the newest prompts. */
const MAX_BYTES = 64 << 20;

/** Returns the records of a list of prompts; empty when it cannot be read. */
export function promptRecords(file: string): JsonObject[] {
  return endOf(file)
    .split("\n")
    .map(parseObject)
    .filter((record) => record !== null && record !== undefined);
}

function endOf(file: string): string {
  const size = statIfExists(file)?.size ?? 0;
  if (size === 0) return "";
  const bytes = Math.min(size, MAX_BYTES);
  try {
    const descriptor = openSync(file, OPEN_UNTRUSTED.links);
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, bytes, size - bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}

/** A record of one prompt in such a list. */
export interface PromptRecord {
  sessionId: string | null;
  cwd: string | null;
  text: string;
  timeMs: number | null;
}

/** Groups records by session. Leaves out records without a session, a directory, a time or words. */
export function groupBySession(records: readonly PromptRecord[]): ListedSession[] {
  const found = new Map<string, { cwd: string; prompts: ListedPrompt[] }>();
  for (const { sessionId, cwd, text, timeMs } of records) {
    if (sessionId === null || cwd === null || timeMs === null || text.trim() === "") continue;
    const time = new Date(timeMs);
    if (Number.isNaN(time.getTime())) continue;
    const session = found.get(sessionId) ?? { cwd, prompts: [] };
    session.prompts.push({ text: text.trim(), time: time.toISOString() });
    found.set(sessionId, session);
  }
  return [...found].map(([sessionId, { cwd, prompts }]) => ({
    sessionId,
    cwd,
    prompts: prompts.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))),
  }));
}
