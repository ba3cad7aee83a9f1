import { basename, dirname, join } from "node:path";
import { type JsonObject, parseObject } from "../../io/json.ts";
import { readIfExists } from "../../io/read.ts";
import type { SourceFile } from "../agent.ts";

const MESSAGES = ".messages.json";

/** True for a file of messages: `<session id>/<session id or subagent id>.messages.json`. */
export function isClineFile(path: string): boolean {
  return path.endsWith(MESSAGES);
}

/** Returns the ids in a path: the folder is named after the session, and a subagent's file after the subagent. */
export function sourceFile(path: string): SourceFile {
  const [folder, name] = [basename(dirname(path)), basename(path, MESSAGES)];
  return name === folder
    ? { sessionId: folder, isNamed: true, agentId: null }
    : { sessionId: folder, isNamed: false, agentId: name };
}

/** Returns the path of Cline's notes about a session, next to its messages. */
export function manifestPath(path: string): string {
  const folder = dirname(path);
  return join(folder, `${basename(folder)}.json`);
}

/** Reads Cline's notes about a session. Empty when they do not exist or are half-written. */
export function manifestOf(path: string): JsonObject {
  try {
    return parseObject(readIfExists(manifestPath(path)) ?? "") ?? {};
  } catch {
    return {};
  }
}
