import { basename, dirname, sep } from "node:path";
import type { ReadOptions, TranscriptStep } from "../ingest/transcript/transcript.ts";
import type { Project } from "../io/git/project.ts";
import { realPathIfExists, statIfExists } from "../io/read.ts";
import type { Agent, AgentId, Environment, ListedSession, SourceStamp } from "./agent.ts";
import { antigravity } from "./antigravity/agent.ts";
import { claudeCode } from "./claude-code/agent.ts";
import { folderName, knownDirectories } from "./claude-code/project-sessions.ts";
import { cline } from "./cline/agent.ts";
import { codex } from "./codex/agent.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor/agent.ts";
import { droid } from "./droid.ts";
import { headOf } from "./files.ts";
import { gemini } from "./gemini/agent.ts";
import { membership } from "./membership.ts";
import { opencode } from "./opencode/agent.ts";
import { qwen } from "./qwen.ts";

/** Every agent whose sessions are read. */
export const AGENTS: readonly Agent[] = [
  codex,
  copilot,
  qwen,
  gemini,
  opencode,
  cline,
  antigravity,
  cursor,
  droid,
  claudeCode,
];

/**
 * Returns the agent that wrote a file. If no agent recognises the path, that is Claude Code, since people copy and
 * rename transcripts.
 */
export function agentOf(path: string): Agent {
  return AGENTS.find((agent) => agent.owns(path)) ?? claudeCode;
}

/**
 * Whether a path could be a source: a directory, a file that an agent recognises, or one that has a record in a line near its
 * start, as a copy of a transcript does.
 */
export function couldBeSource(path: string): boolean {
  if (!statIfExists(path)?.isFile() || AGENTS.some((agent) => agent.owns(path))) return true;
  return headOf(path, HEAD_BYTES).split("\n").some(isRecord);
}

/** How much of a file without a known name is searched for a record. A first record may hold a long prompt. */
const HEAD_BYTES = 1_000_000;

function isRecord(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Returns where an agent keeps a session whose id alone is known; null when the id does not tell. */
export function sessionFileOf(id: string, sessionId: string, environment: Environment): string | null {
  const agent = AGENTS.find((known) => known.id === id);
  return agent?.sessionFile?.(sessionId, environment) ?? null;
}

/** Returns the directory with an agent's settings; null for an agent for which nothing is installed. */
export function agentHome(id: string, environment: Environment): string | null {
  return AGENTS.find((agent) => agent.id === id)?.home?.(environment) ?? null;
}

/** Whether an agent has been used on this machine: it has a directory for its settings, or for its sessions. */
export function isUsed(id: string, environment: Environment): boolean {
  const agent = AGENTS.find((known) => known.id === id);
  const directories = agent ? [agent.home?.(environment) ?? null, ...agent.roots(environment)] : [];
  return directories.some((path) => path !== null && statIfExists(path)?.isDirectory() === true);
}

/** Returns the command line that continues a session in its agent; null where the agent has none. */
export function resumeCommand(id: string, sessionId: string): readonly string[] | null {
  return AGENTS.find((agent) => agent.id === id)?.resumeCommand?.(sessionId) ?? null;
}

/** Finds the sources of the project's sessions of all agents; one that is not wanted is not opened. */
export function projectSessions(
  project: Project,
  environment: Environment,
  isWanted: (path: string) => boolean = () => true,
): string[] {
  const query = { project, environment, belongs: membership(project), isWanted };
  return AGENTS.flatMap((agent) => agent.projectSessions(query));
}

/** A session in an agent's list of prompts. */
export interface Listed extends ListedSession {
  /** Id of the agent. */
  client: AgentId;
}

/** Returns the project's sessions that agents list the prompts of and whose transcripts are gone. */
export function sessionsWithoutTranscript(project: Project, environment: Environment): Listed[] {
  const belongs = membership(project);
  return AGENTS.flatMap(({ id, promptList }) =>
    (promptList?.sessions(environment) ?? [])
      .filter(({ cwd }) => belongs(cwd))
      .filter(({ sessionId }) => promptList?.hasTranscript(sessionId, environment) === false)
      .map((session) => ({ ...session, client: id })),
  );
}

/** Lists directories in which an agent was used. Only Claude Code keeps one folder a directory, which is quick to list. */
export function usedDirectories(environment: Environment): Promise<string[]> {
  return knownDirectories(environment);
}

/** Whether Claude Code's folder around a transcript has the name of one for a directory. Several directories share a name. */
export function isInFolderOf(directory: string, transcript: string): boolean {
  return basename(dirname(transcript)).startsWith(folderName(directory));
}

/** Whether a source lies, all links followed, below a directory in which the agent that owns it writes its sessions. */
export function isBelowRoots(path: string, environment: Environment): boolean {
  const real = realPathIfExists(containerOf(path));
  return AGENTS.some((agent) =>
    agent.roots(environment).some((directory) => {
      const root = realPathIfExists(directory);
      return real !== null && root !== null && real.startsWith(root + sep);
    }),
  );
}

/** Returns the file that contains a source. */
export function containerOf(path: string): string {
  return agentOf(path).container?.(path) ?? path;
}

/** Returns the directory in which the session of a source was started; null when that is not known. */
export function startedIn(path: string): string | null {
  return agentOf(path).startedIn?.(path) ?? null;
}

/** Returns the stamp of a source; null when the source is gone. */
export function stampOf(path: string): SourceStamp | null {
  return agentOf(path).stampOf(path);
}

/** Reads a source with the reader of its agent; see `SourceReader`. */
export async function* readSource(path: string, options: ReadOptions): AsyncIterable<TranscriptStep> {
  const read = await agentOf(path).reader();
  yield* read(path, options);
}

/** Finds the sources of all agents at a path; see `Agent.discover`. */
export async function* discoverSessions(path: string): AsyncIterable<string> {
  if (!statIfExists(path)?.isDirectory()) {
    yield* agentOf(path).discover(path);
    return;
  }
  for (const agent of AGENTS) {
    for await (const file of agent.discover(path)) if (agentOf(file) === agent) yield file;
  }
}

/** Lists the source of a session, where it is still there, and the files of its subagents. */
export async function* filesOfSession(session: string): AsyncIterable<string> {
  if (stampOf(session) !== null) yield session;
  const folder = subagentFolder(session);
  if (folder !== null && statIfExists(folder)?.isDirectory()) yield* discoverSessions(folder);
}

/** Returns where the files of a session's subagents are; null when its agent has no such place. */
export function subagentFolder(session: string): string | null {
  return agentOf(session).subagentFolder?.(session) ?? null;
}
