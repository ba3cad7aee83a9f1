import { basename, join } from "node:path";
import { asNumber, asObject, asString, type JsonObject } from "../../io/json.ts";
import { statIfExists } from "../../io/read.ts";
import type { Agent, PromptList } from "../agent.ts";
import { groupBySession, type PromptRecord, promptRecords } from "../agent.ts";
import { lineReader } from "../conversation.ts";
import { fileStamp, listEntries, readHead, readStats } from "../files.ts";
import { claudeDirectories, transcriptFolders } from "./home.ts";
import { firstCwd, isCompactionFile, lastCwd, projectSessions, sourceFile } from "./project-sessions.ts";

/** Bytes of a file to search for its first timestamp. */
const HEAD_BYTES = 16_384;
const TIMESTAMP = /"timestamp":\s?"(\d{4}-\d\d-\d\dT[\d:.]+Z?)"/;

/**
 * Finds the transcripts at a path: the file itself, or every `*.jsonl` below a directory except those of compactions.
 * Sorts them by their first timestamp, or by modification time without one, then by name. A session's file comes
 * right before those of its subagents. Rejects when the path does not exist.
 */
export async function* discoverTranscripts(path: string): AsyncIterable<string> {
  if (readStats(path).isDirectory()) yield* walk(path);
  else yield path;
}

function* walk(directory: string): Iterable<string> {
  const files: string[] = [];
  const folders = new Set<string>();
  for (const entry of listEntries(directory)) {
    const path = join(directory, entry.name);
    // Linked files are read. Linked directories are skipped, because they could form a cycle.
    if (entry.isDirectory() && !entry.isSymbolicLink()) folders.add(entry.name);
    else if (entry.isFile() && entry.name.endsWith(".jsonl") && !isCompactionFile(path)) files.push(path);
  }
  for (const file of oldestFirst(files)) {
    yield file;
    const folder = basename(file, ".jsonl");
    if (folders.delete(folder)) yield* walk(join(directory, folder));
  }
  for (const folder of [...folders].sort()) yield* walk(join(directory, folder));
}

function oldestFirst(files: readonly string[]): string[] {
  const dated = files.map((file) => ({ file, time: firstTime(file) }));
  dated.sort((a, b) => compare(a.time, b.time) || compare(a.file, b.file));
  return dated.map(({ file }) => file);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the first timestamp; "" for a missing file, which the reader will report. */
function firstTime(path: string): string {
  const found = TIMESTAMP.exec(readHead(path, HEAD_BYTES))?.[1];
  return found ?? statIfExists(path)?.mtime.toISOString() ?? "";
}

/** The list `~/.claude/history.jsonl`: every typed prompt with its session, since versions of 2025. */
const promptList: PromptList = {
  sessions: (environment) =>
    groupBySession(
      claudeDirectories(environment).flatMap((directory) =>
        promptRecords(join(directory, "history.jsonl")).flatMap((record) => promptIn(record, directory)),
      ),
    ),
  hasTranscript: (sessionId, environment) =>
    transcriptFolders(environment).some((folder) => fileStamp(join(folder, `${sessionId}.jsonl`)) !== null),
};

/** Commands of the client and the shell, and notes to its memory, which are not prompts. `/review 12` may be one. */
const NO_PROMPT = /^(?:\/[\w:.-]+\s*$|[!#])/;

function promptIn(record: JsonObject, directory: string): PromptRecord[] {
  const { display, pastedContents, timestamp, project, sessionId } = record;
  const shown = asString(display);
  if (shown === null || NO_PROMPT.test(shown)) return [];
  return [
    {
      sessionId: asString(sessionId),
      cwd: asString(project),
      text: withPasted(shown, asObject(pastedContents), join(directory, "paste-cache")),
      timeMs: asNumber(timestamp),
    },
  ];
}

/** Inserts pasted texts in place of the placeholders in the list. */
function withPasted(shown: string, pasted: JsonObject | null, cache: string): string {
  return shown.replace(/\[Pasted text #(\d{1,9})[^[\]]*\]/g, (whole, number: string) => {
    const paste = asObject(pasted?.[number]);
    return asString(paste?.content) ?? cached(asString(paste?.contentHash), cache) ?? whole;
  });
}

/** Name of a file with a longer pasted text. The list may contain any name, so only this form is read. */
const HASH = /^[\da-f]{8,64}$/;
/** Maximum size of a pasted text. */
const MAX_PASTE_BYTES = 4 << 20;

function cached(hash: string | null, cache: string): string | null {
  if (hash === null || !HASH.test(hash)) return null;
  const file = join(cache, `${hash}.txt`);
  const size = fileStamp(file)?.size ?? 0;
  return size === 0 || size > MAX_PASTE_BYTES ? null : readHead(file, size) || null;
}

/** Claude Code: one file of JSON lines per session, and one for each subagent in a folder beside it. */
export const claudeCode: Agent = {
  id: "claude-code",
  resumeCommand: (sessionId) => ["claude", "--resume", sessionId],
  roots: (environment) => claudeDirectories(environment).map((directory) => join(directory, "projects")),
  owns: (path) => path.endsWith(".jsonl"),
  growth: () => "appended",
  stampOf: fileStamp,
  projectSessions,
  startedIn: firstCwd,
  endedIn: lastCwd,
  discover: discoverTranscripts,
  promptList,
  subagentFolder: (sessionFile) => `${sessionFile.replace(/\.jsonl$/, "")}/`,
  sourceOf: sourceFile,
  async reader() {
    const { ClaudeCodeLines } = await import("./reader.ts");
    return lineReader((path, state) => new ClaudeCodeLines(path, state));
  },
};
