import { sep } from "node:path";
import type { Project } from "../git/project.ts";
import { realPathIfExists, statIfExists } from "../io/read.ts";
import type { Agent, Environment } from "./agent.ts";
import { claudeCode } from "./claude-code/agent.ts";

/** Every agent whose sessions are read. */
export const AGENTS: readonly Agent[] = [claudeCode];

/** Returns the agent that wrote a file; Claude Code for one that nobody owns, since people copy and rename transcripts. */
export function agentOf(path: string): Agent {
  return AGENTS.find((agent) => agent.owns(path)) ?? claudeCode;
}

/** Finds the main files of the project's sessions of all agents; one that is not wanted is not opened. */
export async function projectSessions(
  project: Project,
  environment: Environment,
  isWanted?: (file: string) => boolean,
): Promise<string[]> {
  const found = await Promise.all(
    AGENTS.map((agent) => agent.projectSessions(project, environment, isWanted)),
  );
  return found.flat();
}

/** Whether a file lies, all links followed, below the directory in which some agent writes its sessions. */
export function isBelowRoots(path: string, environment: Environment): boolean {
  const real = realPathIfExists(path);
  return AGENTS.some((agent) => {
    const root = realPathIfExists(agent.root(environment));
    return real !== null && root !== null && real.startsWith(root + sep);
  });
}

/** Finds the session files at a path; see `Agent.discover`. */
export function discoverSessions(path: string): AsyncIterable<string> {
  return agentOf(path).discover(path);
}

/** Lists the file of a session, where it is still there, and those of its subagents. */
export async function* filesOfSession(sessionFile: string): AsyncIterable<string> {
  if (statIfExists(sessionFile)?.isFile()) yield sessionFile;
  const folder = subagentFolder(sessionFile);
  if (folder !== null && statIfExists(folder)?.isDirectory()) yield* discoverSessions(folder);
}

/** Returns where the files of a session's subagents are; null when its agent has no such place. */
export function subagentFolder(sessionFile: string): string | null {
  return agentOf(sessionFile).subagentFolder(sessionFile);
}
