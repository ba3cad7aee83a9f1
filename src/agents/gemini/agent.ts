import { join } from "node:path";
import { type JsonObject, objectsOf, parseObject } from "../../io/json.ts";
import type { Agent, Environment, SessionQuery } from "../agent.ts";
import { lineReader, recordReader } from "../conversation.ts";
import { absolutePath, entriesOf, fileStamp, filesBelow, headOf, wholeObject } from "../files.ts";
import { said } from "./said.ts";
import {
  cwdOf,
  isGeminiFile,
  isWholeFile,
  projectRoot,
  shortIdOf,
  sourceFile,
  subagentFolder,
} from "./source-file.ts";

/** Returns Gemini CLI's directory: `.gemini` in `GEMINI_CLI_HOME`, by default in the home directory. */
function geminiDirectory({ env, homeDir }: Pick<Environment, "env" | "homeDir">): string {
  return join(absolutePath(env.GEMINI_CLI_HOME) ?? homeDir, ".gemini");
}

/** Gemini CLI: one file of JSON lines per session (one JSON object in older versions), and one for each subagent. */
export const gemini: Agent = {
  id: "gemini",
  resumeCommand: (sessionId) => ["gemini", "--resume", sessionId],
  home: geminiDirectory,
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
    const { GeminiRecords, recordsOf } = await import("./reader.ts");
    const adapterOf = (path: string, state: string | null) =>
      new GeminiRecords(sourceFile(path), cwdOf(path), state);
    const lines = await lineReader((path, { agentState }) => adapterOf(path, agentState));
    const whole = await recordReader((path) => ({
      records: recordsOf(wholeObject(path)),
      adapter: adapterOf(path, null),
    }));
    return (path, options) => (isWholeFile(path) ? whole : lines)(path, options);
  },
};

/** Finds the main files of a project's sessions; an older version's file comes before the one that continues it. */
function projectSessions({ environment, belongs, isWanted }: SessionQuery): string[] {
  const folders = join(geminiDirectory(environment), "tmp");
  const found: string[] = [];
  for (const folder of entriesOf(folders)) {
    if (!folder.isDirectory()) continue;
    const root = projectRoot(join(folders, folder.name));
    if (root === null || !belongs(root)) continue;
    const chats = join(folders, folder.name, "chats");
    for (const entry of entriesOf(chats)) {
      const file = join(chats, entry.name);
      if (entry.isFile() && isGeminiFile(file) && isWanted(file)) found.push(file);
    }
  }
  return found;
}

/** A file with more bytes than this holds more than the context that the client writes before the first prompt. */
const HEAD_BYTES = 256 << 10;

/**
 * Returns the start of the id of the session in a file; null when nobody has said anything in it. A session that is
 * resumed in a later minute leaves such a file next to its own.
 */
function conversationOf(path: string): string | null {
  return hasPrompt(path) ? shortIdOf(path) : null;
}

function hasPrompt(path: string): boolean {
  if ((fileStamp(path)?.size ?? 0) > HEAD_BYTES) return true;
  const isPrompt = (record: JsonObject) => record.type === "user" && said(record).kind === "prompt";
  if (isWholeFile(path)) return messagesOf(path).some(isPrompt);
  const lines = headOf(path, HEAD_BYTES).split("\n");
  return lines.some((line) => isPrompt(parseObject(line) ?? {}));
}

function messagesOf(path: string): JsonObject[] {
  try {
    return objectsOf(wholeObject(path).messages);
  } catch {
    // The file is being written anew.
    return [];
  }
}
