import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import type { RecordContext } from "../../transcript/events.ts";
import { type JsonObject, objectOf, parseObject, stringOf } from "../../transcript/json.ts";
import { firstLineOf, isCompressed } from "./compressed.ts";

/** The facts in the first line of a rollout. */
export interface RolloutHead extends Pick<RecordContext, "cwd" | "branch" | "version"> {
  /** The main thread; for a subagent, that of its parent. */
  sessionId: string | null;
  /** The thread of the subagent; null for a main thread. */
  agentId: string | null;
  /** Kind of subagent; null when it has none. */
  agentType: string | null;
  /** The name in messages between agents; null for a main thread. */
  agentPath: string | null;
  /** Whether a program drives the thread; null for a subagent. */
  isAutomated: boolean | null;
}

const ROLLOUT = /^rollout-.+-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl(?:\.zst)?$/i;

/** Returns the thread that a rollout is named after; null for a file that is no rollout. */
export function threadIdOf(path: string): string | null {
  return ROLLOUT.exec(basename(path))?.[1] ?? null;
}

/** The first line contains the instructions for the model, usually 20 KB. */
const BLOCK_BYTES = 1 << 16;
const MAX_BYTES = 1 << 20;
const NEWLINE = 10;

/** Reads the head of a rollout; null when it is gone or does not start as one. */
export function headOfRollout(path: string): RolloutHead | null {
  const line = isCompressed(path) ? firstLineOf(path) : firstLine(path);
  const record = line === null ? null : objectOf(parseObject(line));
  const meta = objectOf(record?.payload);
  return record?.type === "session_meta" && meta !== null ? headOf(meta) : null;
}

function headOf(meta: JsonObject): RolloutHead {
  const threadId = stringOf(meta.id);
  const subagent = objectOf(meta.source)?.subagent;
  const spawn = objectOf(objectOf(subagent)?.thread_spawn);
  const isSubagent = subagent !== undefined || meta.thread_source === "subagent";
  const parent = stringOf(meta.parent_thread_id) ?? stringOf(spawn?.parent_thread_id);
  // In older and migrated rollouts, a subagent's session is its own thread.
  const session = stringOf(meta.session_id);
  const root = session === threadId ? null : session;
  const git = objectOf(meta.git);
  const branch = stringOf(git?.branch);
  return {
    sessionId: isSubagent ? (root ?? parent ?? threadId) : threadId,
    agentId: isSubagent ? threadId : null,
    agentType: stringOf(spawn?.agent_role) ?? stringOf(subagent),
    agentPath: stringOf(meta.agent_path) ?? stringOf(spawn?.agent_path),
    cwd: stringOf(meta.cwd),
    branch: branch === "HEAD" ? null : branch,
    version: stringOf(meta.cli_version),
    isAutomated: isSubagent ? null : isProgram(meta),
  };
}

/** `codex exec`, its SDKs, and agents that run Codex as a tool need no person. */
function isProgram({ source, originator }: JsonObject): boolean {
  return source === "exec" || source === "mcp" || /(?:exec|sdk)/.test(stringOf(originator) ?? "");
}

function firstLine(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    let bytes = Buffer.alloc(0);
    while (bytes.length < MAX_BYTES) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const read = readSync(file, block, 0, BLOCK_BYTES, bytes.length);
      const newline = block.subarray(0, read).indexOf(NEWLINE);
      bytes = Buffer.concat([bytes, block.subarray(0, newline < 0 ? read : newline)]);
      if (newline >= 0 || read === 0) break;
    }
    return bytes.toString("utf8");
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
