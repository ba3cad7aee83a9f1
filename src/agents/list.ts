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
import { readHead } from "./files.ts";
import { gemini } from "./gemini/agent.ts";
import { projectMatcher } from "./membership.ts";
import { opencode } from "./opencode/agent.ts";
import { qwen } from "./qwen.ts";

/** All supported agents, in the order in which hooks are recognised: Qwen Code also sets the variable of Gemini CLI. */
export const AGENTS: readonly Agent[] = [
  codex,
  qwen,
  copilot,
  gemini,
  opencode,
  cline,
  antigravity,
  cursor,
  droid,
  claudeCode,
];

/**
 * Returns the agent that wrote a file. If no agent recognises the path, returns Claude Code, since people copy and rename
 * transcripts.
 */
export function agentOf(path: string): Agent {
  return AGENTS.find((agent) => agent.owns(path)) ?? claudeCode;
}

/**
 * Tells whether a path could be a source: a directory, a file that an agent recognises, or a file with a record in a line near
 * its start, such as a copied transcript.
 */
export function couldBeSource(path: string): boolean {
  if (!statIfExists(path)?.isFile() || AGENTS.some((agent) => agent.owns(path))) return true;
  return readHead(path, HEAD_BYTES).split("\n").some(isRecord);
}

/** Bytes of a file with an unknown name to search for a record. A first record may contain a long prompt. */
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

/** Returns the directory with an agent's settings; null for an agent in which nothing is installed. */
export function agentHome(id: string, environment: Environment): string | null {
  return AGENTS.find((agent) => agent.id === id)?.home?.(environment) ?? null;
}

/** Tells whether an agent has been used on this machine: it has a directory of settings or of sessions. */
export function isUsed(id: string, environment: Environment): boolean {
  const agent = AGENTS.find((known) => known.id === id);
  const directories = agent ? [agent.home?.(environment) ?? null, ...agent.roots(environment)] : [];
  return directories.some((path) => path !== null && statIfExists(path)?.isDirectory() === true);
}

/** Returns the command line that continues a session in its agent; null if there is none. */
export function resumeCommand(id: string, sessionId: string): readonly string[] | null {
  return AGENTS.find((agent) => agent.id === id)?.resumeCommand?.(sessionId) ?? null;
}

/** Finds the sources of the project's sessions of all agents, without opening unwanted ones. */
export function projectSessions(
  project: Project,
  environment: Environment,
  isWanted: (path: string) => boolean = () => true,
): string[] {
  const query = { project, environment, belongs: projectMatcher(project), isWanted };
  return AGENTS.flatMap((agent) => agent.projectSessions(query));
}

/** A session in an agent's list of prompts. */
export interface AgentSession extends ListedSession {
  /** Id of the agent. */
  client: AgentId;
}

/** Returns the project's sessions in agents' lists of prompts whose transcripts are gone. */
export function sessionsWithoutTranscript(project: Project, environment: Environment): AgentSession[] {
  const belongs = projectMatcher(project);
  return AGENTS.flatMap(({ id, promptList }) =>
    (promptList?.sessions(environment) ?? [])
      .filter(({ cwd }) => belongs(cwd))
      .filter(({ sessionId }) => promptList?.hasTranscript(sessionId, environment) === false)
      .map((session) => ({ ...session, client: id })),
  );
}

/** Lists directories in which an agent was used. Only Claude Code has one folder per directory, which is quick to list. */
export function usedDirectories(environment: Environment): Promise<string[]> {
  return knownDirectories(environment);
}

/**
 * Tells whether a transcript's folder starts with Claude Code's name for a directory. Also matches its subdirectories, and a
 * neighbour whose name begins the same way.
 */
export function isInFolderOf(directory: string, transcript: string): boolean {
  return basename(dirname(transcript)).startsWith(folderName(directory));
}

/** Tells whether a source, after following links, is below a directory in which its agent writes sessions. */
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

/** Returns the directory in which the session of a source was started; null when unknown. */
export function startDirectory(path: string): string | null {
  return agentOf(path).startedIn?.(path) ?? null;
}

/** Returns the directories in which the session of a source began and ended; null when unknown. */
export function endsOf(path: string): { first: string | null; last: string | null } {
  return { first: startDirectory(path), last: agentOf(path).endedIn?.(path) ?? null };
}

/** Tells whether the session of a source may continue in another directory, so that each turn records its own. */
export function mayMove(path: string): boolean {
  return agentOf(path).endedIn !== undefined;
}

/** Returns the stamp of a source; null when the source is gone. */
export function readStamp(path: string): SourceStamp | null {
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

/** Lists the source of a session, if it still exists, and the files of its subagents. */
export async function* filesOfSession(session: string): AsyncIterable<string> {
  if (readStamp(session) !== null) yield session;
  const folder = subagentFolder(session);
  if (folder !== null && statIfExists(folder)?.isDirectory()) yield* discoverSessions(folder);
}

/** Returns the folder with the files of a session's subagents; null when its agent has none. */
export function subagentFolder(session: string): string | null {
  return agentOf(session).subagentFolder?.(session) ?? null;
}
