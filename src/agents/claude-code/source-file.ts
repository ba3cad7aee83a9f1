import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { objectOf, parseObject, stringOf } from "../../transcript/json.ts";
import type { SourceFile } from "../agent.ts";

const AGENT_FILE = /^agent-(.+)\.jsonl$/;
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the ids in a path: `<session-id>.jsonl`, or `<session-id>/subagents/.../agent-<id>.jsonl`. */
export function sourceFile(path: string): SourceFile {
  const agentId = AGENT_FILE.exec(basename(path))?.[1] ?? null;
  if (agentId === null) {
    const sessionId = basename(path, ".jsonl");
    return { sessionId, isNamed: SESSION_ID.test(sessionId), agentId };
  }
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === "subagents")
      return { sessionId: basename(dirname(folder)), isNamed: false, agentId };
  }
  return { sessionId: null, isNamed: false, agentId };
}

/** True for the transcript of a compaction, which holds nothing that is not in the summary. */
export function isCompactionFile(path: string): boolean {
  return basename(path).startsWith("agent-acompact");
}

/** What Claude Code stores next to a subagent's transcript. */
export interface AgentMeta {
  type: string | null;
  /** The task that it was started for. */
  task: string | null;
}

/** Reads the `agent-<id>.meta.json` beside a subagent's transcript; empty when it is missing or broken. */
export function agentMeta(path: string): AgentMeta {
  const meta = objectOf(parseObject(readText(path.replace(/\.jsonl$/, ".meta.json"))));
  return { type: stringOf(meta?.agentType), task: stringOf(meta?.description) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Older versions wrote no such file. The transcript can be read without it.
    return "";
  }
}
