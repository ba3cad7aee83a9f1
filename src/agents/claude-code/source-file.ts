import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { objectOf, parseObject, stringOf } from "../../transcript/json.ts";

/** What a transcript's path tells. */
export interface SourceFile {
  /** Of the file's own conversation: its name, or for a subagent's file the folder of its session; null when neither tells. */
  sessionId: string | null;
  /** Of the subagent whose file it is; null for a main transcript. */
  agentId: string | null;
}

const AGENT_FILE = /^agent-(.+)\.jsonl$/;

export function sourceFile(path: string): SourceFile {
  const agentId = AGENT_FILE.exec(basename(path))?.[1] ?? null;
  if (agentId === null) return { sessionId: basename(path, ".jsonl"), agentId };
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === "subagents") return { sessionId: basename(dirname(folder)), agentId };
  }
  return { sessionId: null, agentId };
}

/** True for the transcript of a compaction, which holds nothing that is not in the summary. */
export function isCompactionFile(path: string): boolean {
  return basename(path).startsWith("agent-acompact");
}

/** What Claude Code notes beside a subagent's transcript. */
export interface AgentMeta {
  type: string | null;
  /** What it was started for. */
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
    // Older versions wrote none; a transcript is worth reading without it.
    return "";
  }
}
