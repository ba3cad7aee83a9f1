import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { fileStamp, filesBelow } from "../files.ts";
import { isCompressed } from "./compressed.ts";
import { headOfRollout, threadIdOf } from "./head.ts";
import { codexDirectory } from "./home.ts";
import { projectSessions } from "./project-sessions.ts";
import { promptList } from "./prompt-list.ts";

function owns(path: string): boolean {
  return threadIdOf(path) !== null;
}

/** True for a compressed rollout next to one that is not. Codex is compressing it, or has resumed the thread since. */
function isSuperseded(path: string): boolean {
  return isCompressed(path) && fileStamp(path.slice(0, -".zst".length)) !== null;
}

/** Codex CLI: one file of JSON lines (a rollout) per thread, compressed when it is old. Subagents are threads with their own rollouts. */
export const codex: Agent = {
  id: "codex",
  resumeCommand: (sessionId) => ["codex", "resume", sessionId],
  home: codexDirectory,
  roots: (environment) =>
    ["sessions", "archived_sessions"].map((name) => join(codexDirectory(environment), name)),
  owns,
  growth: (path) => (isCompressed(path) ? "replaced" : "appended"),
  stampOf: (path) => (isSuperseded(path) ? null : fileStamp(path)),
  container: (path) => path,
  projectSessions: (project, environment, isWanted = () => true) =>
    projectSessions(
      codex.roots(environment),
      project,
      (file) => owns(file) && isWanted(file) && !isSuperseded(file),
    ),
  startedIn: (path) => headOfRollout(path)?.cwd ?? null,
  discover: (path) => filesBelow(path, (file) => owns(file) && !isSuperseded(file)),
  promptList,
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
