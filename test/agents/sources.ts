import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Environment } from "../../src/agents/agent.ts";
import { filesOfSession } from "../../src/agents/list.ts";
import { projectMatcher } from "../../src/agents/membership.ts";
import { findProject, type Project } from "../../src/io/git/project.ts";
import { type Contents, contentsOf } from "../ingest/contents.ts";
import { TestMemory } from "../ingest/memory.ts";
import { SCRATCH } from "../support/scratch.ts";

/** Calls `work` with an empty home directory. */
export async function withHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(SCRATCH, "mementor-home-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The sessions of one agent in a project. */
export function sessionsOf(
  agent: Agent,
  project: Project,
  environment: Environment,
  isWanted: (path: string) => boolean = () => true,
): string[] {
  return agent.projectSessions({ project, environment, belongs: projectMatcher(project), isWanted });
}

/** All sources of a project in a home directory, each session before its subagents. */
export async function sourcesOf(agent: Agent, homeDir: string, project: string): Promise<string[]> {
  const environment = { env: {}, homeDir, platform: "linux" as const };
  const sources: string[] = [];
  for (const session of sessionsOf(agent, findProject(project), environment))
    for await (const source of filesOfSession(session)) sources.push(source);
  return sources;
}

/** Ingests sources one after the other into an empty memory. */
export async function ingested(sources: readonly string[]): Promise<Contents> {
  await using memory = await TestMemory.create();
  await memory.ingest(sources, { textOnly: true });
  return contentsOf(memory.file);
}
