import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import type { RecordContext } from "../../ingest/transcript/events.ts";
import { headRecords } from "../../ingest/transcript/lines.ts";
import { ioError } from "../../io/errors.ts";
import { asObject, asString, type JsonObject, parseObject } from "../../io/json.ts";
import { OPEN_UNTRUSTED } from "../../io/read.ts";
import type { Environment, MemoryFile } from "../agent.ts";
import { absolutePath, listEntries } from "../files.ts";
import { joinParts } from "./items.ts";

/** Facts in the first line of a rollout. */
export interface RolloutHead extends Pick<RecordContext, "cwd" | "branch" | "version"> {
  /** The main thread; for a subagent, that of its parent. */
  sessionId: string | null;
  /** The thread of the subagent; null for a main thread. */
  agentId: string | null;
  /** Kind of subagent; null when it has none. */
  agentType: string | null;
  /** The name in messages between agents; null for a main thread. */
  agentPath: string | null;
  /** True when a program drives the thread; null for a subagent. */
  isAutomated: boolean | null;
}

/** The name of a rollout. A resumed thread may continue in a file of its own, `rollout-<time>-<thread>_<segment>.jsonl`. */
const ROLLOUT = /^rollout-.+?-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:_[\w-]+)?\.jsonl(?:\.zst)?$/i;

/** Returns the thread that a rollout is named after; null for a file with another name. */
export function threadIdOf(path: string): string | null {
  return ROLLOUT.exec(basename(path))?.[1] ?? null;
}

/** Number of first records to search for the directory. */
const FIRST_RECORDS = 40;

/**
 * Reads the head of a rollout: its first record or, if that is missing, the first ones that name the directory. Null when the
 * file is gone or not a rollout.
 */
export function headOfRollout(path: string): RolloutHead | null {
  const records = isCompressed(path) ? [parseObject(firstLineOf(path) ?? "") ?? {}] : headRecords(path);
  const read: JsonObject[] = [];
  for (const record of records) {
    const meta = metaOf(record);
    if (meta !== null && read.length === 0) return headOf(meta);
    read.push(record);
    const cwd = directoryOf(record);
    if (cwd !== null) return headWithout(read, cwd, path);
    if (read.length === FIRST_RECORDS) break;
  }
  return isOldest(read[0]) ? headWithout(read, null, path) : null;
}

function metaOf(record: JsonObject): JsonObject | null {
  return record.type === "session_meta" ? asObject(record.payload) : null;
}

/** Tells whether a rollout has the oldest format: it starts with the facts of the thread, without an envelope. */
function isOldest(first: JsonObject | undefined): first is JsonObject {
  return (
    first !== undefined && first.type === undefined && typeof first.id === "string" && "timestamp" in first
  );
}

/** Returns the directory that a record names, in the context given to the model or in the context of a turn. */
function directoryOf({ type, payload, role, content }: JsonObject): string | null {
  if (type === "turn_context") return asString(asObject(payload)?.cwd);
  if (type !== "message" || role !== "user") return null;
  const text = joinParts(content);
  if (!text.startsWith("<environment_context>")) return null;
  return /(?:<cwd>|Current working directory: )([^<\n]+)/.exec(text)?.[1]?.trim() ?? null;
}

/** Returns the head of a rollout that starts without one. Such files belong to main threads. */
function headWithout(read: readonly JsonObject[], cwd: string | null, path: string): RolloutHead {
  const [first] = read;
  const own = isOldest(first) ? first : {};
  return { ...headOf({ ...own, id: own.id ?? threadIdOf(path) }), cwd, isAutomated: null };
}

function headOf(meta: JsonObject): RolloutHead {
  const threadId = asString(meta.id);
  const subagent = asObject(meta.source)?.subagent;
  const spawn = asObject(asObject(subagent)?.thread_spawn);
  const isSubagent = subagent !== undefined || meta.thread_source === "subagent";
  const parent = asString(meta.parent_thread_id) ?? asString(spawn?.parent_thread_id);
  // In older and migrated rollouts, a subagent's session is its own thread.
  const session = asString(meta.session_id);
  const root = session === threadId ? null : session;
  const git = asObject(meta.git);
  const branch = asString(git?.branch);
  return {
    sessionId: isSubagent ? (root ?? parent ?? threadId) : threadId,
    agentId: isSubagent ? threadId : null,
    agentType: asString(spawn?.agent_role) ?? asString(subagent),
    agentPath: asString(meta.agent_path) ?? asString(spawn?.agent_path),
    cwd: asString(meta.cwd),
    branch: branch === "HEAD" ? null : branch,
    version: asString(meta.cli_version),
    isAutomated: isSubagent ? null : isProgram(meta),
  };
}

/** Tells whether a program drives the thread: `codex exec`, its SDKs, and agents that run Codex as a tool. */
function isProgram({ source, originator }: JsonObject): boolean {
  return source === "exec" || source === "mcp" || /(?:exec|sdk)/.test(asString(originator) ?? "");
}

/** Limits in bytes of a decompressed rollout, which is kept in memory, and of its first line. */
const MAX_BYTES = 256 << 20;
const HEAD_BYTES = [1 << 16, 1 << 20];
const MAX_HEAD_BYTES = 32 << 20;

const NEWLINE = 10;

/** Tells whether Codex has compressed a rollout. The file replaces the rollout of the same name without `.zst`. */
export function isCompressed(path: string): boolean {
  return path.endsWith(".zst");
}

/** Reads a compressed rollout. Throws `io` when it cannot be read, has another format, or is too large for memory. */
export function decompress(path: string): Buffer {
  try {
    return zlib().zstdDecompressSync(readFileSync(path), { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
}

/** Returns the first line of a compressed rollout without reading all of it; null when there is none. */
function firstLineOf(path: string): string | null {
  for (const bytes of HEAD_BYTES) {
    const head = startBytesOf(path, bytes);
    const newline = head.indexOf(NEWLINE);
    if (newline >= 0) return head.toString("utf8", 0, newline);
  }
  return null;
}

/** Decompresses as much as possible of a file's first bytes. */
function startBytesOf(path: string, bytes: number): Buffer {
  try {
    const file = openSync(path, OPEN_UNTRUSTED.links);
    try {
      const block = Buffer.allocUnsafe(bytes);
      const head = block.subarray(0, readSync(file, block, 0, bytes, 0));
      const finishFlush = zlib().constants.ZSTD_e_flush;
      return zlib().zstdDecompressSync(head, { finishFlush, maxOutputLength: MAX_HEAD_BYTES });
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** Loads the module at its first use, because most rollouts are not compressed, and hooks load this file. */
function zlib(): typeof import("node:zlib") {
  return process.getBuiltinModule("node:zlib");
}

/** Lists Codex's own memory files, which cover all projects. */
export function memoryFiles(_root: string, environment: Environment): MemoryFile[] {
  const folder = join(codexDirectory(environment), "memories");
  return listEntries(folder)
    .filter((entry) => entry.isFile() && /\.md$/i.test(entry.name))
    .map(({ name }) => ({ path: join(folder, name), lines: null }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns Codex's directory: `${CODEX_HOME:-~/.codex}`. Ignores a relative setting. */
export function codexDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return absolutePath(env.CODEX_HOME) ?? join(homeDir, ".codex");
}
