import type { Project } from "../git/project.ts";
import type { ReadOptions, TranscriptStep } from "../transcript/transcript.ts";

/** What determines where an agent keeps its files. */
export interface Environment {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  platform: NodeJS.Platform;
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
  /** Bytes of a file; for a session of a database, any number that grows with it. */
  size: number;
  /** When its content was last changed, ms. */
  mtimeMs: number;
  /** When it came here or was last changed, ms: a copy of an old file is new. */
  ctimeMs: number;
}

/**
 * How a source changes. `appended`: it grows at its end, and a read continues where the one before stopped; a file whose
 * start has changed is read again from its start. `replaced`: it is written anew with each change, or lies in a database,
 * and is read whole each time. Either way turns keep their ids by the `uuid` of their first entry.
 */
export type Growth = "appended" | "replaced";

/**
 * A coding agent whose sessions are read. What it writes is known in its folder only: its adapter makes events of its
 * records (`transcript/events.ts`), and everything behind them is the same for all agents.
 *
 * A session is known by a path. Where a database holds several sessions, the path is that of the database with the
 * session's id as one more segment; `container` says which file is meant.
 */
export interface Agent {
  /** Short name in lower case, as stored and as typed. */
  id: string;
  /** Name as people know it. */
  name: string;
  /** Returns the directory that holds this agent's settings; absent where nothing is installed for it. */
  home?: (environment: Environment) => string;
  /** Returns where a session lies, for hooks that name it by its id alone. */
  sessionFile?: (sessionId: string, environment: Environment) => string;
  /** Returns the directories below which this agent writes all its sessions. */
  roots: (environment: Environment) => readonly string[];
  /**
   * True for a path that this agent may have written. Agents are asked in the order of `AGENTS` and the first one reads
   * the file, so an agent with a narrower test stands before one that takes any `.jsonl`. The path may not exist any more.
   */
  owns: (path: string) => boolean;
  growth: (path: string) => Growth;
  /** Returns what a source looks like without reading it; null when it is gone. */
  stampOf: (path: string) => SourceStamp | null;
  /** Returns the file on disk that holds a source. */
  container: (path: string) => string;
  /**
   * Finds the sources of a project's sessions on this machine, without those that `filesOfSession` adds, by the working
   * directory that the records name rather than by the names of folders. A source that is not wanted is not opened.
   */
  projectSessions: (
    project: Project,
    environment: Environment,
    isWanted?: (path: string) => boolean,
  ) => Promise<string[]>;
  /**
   * Finds the sources at a path: the source itself, or those below a directory, a session before its subagents.
   * Rejects when the path does not exist.
   */
  discover: (path: string) => AsyncIterable<string>;
  /** Returns the directory of the subagents' files of a session; null when this agent has none. */
  subagentFolder: (sessionFile: string) => string | null;
  sourceOf: (path: string) => SourceFile;
  /** Reads a source, or what was added since `options.from`, in steps that can each be stored with their cursor. */
  read: (path: string, options: ReadOptions) => AsyncIterable<TranscriptStep>;
}
