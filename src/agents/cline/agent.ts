import { basename, dirname, join } from "node:path";
import { asString, type JsonObject, parseObject } from "../../io/json.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import type { Agent, Environment, SessionQuery, SourceFile } from "../agent.ts";
import { recordReader } from "../conversation.ts";
import { absolutePath, fileStamp, filesBelow, listEntries, wholeObject } from "../files.ts";

type Home = Pick<Environment, "env" | "homeDir">;

/** Returns Cline's data directory, which contains its settings: `~/.cline/data`. A variable can replace each part of it. */
function dataDirectory({ env, homeDir }: Home): string {
  const directory = absolutePath(env.CLINE_DIR) ?? join(homeDir, ".cline");
  return absolutePath(env.CLINE_DATA_DIR) ?? join(directory, "data");
}

/** Returns the directory of Cline's sessions. */
function sessionsDirectory(environment: Home): string {
  return absolutePath(environment.env.CLINE_SESSION_DATA_DIR) ?? join(dataDirectory(environment), "sessions");
}

/** Cline: one folder per session, with one file of all messages, one for each subagent, and Cline's notes about them. */
export const cline: Agent = {
  id: "cline",
  home: dataDirectory,
  roots: (environment) => [sessionsDirectory(environment)],
  owns: isClineFile,
  growth: () => "replaced",
  /** The title and the branch come later than the messages. */
  stampOf: (path) => {
    const stamp = fileStamp(path);
    const noted = statIfExists(manifestPath(path))?.mtimeMs ?? 0;
    return stamp && { ...stamp, mtimeMs: Math.max(stamp.mtimeMs, noted) };
  },
  projectSessions,
  discover: (path) => filesBelow(path, isClineFile),
  sourceOf: sourceFile,
  async reader() {
    const { MessageAdapter, sessionRecords } = await import("./reader.ts");
    return recordReader((path) => {
      const whole = wholeObject(path);
      const adapter = new MessageAdapter(sourceFile(path), manifestOf(path), whole);
      return { records: sessionRecords(whole), adapter };
    });
  },
};

/** Finds the sessions of a project, each followed by its subagents. */
function projectSessions({ environment, belongs, isWanted }: SessionQuery): string[] {
  const sessions = sessionsDirectory(environment);
  const found: string[] = [];
  for (const folder of listEntries(sessions)) {
    if (!folder.isDirectory()) continue;
    const files = messagesIn(join(sessions, folder.name)).filter(isWanted);
    const [first] = files;
    const cwd = first === undefined ? null : asString(manifestOf(first).cwd);
    if (cwd !== null && belongs(cwd)) found.push(...files);
  }
  return found;
}

/** Returns the files of messages in a session's folder, the session's own first. */
function messagesIn(folder: string): string[] {
  const files = listEntries(folder)
    .map(({ name }) => join(folder, name))
    .filter(isClineFile);
  const isSubagent = (file: string) => Number(sourceFile(file).agentId !== null);
  return files.sort((a, b) => isSubagent(a) - isSubagent(b));
}

const MESSAGES = ".messages.json";

/** Tells whether a path is a file of messages: `<session id>/<session id or subagent id>.messages.json`. */
function isClineFile(path: string): boolean {
  return path.endsWith(MESSAGES);
}

/** Returns the ids in a path: the folder is named after the session, and a subagent's file after the subagent. */
function sourceFile(path: string): SourceFile {
  const [folder, name] = [basename(dirname(path)), basename(path, MESSAGES)];
  return name === folder
    ? { sessionId: folder, isNamed: true, agentId: null }
    : { sessionId: folder, isNamed: false, agentId: name };
}

/** Returns the path of Cline's notes about a session, next to its messages. */
function manifestPath(path: string): string {
  const folder = dirname(path);
  return join(folder, `${basename(folder)}.json`);
}

/** Reads Cline's notes about a session; empty when they are missing or half-written. */
function manifestOf(path: string): JsonObject {
  try {
    return parseObject(readIfExists(manifestPath(path)) ?? "") ?? {};
  } catch {
    return {};
  }
}
