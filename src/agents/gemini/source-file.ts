import { basename, dirname, join } from "node:path";
import { objectOf, parseObject } from "../../io/json.ts";
import { readUntrusted } from "../../io/read.ts";
import type { SourceFile } from "../agent.ts";
import { entriesOf } from "../files.ts";

/** `session-2026-11-22T07-30-059f7d5d.jsonl`: the minute of its start, and the first characters of the session's id. */
const SESSION_FILE = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-([\w-]{8})\.jsonl?$/;
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True for the file of a session, or of one of its subagents: `chats/<session id>/<subagent id>.jsonl`. */
export function isGeminiFile(path: string): boolean {
  return SESSION_FILE.test(basename(path)) || isSubagentFile(path);
}

/** True for the format of older versions: one object that is rewritten with each message. */
export function isWholeFile(path: string): boolean {
  return path.endsWith(".json");
}

function isSubagentFile(path: string): boolean {
  const folder = dirname(path);
  return (
    path.endsWith(".jsonl") && SESSION_ID.test(basename(folder)) && basename(dirname(folder)) === "chats"
  );
}

/**
 * Returns the ids in a path. The name of a session's file contains only the start of its id; the file's head has all
 * of it.
 */
export function sourceFile(path: string): SourceFile {
  if (!isSubagentFile(path)) return { sessionId: null, isNamed: false, agentId: null };
  return { sessionId: basename(dirname(path)), isNamed: false, agentId: basename(path, ".jsonl") };
}

/** Returns the start of a session's id in the name of its file; null for a subagent's file. */
export function shortIdOf(path: string): string | null {
  return SESSION_FILE.exec(basename(path))?.[1] ?? null;
}

/** Returns the folder of a session's subagents, which is named after the whole id; null when there is none. */
export function subagentFolder(sessionFile: string): string | null {
  const short = shortIdOf(sessionFile);
  if (short === null) return null;
  const chats = dirname(sessionFile);
  const folder = entriesOf(chats).find(
    (entry) => entry.isDirectory() && entry.name.startsWith(`${short}-`) && SESSION_ID.test(entry.name),
  );
  return folder === undefined ? null : join(chats, folder.name);
}

/**
 * Returns the working directory of the sessions in a folder `tmp/<name>/`; null when it is unknown. The records do
 * not contain it. `.project_root` in the folder does or, for older versions, the folder's name is its SHA-256.
 */
export function projectRoot(folder: string): string | null {
  const root = quietly(join(folder, ".project_root"))?.trim();
  if (root) return root;
  const name = basename(folder);
  const known = objectOf(
    parseObject(quietly(join(dirname(dirname(folder)), "projects.json")) ?? "")?.projects,
  );
  const match = Object.entries(known ?? {}).find(([path, slug]) => slug === name || sha256(path) === name);
  return match?.[0] ?? null;
}

/** Returns the working directory of the session in a file; see `projectRoot`. */
export function cwdOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === "chats") return projectRoot(dirname(folder));
  return null;
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function quietly(path: string): string | null {
  try {
    return readUntrusted(path);
  } catch {
    return null;
  }
}
