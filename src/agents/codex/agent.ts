import { basename, join } from "node:path";
import { asNumber, asString, type JsonObject } from "../../io/json.ts";
import type { Agent, Environment, PromptList } from "../agent.ts";
import { groupBySession, promptRecords } from "../agent.ts";
import { fileStamp, filesBelow, listEntries } from "../files.ts";
import { queryRows, tryDatabase } from "../foreign-database.ts";
import { codexDirectory, headOfRollout, isCompressed, threadIdOf } from "./head.ts";

/**
 * The list `~/.codex/history.jsonl`: prompts with their session. The directory comes from the database of threads, if Codex has
 * one.
 */
const promptList: PromptList = {
  sessions: (environment) => {
    const records = promptRecords(join(codexDirectory(environment), "history.jsonl"));
    if (records.length === 0) return [];
    const directories = threadDirectories(environment);
    return groupBySession(records.map((record) => promptIn(record, directories)));
  },
  hasTranscript: (sessionId, environment) =>
    ["sessions", "archived_sessions"].some((name) =>
      isRolloutThere(join(codexDirectory(environment), name), sessionId),
    ),
};

function promptIn({ session_id, ts, text }: JsonObject, directories: ReadonlyMap<string, string>) {
  const sessionId = asString(session_id);
  const seconds = asNumber(ts);
  const shown = asString(text) ?? "";
  return {
    sessionId,
    cwd: directories.get(sessionId ?? "") ?? null,
    text: /^\/[\w-]+\s*$/.test(shown) ? "" : shown,
    timeMs: seconds === null ? null : seconds * 1_000,
  };
}

/** Returns the directories of threads, by id. */
function threadDirectories(environment: Environment): Map<string, string> {
  const home = codexDirectory(environment);
  const names = listEntries(home).map(({ name }) => name);
  const found = new Map<string, string>();
  for (const name of names.filter((each) => /^state(?:_\d+)?\.sqlite$/.test(each)))
    for (const { id, cwd } of threadsIn(join(home, name))) {
      const directory = asString(cwd);
      if (directory !== null) found.set(String(id), directory);
    }
  return found;
}

const THREADS = "SELECT id, cwd FROM threads WHERE octet_length(id) <= 100 AND octet_length(cwd) <= 4096";

/** Returns the threads in a database; empty for one that cannot be read or has other tables. */
function threadsIn(file: string): JsonObject[] {
  return tryDatabase(file, (database) => [...queryRows(database, THREADS)]) ?? [];
}

/** File names of other agents, which need not be opened: a session's id, and a subagent's. */
const OTHERS = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|agent-.+|events|transcript.*)\.jsonl$/i;

/** Recognises a rollout by its name or, since people copy and rename rollouts, by its first records. */
function owns(path: string): boolean {
  if (threadIdOf(path) !== null) return true;
  return /\.jsonl$/.test(path) && !OTHERS.test(basename(path)) && headOfRollout(path) !== null;
}

/** Tells whether a compressed rollout has an uncompressed twin. Codex is compressing it, or has resumed the thread since. */
function isSuperseded(path: string): boolean {
  return isCompressed(path) && fileStamp(path.slice(0, -".zst".length)) !== null;
}

/**
 * Codex CLI: one file of JSON lines (a rollout) per thread, compressed when it is old. Subagents are threads with their
 * own rollouts.
 */
export const codex: Agent = {
  id: "codex",
  hooks: { resembles: ({ turn_id, session_id }) => typeof turn_id === "string" && session_id !== null },
  resumeCommand: (sessionId) => ["codex", "resume", sessionId],
  home: codexDirectory,
  roots: (environment) =>
    ["sessions", "archived_sessions"].map((name) => join(codexDirectory(environment), name)),
  owns,
  growth: (path) => (isCompressed(path) ? "replaced" : "appended"),
  stampOf: (path) => (isSuperseded(path) ? null : fileStamp(path)),
  projectSessions({ environment, belongs, isWanted }) {
    const files = codex.roots(environment).flatMap((root) => [...rolloutsBelow(root)]);
    return files.filter((file) => {
      if (!owns(file) || !isWanted(file) || isSuperseded(file)) return false;
      const cwd = headOfRollout(file)?.cwd ?? null;
      return cwd !== null && belongs(cwd);
    });
  },
  startedIn: (path) => headOfRollout(path)?.cwd ?? null,
  discover: (path) => filesBelow(path, (file) => owns(file) && !isSuperseded(file)),
  promptList,
  sourceOf(path) {
    const head = headOfRollout(path);
    return { sessionId: head?.sessionId ?? threadIdOf(path), isNamed: true, agentId: head?.agentId ?? null };
  },
  reader: async () => (await import("./reader.ts")).readRollout,
};

/** Maximum depth of folders: sessions are sorted by year, month and day. */
const MAX_DEPTH = 4;

/** Lists the rollouts below a directory by name, and so by time. */
function rolloutsBelow(root: string): Iterable<string> {
  return filesIn(root, MAX_DEPTH);
}

/** Tells whether a thread's rollout is below a directory, compressed or not. */
function isRolloutThere(root: string, threadId: string): boolean {
  for (const file of rolloutsBelow(root)) if (file.includes(threadId)) return true;
  return false;
}

function* filesIn(directory: string, depth: number): Iterable<string> {
  for (const entry of listEntries(directory)) {
    const path = join(directory, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth > 1) yield* filesIn(path, depth - 1);
  }
}
