import { basename, dirname, join } from "node:path";
import { type JsonObject, objectOf, objectsOf, parseObject, stringOf } from "../../io/json.ts";
import { readUntrusted } from "../../io/read.ts";
import type { SourceFile } from "../agent.ts";
import { absolutePath, entriesOf, fileStamp } from "../files.ts";
import { headRecords } from "../head-lines.ts";
import { parentOf } from "./parent.ts";

/**
 * Returns the directory of a conversation; null when nothing says it. Its steps do not: the list of typed prompts names
 * it, or the client's logs name a project whose file names its directory. A subagent is told by its caller.
 */
export function workspaceOf(transcript: string): string | null {
  const folder = conversationFolder(transcript);
  const id = basename(folder);
  const home = dirname(dirname(folder));
  return inHistory(home, id) ?? inMetadata(transcript) ?? parentOf(folder)?.workspace ?? inLogs(home, id);
}

/** Some versions write it beside the first prompt, which is in the first record. */
function inMetadata(transcript: string): string | null {
  const [first] = headRecords(transcript);
  const metadata = /<ADDITIONAL_METADATA>\s*(\{[^<]*\})\s*</.exec(stringOf(first?.content) ?? "")?.[1];
  return directoryOf(parseObject(metadata ?? "")?.cwd);
}

function inHistory(home: string, id: string): string | null {
  const lines = quietly(join(home, "history.jsonl"))?.split("\n") ?? [];
  const found = lines.findLast((line) => line.includes(id));
  const entry = parseObject(found ?? "");
  return entry?.conversationId === id ? directoryOf(entry.workspace) : null;
}

const USES = /(?:project: using project .{0,400}?\(id=|Conversation using project ID:\s*)([\da-f-]{36})/i;

function inLogs(home: string, id: string): string | null {
  const logs = join(home, "log");
  for (const { name } of entriesOf(logs).reverse()) {
    if (!/^cli-.*\.log$/.test(name)) continue;
    const lines = quietly(join(logs, name))?.split("\n") ?? [];
    const at = lines.findIndex((line) => line.includes(id));
    const project = lines
      .slice(0, at + 1)
      .map((line) => USES.exec(line)?.[1])
      .findLast((each) => each !== undefined);
    if (project !== undefined) return ofProject(dirname(home), project);
  }
  return null;
}

function ofProject(gemini: string, project: string): string | null {
  const file = parseObject(quietly(join(gemini, "config", "projects", `${project}.json`)) ?? "");
  const named = objectsOf(objectOf(file?.projectResources)?.resources).map(folderOf);
  return [...named, directoryOf(file?.name)].find((path) => path !== null) ?? null;
}

function folderOf({ gitFolder, folderUri, path }: JsonObject): string | null {
  return directoryOf(objectOf(gitFolder)?.folderUri) ?? directoryOf(folderUri) ?? directoryOf(path);
}

function directoryOf(value: unknown): string | null {
  return absolutePath(stringOf(value)?.replace(/^file:\/\//, ""));
}

function quietly(path: string): string | null {
  try {
    return readUntrusted(path);
  } catch {
    return null;
  }
}

/** Has the arguments of tools as they are. */
const FULL = "transcript_full.jsonl";
/** Has each argument as JSON in a text, and cuts long ones. */
const SHORT = "transcript.jsonl";

/** True for `brain/<conversation>/.system_generated/logs/transcript_full.jsonl`, and for its shorter twin. */
export function isTranscript(path: string): boolean {
  const name = basename(path);
  const logs = dirname(path);
  return (
    (name === FULL || name === SHORT) &&
    basename(logs) === "logs" &&
    basename(dirname(logs)) === ".system_generated"
  );
}

export function isShort(path: string): boolean {
  return basename(path) === SHORT;
}

/** True for a short transcript whose full one is there. */
export function hasFullTwin(path: string): boolean {
  return isShort(path) && fileStamp(join(dirname(path), FULL)) !== null;
}

/** Returns the transcript of a conversation in `brain`; null when it has none. */
export function transcriptIn(conversation: string): string | null {
  const logs = join(conversation, ".system_generated", "logs");
  const found = [FULL, SHORT].map((name) => join(logs, name)).find((path) => fileStamp(path) !== null);
  return found ?? null;
}

/** Returns `brain/<conversation>` of a transcript. */
export function conversationFolder(path: string): string {
  return dirname(dirname(dirname(path)));
}

/** Returns the ids of a transcript. A subagent has a conversation of its own, which only the caller's transcript names. */
export function sourceFile(path: string): SourceFile {
  const folder = conversationFolder(path);
  const id = basename(folder);
  const parent = parentOf(folder);
  if (parent === null) return { sessionId: id, isNamed: isTranscript(path), agentId: null };
  return { sessionId: parent.sessionId, isNamed: false, agentId: id };
}
