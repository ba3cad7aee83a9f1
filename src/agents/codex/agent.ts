import { basename, join } from "node:path";
import type { Agent } from "../agent.ts";
import { fileStamp, filesBelow } from "../files.ts";
import { isCompressed } from "./compressed.ts";
import { headOfRollout, threadIdOf } from "./head.ts";
import { codexDirectory } from "./home.ts";
import { promptList } from "./prompt-list.ts";
import { rolloutsBelow } from "./rollouts.ts";

/** The names of other agents' files, which need not be opened: a session's id, and a subagent's. */
const OTHERS = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|agent-.+|events|transcript.*)\.jsonl$/i;

/** By its name or, since people copy and rename rollouts, by its first records. */
function owns(path: string): boolean {
  if (threadIdOf(path) !== null) return true;
  return /\.jsonl$/.test(path) && !OTHERS.test(basename(path)) && headOfRollout(path) !== null;
}

/** True for a compressed rollout next to one that is not. Codex is compressing it, or has resumed the thread since. */
function isSuperseded(path: string): boolean {
  return isCompressed(path) && fileStamp(path.slice(0, -".zst".length)) !== null;
}

/**
 * Codex CLI: one file of JSON lines (a rollout) per thread, compressed when it is old. Subagents are threads with their
 * own rollouts.
 */
export const codex: Agent = {
  id: "codex",
  resumeCommand: (sessionId) => ["codex", "resume", sessionId],
  home: codexDirectory,
  roots: (environment) =>
    ["sessions", "archived_sessions"].map((name) => join(codexDirectory(environment), name)),
  owns,
  growth: (path) => (isCompressed(path) ? "replaced" : "appended"),
  stampOf: (path) => (isSuperseded(path) ? null : fileStamp(path)),
  projectSessions({ environment, belongs, isWanted }) {
    const files = codex.roots(environment).flatMap((root) => [...rolloutsBelow(root)]);
    return files.filter((file) => {
      if (!owns(file) || !isWanted(file) || isSuperseded(file)) return false;
      const cwd = headOfRollout(file)?.cwd ?? null;
      return cwd !== null && belongs(cwd);
    });
  },
  startedIn: (path) => headOfRollout(path)?.cwd ?? null,
  discover: (path) => filesBelow(path, (file) => owns(file) && !isSuperseded(file)),
  promptList,
  sourceOf(path) {
    const head = headOfRollout(path);
    return { sessionId: head?.sessionId ?? threadIdOf(path), isNamed: true, agentId: head?.agentId ?? null };
  },
  reader: async () => (await import("./reader.ts")).readRollout,
};
