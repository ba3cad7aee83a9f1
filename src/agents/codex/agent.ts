import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { fileStamp, filesBelow } from "../files.ts";
import { headOfRollout, threadIdOf } from "./head.ts";
import { codexDirectory } from "./home.ts";
import { projectSessions } from "./project-sessions.ts";

function owns(path: string): boolean {
  return threadIdOf(path) !== null;
}

/** Codex CLI: one file of JSON lines (a rollout) per thread. Subagents are threads with their own rollouts. */
export const codex: Agent = {
  id: "codex",
  name: "Codex",
  resumeCommand: (sessionId) => ["codex", "resume", sessionId],
  home: codexDirectory,
  roots: (environment) =>
    ["sessions", "archived_sessions"].map((name) => join(codexDirectory(environment), name)),
  owns,
  growth: () => "appended",
  stampOf: fileStamp,
  container: (path) => path,
  projectSessions: (project, environment, isWanted = () => true) =>
    projectSessions(codex.roots(environment), project, (file) => owns(file) && isWanted(file)),
  discover: (path) => filesBelow(path, owns),
  subagentFolder: () => null,
  sourceOf(path) {
    const head = headOfRollout(path);
    return { sessionId: head?.sessionId ?? threadIdOf(path), isNamed: true, agentId: head?.agentId ?? null };
  },
  async *read(path, options) {
    const { readRollout } = await import("./reader.ts");
    yield* readRollout(path, options);
  },
};
