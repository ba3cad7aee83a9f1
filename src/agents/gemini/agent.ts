import { basename, dirname, join } from "node:path";
import { asObject, asObjects, type JsonObject, parseObject } from "../../io/json.ts";
import type { Agent, Environment, SessionQuery, SourceFile } from "../agent.ts";
import { lineReader, recordReader } from "../conversation.ts";
import {
  absolutePath,
  fileStamp,
  filesBelow,
  listEntries,
  readHead,
  readText,
  wholeObject,
} from "../files.ts";
import { classifyMessage } from "./said.ts";

/** Returns Gemini CLI's directory: `.gemini` in `GEMINI_CLI_HOME`, by default in the home directory. */
function geminiDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.GEMINI_CLI_HOME) ?? homeDir, ".gemini");
}

/** What it adds before a prompt: the context that a hook gave when the session started. */
const HOOK_CONTEXT = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/;

/** Gemini CLI: one file of JSON lines per session (one JSON object in older versions), and one for each subagent. */
export const gemini: Agent = {
  id: "gemini",
  resumeCommand: (sessionId) => ["gemini", "--resume", sessionId],
  home: geminiDirectory,
  hooks: {
    events: ["BeforeAgent", "AfterAgent"],
    variable: "GEMINI_SESSION_ID",
    normalize: ({ prompt }) => ({ prompt: prompt?.replace(HOOK_CONTEXT, "") ?? null }),
    answer: (event, text) =>
      event && JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
  },
  roots: (environment) => [join(geminiDirectory(environment), "tmp")],
  owns: isGeminiFile,
  growth: (path) => (isWholeFile(path) ? "replaced" : "appended"),
  stampOf: fileStamp,
  projectSessions,
  discover: (path) => filesBelow(path, isGeminiFile),
  subagentFolder,
  sourceOf: sourceFile,
  conversationOf,
  async reader() {
    const { GeminiRecords, upgradeRecords } = await import("./reader.ts");
    const adapterOf = (path: string, state: string | null) =>
      new GeminiRecords(sourceFile(path), cwdOf(path), state);
    const lines = await lineReader((path, { agentState }) => adapterOf(path, agentState));
    const whole = await recordReader((path) => ({
      records: upgradeRecords(wholeObject(path)),
      adapter: adapterOf(path, null),
    }));
    return (path, options) => (isWholeFile(path) ? whole : lines)(path, options);
  },
};

/** Finds the main files of a project's sessions; an older version's file comes before the one that continues it. */
function projectSessions({ environment, belongs, isWanted }: SessionQuery): string[] {
  const folders = join(geminiDirectory(environment), "tmp");
  const found: string[] = [];
  for (const folder of listEntries(folders)) {
    if (!folder.isDirectory()) continue;
    const root = projectRoot(join(folders, folder.name));
    if (root === null || !belongs(root)) continue;
    const chats = join(folders, folder.name, "chats");
    for (const entry of listEntries(chats)) {
      const file = join(chats, entry.name);
      if (entry.isFile() && isGeminiFile(file) && isWanted(file)) found.push(file);
    }
  }
  return found;
}

/** A file with more bytes than this contains more than the context that the client writes before the first prompt. */
const HEAD_BYTES = 256 << 10;

/**
 * Returns the start of the id of the session in a file; null when nobody has said anything in it. Resuming a session in a later
 * minute leaves such a file beside its own.
 */
function conversationOf(path: string): string | null {
  return hasPrompt(path) ? shortIdOf(path) : null;
}

function hasPrompt(path: string): boolean {
  if ((fileStamp(path)?.size ?? 0) > HEAD_BYTES) return true;
  const isPrompt = (record: JsonObject) =>
    record.type === "user" && classifyMessage(record).kind === "prompt";
  if (isWholeFile(path)) return messagesOf(path).some(isPrompt);
  const lines = readHead(path, HEAD_BYTES).split("\n");
  return lines.some((line) => isPrompt(parseObject(line) ?? {}));
}

function messagesOf(path: string): JsonObject[] {
  try {
    return asObjects(wholeObject(path).messages);
  } catch {
    // The file is being rewritten.
    return [];
  }
}

/**
 * Name of a session's file, such as `session-2026-11-22T07-30-059f7d5d.jsonl`: the minute of its start, and the first characters
 * of the session's id.
 */
const SESSION_FILE = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-([\w-]{8})\.jsonl?$/;
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Tells whether a path is a session's file, or that of one of its subagents: `chats/<session id>/<subagent id>.jsonl`. */
function isGeminiFile(path: string): boolean {
  return SESSION_FILE.test(basename(path)) || isSubagentFile(path);
}

/** Tells whether a file has the format of older versions: one object that is rewritten with each message. */
function isWholeFile(path: string): boolean {
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
function sourceFile(path: string): SourceFile {
  if (!isSubagentFile(path)) return { sessionId: null, isNamed: false, agentId: null };
  return { sessionId: basename(dirname(path)), isNamed: false, agentId: basename(path, ".jsonl") };
}

/** Returns the start of a session's id in the name of its file; null for a subagent's file. */
function shortIdOf(path: string): string | null {
  return SESSION_FILE.exec(basename(path))?.[1] ?? null;
}

/** Returns the folder of a session's subagents, which is named after the whole id; null when there is none. */
export function subagentFolder(sessionFile: string): string | null {
  const short = shortIdOf(sessionFile);
  if (short === null) return null;
  const chats = dirname(sessionFile);
  const folder = listEntries(chats).find(
    (entry) => entry.isDirectory() && entry.name.startsWith(`${short}-`) && SESSION_ID.test(entry.name),
  );
  return folder === undefined ? null : join(chats, folder.name);
}

/**
 * Returns the working directory of the sessions in a folder `tmp/<name>/`; null when it is unknown. The records do
 * not contain it. `.project_root` in the folder does or, for older versions, the folder's name is its SHA-256.
 */
function projectRoot(folder: string): string | null {
  const root = readText(join(folder, ".project_root")).trim();
  if (root) return root;
  const name = basename(folder);
  const known = asObject(parseObject(readText(join(dirname(dirname(folder)), "projects.json")))?.projects);
  const match = Object.entries(known ?? {}).find(([path, slug]) => slug === name || sha256(path) === name);
  return match?.[0] ?? null;
}

/** Returns the working directory of the session in a file; see `projectRoot`. */
function cwdOf(file: string): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === "chats") return projectRoot(dirname(folder));
  return null;
}

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
