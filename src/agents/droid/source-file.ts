import { basename, dirname, join } from "node:path";
import { type JsonObject, stringOf } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { headRecords } from "../files.ts";

const SESSION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/i;
/** Subagents that start subagents; more is a circle. */
const MAX_DEPTH = 8;

/** True for `sessions/-<directory>/<session>.jsonl`, and for `.factory/sessions/<session>.jsonl` of older versions. */
export function isDroidFile(path: string): boolean {
  if (!SESSION.test(basename(path))) return false;
  const folder = dirname(path);
  const [name, parent] = [basename(folder), basename(dirname(folder))];
  if (name === "sessions") return parent === ".factory";
  return parent === "sessions" && (name.startsWith("-") || basename(dirname(dirname(folder))) === ".factory");
}

/** Returns the record that starts a session, with its directory and the calling session; null when it cannot be read. */
export function startOf(path: string): JsonObject | null {
  const [first] = headRecords(path);
  if (first?.type !== "session_start") return null;
  const { session } = first;
  return typeof session === "object" && session !== null ? { ...first, ...session } : first;
}

/** Returns the ids of a file. The session of a subagent is the one that a person started. */
export function sourceFile(path: string): SourceFile {
  const id = basename(path, ".jsonl");
  let sessionId: string | null = null;
  let caller = stringOf(startOf(path)?.callingSessionId);
  for (let depth = 0; caller !== null && depth < MAX_DEPTH; depth++) {
    sessionId = caller;
    caller = stringOf(startOf(join(dirname(path), `${caller}.jsonl`))?.callingSessionId);
  }
  if (sessionId === null) return { sessionId: id, isNamed: isDroidFile(path), agentId: null };
  return { sessionId, isNamed: false, agentId: id };
}
