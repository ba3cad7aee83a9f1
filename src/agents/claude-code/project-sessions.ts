import { basename, dirname, join } from "node:path";
import { headLines } from "../../ingest/transcript/lines.ts";
import { asObject, asString, parseObject } from "../../io/json.ts";
import { statIfExists } from "../../io/read.ts";
import { lazily } from "../../lazily.ts";
import type { Environment, MemoryFile, SessionQuery, SourceFile } from "../agent.ts";
import { findFiles, listEntries, readTail, readText } from "../files.ts";
import { claudeDirectory, transcriptFolders } from "./home.ts";

/** Length at which Claude Code truncates the names of its folders. */
const MAX_FOLDER_NAME_CHARS = 200;

/**
 * Finds Claude Code's transcripts of a project: those of its worktrees and of directories in them. A transcript counts when its
 * first or its last entry with a `cwd` names the project, because a project may be renamed in between, and a session may move to
 * another directory; `otherProjects` then assigns each turn to its project. The names of Claude Code's folders are unreliable:
 * `my.app` and `my-app` share one, a rename does not change it, and a session stays in the folder where it began.
 */
export function projectSessions({ environment, belongs, isWanted }: SessionQuery): string[] {
  const isOurs = (cwd: string | null) => cwd !== null && belongs(cwd);
  return transcriptFolders(environment).flatMap((folder) =>
    transcriptsIn(folder).filter((file) => {
      if (!isWanted(file)) return false;
      const { first, last } = endsOf(file);
      return isOurs(first()) || isOurs(last());
    }),
  );
}

/** The first and last directories of a transcript, cached until the file changes. */
interface Ends {
  stamp: string;
  first: () => string | null;
  last: () => string | null;
}

/** Cache of these directories, because a search for several projects looks at every file for each of them. */
const ENDS = new Map<string, Ends>();

function endsOf(file: string): Ends {
  const stats = statIfExists(file);
  const stamp = `${stats?.size} ${stats?.mtimeMs}`;
  const known = ENDS.get(file);
  if (known?.stamp === stamp) return known;
  const ends = { stamp, first: lazily(() => firstCwd(file)), last: lazily(() => lastCwd(file)) };
  ENDS.set(file, ends);
  return ends;
}

/** Lists the directories in which Claude Code was used, according to the first transcript of each of its folders. */
export async function knownDirectories(environment: Environment): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of transcriptFolders(environment)) {
    for (const file of transcriptsIn(folder)) {
      const cwd = firstCwd(file);
      if (cwd === null) continue;
      found.add(cwd);
      break;
    }
  }
  return [...found];
}

/** Lists the transcripts of sessions, and those of subagents whose session has none any more. */
function transcriptsIn(directory: string): string[] {
  const entries = listEntries(directory);
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"));
  const sessions = new Set(names.map(({ name }) => name));
  const orphans = entries.filter((entry) => entry.isDirectory() && !sessions.has(`${entry.name}.jsonl`));
  return [
    ...[...sessions].map((name) => join(directory, name)),
    ...orphans.flatMap(({ name }) => [...findFiles(join(directory, name, "subagents"), isSubagentFile)]),
  ];
}

function isSubagentFile(path: string): boolean {
  return /^agent-.+\.jsonl$/.test(basename(path)) && !isCompactionFile(path);
}

/** Returns the name of Claude Code's folder for a directory. Claude Code truncates longer names and appends a hash. */
export function folderName(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-").slice(0, MAX_FOLDER_NAME_CHARS);
}

/** Returns the first `cwd` of a transcript's entries; null when none has it or the file cannot be read. */
export function firstCwd(file: string): string | null {
  for (const line of headLines(file)) {
    const cwd = line.includes('"cwd"') ? asString(parseObject(line)?.cwd) : null;
    if (cwd !== null) return cwd;
  }
  return null;
}

/** Bytes at the end of a transcript that contain an entry with a `cwd`. */
const TAIL_BYTES = 1 << 16;

/** Returns the last `cwd` near the end of a transcript; null when there is none. */
export function lastCwd(file: string): string | null {
  for (const line of readTail(file, TAIL_BYTES).split("\n").reverse()) {
    const cwd = line.includes('"cwd"') ? asString(parseObject(line)?.cwd) : null;
    if (cwd !== null) return cwd;
  }
  return null;
}

const AGENT_FILE = /^agent-(.+)\.jsonl$/;
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the ids in a path: `<session-id>.jsonl`, or `<session-id>/subagents/.../agent-<id>.jsonl`. */
export function sourceFile(path: string): SourceFile {
  const agentId = AGENT_FILE.exec(basename(path))?.[1] ?? null;
  if (agentId === null) {
    const sessionId = basename(path, ".jsonl");
    return { sessionId, isNamed: SESSION_ID.test(sessionId), agentId };
  }
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === "subagents")
      return { sessionId: basename(dirname(folder)), isNamed: false, agentId };
  }
  return { sessionId: null, isNamed: false, agentId };
}

/** Tells whether a file is the transcript of a compaction, which adds nothing to the summary. */
export function isCompactionFile(path: string): boolean {
  return basename(path).startsWith("agent-acompact");
}

/** The notes of Claude Code beside a subagent's transcript. */
interface AgentMeta {
  type: string | null;
  /** The task of the subagent. */
  task: string | null;
}

/** Reads the `agent-<id>.meta.json` beside a subagent's transcript; empty when it is missing or broken. */
export function agentMeta(path: string): AgentMeta {
  // Older versions wrote no such file. The transcript can be read without it.
  const meta = asObject(parseObject(readText(path.replace(/\.jsonl$/, ".meta.json"))));
  return { type: asString(meta?.agentType), task: asString(meta?.description) };
}

/** The memory file that Claude Code loads, and the number of loaded lines. It opens other files of the folder on demand. */
const LOADED = { name: "MEMORY.md", lines: 200 } as const;

/** Lists Claude Code's own memory files of a project, the one that it always loads first. */
export function memoryFiles(root: string, environment: Environment): MemoryFile[] {
  const folder = join(claudeDirectory(environment), "projects", folderName(root), "memory");
  const others = listEntries(folder).filter((entry) => entry.isFile() && /\.md$/i.test(entry.name));
  const names = others.map(({ name }) => name).filter((name) => name !== LOADED.name);
  return [
    { path: join(folder, LOADED.name), lines: LOADED.lines },
    ...names.sort().map((name) => ({ path: join(folder, name), lines: null })),
  ];
}
