import { closeSync, openSync, readSync } from "node:fs";
import type { ReadOptions, TranscriptStep } from "../ingest/transcript/transcript.ts";
import type { Project } from "../io/git/project.ts";
import { type JsonObject, parseObject } from "../io/json.ts";
import { OPEN_UNTRUSTED, statIfExists } from "../io/read.ts";
import { onOneLine } from "../text/lines.ts";

/** What determines where an agent keeps its files. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  platform: NodeJS.Platform;
}

/** A file of an agent's own memory. It need not exist. */
export interface MemoryFile {
  path: string;
  /** How many of its lines the agent loads; null for all. */
  lines: number | null;
}

/** What the path of a session's file reveals about its records. */
export interface SourceFile {
  /** The session of records that name none; null when the path does not say. */
  sessionId: string | null;
  /** True when the file is named after its session, whichever sessions its records name. */
  isNamed: boolean;
  /** The subagent whose file it is; null for a main conversation. */
  agentId: string | null;
}

/** The size and times of a source. They change whenever its content changes. */
export interface SourceStamp {
  /** Bytes of a file. For a session in a database, any number that grows with it. */
  size: number;
  /** Time of the last change of its content, in ms. */
  mtimeMs: number;
  /** Time when it was created here or last changed, in ms: a copy of an old file is new. */
  ctimeMs: number;
}

/**
 * How a source changes. `appended`: it grows at its end, and a read continues where the last one stopped. A file
 * whose start has changed is read again from its start. `replaced`: it is rewritten with each change, or is in a
 * database, and is read whole each time. In both cases, turns keep their ids by the `uuid` of their first entry.
 */
type Growth = "appended" | "replaced";

/** Which sessions to find. */
export interface SessionQuery {
  project: Project;
  environment: Environment;
  /** Whether a working directory belongs to the project. */
  belongs: (cwd: string) => boolean;
  isWanted: (path: string) => boolean;
}

/** Reads a source, or what was added since `options.from`, in steps that can each be stored with their cursor. */
export type SourceReader = (path: string, options: ReadOptions) => AsyncIterable<TranscriptStep>;

/**
 * A coding agent whose sessions are read. Only its folder knows its format: its adapter converts its records to
 * events (`ingest/transcript/events.ts`), and everything after that is the same for all agents.
 *
 * A path identifies a session. If a database contains several sessions, the path is that of the database with the
 * session's id as one more segment. `container` returns the file itself.
 */
export interface Agent {
  /** Short name in lower case, as stored and as typed. `names.ts` has the name that people know. */
  id: AgentId;
  /** Returns the directory with this agent's settings. Absent for an agent for which nothing is installed. */
  home?: (environment: Environment) => string;
  /** Returns the directory in which the session of a source was started; null when its records do not say. */
  startedIn?: (path: string) => string | null;
  /** Returns the path of a session, for hooks that name it only by its id; for a subagent, `<session id>/<its id>`. */
  sessionFile?: (sessionId: string, environment: Environment) => string;
  /** Returns the command line that continues a session in this agent; absent where it has none. */
  resumeCommand?: (sessionId: string) => readonly string[];
  /** Returns the directories below which this agent writes all its sessions. */
  roots: (environment: Environment) => readonly string[];
  /**
   * True for a path that this agent may have written. Agents are asked in the order of `AGENTS`, and the first one
   * reads the file. So an agent with a narrower test precedes one that accepts any `.jsonl`. The path may no longer
   * exist.
   */
  owns: (path: string) => boolean;
  growth: (path: string) => Growth;
  /** Returns the stamp of a source without reading it; null when the source is gone. */
  stampOf: (path: string) => SourceStamp | null;
  /** Returns the file that contains a source; absent where each source is a file. */
  container?: (path: string) => string;
  /**
   * Finds the sources of a project's sessions on this machine, without those that `filesOfSession` adds. Uses the
   * working directory in the records rather than the names of folders. Does not open a source that is not wanted.
   */
  projectSessions: (query: SessionQuery) => string[];
  /**
   * Finds the sources at a path: the source itself, or those below a directory, a session before its subagents.
   * Rejects when the path does not exist.
   */
  discover: (path: string) => AsyncIterable<string>;
  /** Returns the directory of the subagents' files of a session. Absent where `projectSessions` finds them. */
  subagentFolder?: (sessionFile: string) => string | null;
  sourceOf: (path: string) => SourceFile;
  /**
   * Returns a name of the conversation in a source that is no subagent's, the same for all its sources; null for a source
   * without a prompt. Absent for an agent that writes one source for each conversation, and only once somebody has said
   * something.
   */
  conversationOf?: (path: string) => string | null;
  /** The list of prompts that outlives this agent's transcripts; absent for an agent without one. */
  promptList?: PromptList;
  /** Loads what reads a source: most commands only look for sources. */
  reader: () => Promise<SourceReader>;
}

/** An agent's list of prompts, which outlives its transcripts. */
export interface PromptList {
  /** Returns the sessions that the list names, those without a known directory left out. */
  sessions: (environment: Environment) => ListedSession[];
  /** Whether the transcript of a session is still there. */
  hasTranscript: (sessionId: string, environment: Environment) => boolean;
}

/** The agents whose sessions are read, by id. Apart from the agents themselves: a list shows a name and reads no session. */
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

/** Returns the ids of the agents whose sessions are read. */
export function agentIds(): AgentId[] {
  return Object.keys(NAMES) as AgentId[];
}

/** Returns an agent's name as people know it; the id itself for an agent of a newer version. */
export function agentName(id: string): string {
  return isAgent(id) ? NAMES[id] : onOneLine(id);
}

/** Whether sessions of this agent are read: another id may be of a newer version, or an invention. */
export function isAgent(id: string): id is AgentId {
  return Object.hasOwn(NAMES, id);
}

/** A prompt that an agent lists apart from its sessions. */
interface ListedPrompt {
  text: string;
  /** ISO 8601. */
  time: string;
}

/** A session as an agent's list of prompts knows it. */
export interface ListedSession {
  sessionId: string;
  /** The directory in which its prompts were typed. */
  cwd: string;
  /** In order of time, at least one. */
  prompts: readonly ListedPrompt[];
}

/** Of a longer list, only the end is read: the newest prompts. */
const MAX_BYTES = 64 << 20;

/** Returns the records of a list of prompts; empty when it cannot be read. */
export function recordsOf(file: string): JsonObject[] {
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

/** What a record says of one prompt. */
export interface PromptRecord {
  sessionId: string | null;
  cwd: string | null;
  text: string;
  timeMs: number | null;
}

/** Groups records by session. One without a session, a directory, a time or words is left out. */
export function sessionsOf(records: readonly PromptRecord[]): ListedSession[] {
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
