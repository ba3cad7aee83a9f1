import type { Project } from "../git/project.ts";
import type { ReadOptions, TranscriptStep } from "../transcript/transcript.ts";

/** What decides where an agent keeps its files. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
}

/** What the path of a session's file says about its records. */
export interface SourceFile {
  /** The session of records that name none; null when the path does not say. */
  sessionId: string | null;
  /** True when the file is named after its session, whichever sessions its records name. */
  isNamed: boolean;
  /** The subagent whose file it is; null for a main conversation. */
  agentId: string | null;
}

/**
 * A coding agent whose sessions are read. What it writes is known in its folder only: its adapter makes events of its
 * records (`transcript/events.ts`), and everything behind them is the same for all agents.
 */
export interface Agent {
  /** Short name in lower case, as stored and as typed. */
  id: string;
  /** Name as people know it. */
  name: string;
  /** Returns the directory below which this agent writes all its sessions. */
  root: (environment: Environment) => string;
  /**
   * True for a path that this agent may have written. Agents are asked in the order of `AGENTS` and the first one reads
   * the file, so an agent with a narrower test stands before one that takes any `.jsonl`.
   */
  owns: (path: string) => boolean;
  /**
   * Finds the main files of a project's sessions on this machine, by what the files say rather than by the names of
   * their folders. A file that is not wanted is not opened.
   */
  projectSessions: (
    project: Project,
    environment: Environment,
    isWanted?: (file: string) => boolean,
  ) => Promise<string[]>;
  /**
   * Finds the session files at a path: the file itself, or those below a directory, a session before its subagents.
   * Rejects when the path does not exist.
   */
  discover: (path: string) => AsyncIterable<string>;
  /** Returns the directory of the subagents' files of a session; null when this agent has none. */
  subagentFolder: (sessionFile: string) => string | null;
  sourceOf: (path: string) => SourceFile;
  /** Reads a file, or what was added since `options.from`, in steps that can each be stored with their cursor. */
  read: (path: string, options: ReadOptions) => AsyncIterable<TranscriptStep>;
}
