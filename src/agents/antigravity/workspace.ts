import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { headRecords } from "../../ingest/transcript/lines.ts";
import {
  fileCall,
  searchCall,
  shellCall,
  subagentCall,
  webCall,
} from "../../ingest/transcript/tools/call.ts";
import { asList, asObject, asObjects, asString, type JsonObject, parseObject } from "../../io/json.ts";
import type { SourceFile } from "../agent.ts";
import { absolutePath, fileStamp, listEntries, readHead, readTail, readText } from "../files.ts";
import { type CallReader, dialogueReader, hiddenReader, toolTable } from "../tool-table.ts";

/**
 * Returns the directory of a conversation; null when unknown. The steps do not contain it: the list of typed prompts names it, or
 * the client's logs name a project whose file names its directory. A subagent gets its caller's directory.
 */
export function workspaceOf(transcript: string): string | null {
  const folder = conversationFolder(transcript);
  const id = basename(folder);
  const home = dirname(dirname(folder));
  return inHistory(home, id) ?? inMetadata(transcript) ?? parentOf(folder)?.workspace ?? inLogs(home, id);
}

/** Returns the directory beside the first prompt, in the first record, where some versions write it. */
function inMetadata(transcript: string): string | null {
  const [first] = headRecords(transcript);
  const metadata = /<ADDITIONAL_METADATA>\s*(\{[^<]*\})\s*</.exec(asString(first?.content) ?? "")?.[1];
  return directoryOf(parseObject(metadata ?? "")?.cwd);
}

function inHistory(home: string, id: string): string | null {
  const lines = readText(join(home, "history.jsonl")).split("\n");
  const found = lines.findLast((line) => line.includes(id));
  const entry = parseObject(found ?? "");
  return entry?.conversationId === id ? directoryOf(entry.workspace) : null;
}

const USES = /(?:project: using project .{0,400}?\(id=|Conversation using project ID:\s*)([\da-f-]{36})/i;

function inLogs(home: string, id: string): string | null {
  const logs = join(home, "log");
  for (const { name } of listEntries(logs).reverse()) {
    if (!/^cli-.*\.log$/.test(name)) continue;
    const lines = readText(join(logs, name)).split("\n");
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
  const file = parseObject(readText(join(gemini, "config", "projects", `${project}.json`)));
  const named = asObjects(asObject(file?.projectResources)?.resources).map(folderOf);
  return [...named, directoryOf(file?.name)].find((path) => path !== null) ?? null;
}

function folderOf({ gitFolder, folderUri, path }: JsonObject): string | null {
  return directoryOf(asObject(gitFolder)?.folderUri) ?? directoryOf(folderUri) ?? directoryOf(path);
}

function directoryOf(value: unknown): string | null {
  return absolutePath(asString(value)?.replace(/^file:\/\//, ""));
}

/** Transcript with complete arguments of tools. */
const FULL = "transcript_full.jsonl";
/** Transcript with arguments as JSON texts, of which long ones are cut. */
const SHORT = "transcript.jsonl";

/** Tells whether a path is `brain/<conversation>/.system_generated/logs/transcript_full.jsonl` or the shorter twin. */
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

/** Tells whether a short transcript has a full one beside it. */
export function hasFullTwin(path: string): boolean {
  return isShort(path) && fileStamp(join(dirname(path), FULL)) !== null;
}

/** Returns the transcript of a conversation in `brain`; null when it has none. */
export function brainTranscript(conversation: string): string | null {
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

/** The conversation that started another one as its subagent. */
interface Parent {
  /** The conversation that a person started. */
  sessionId: string;
  /** The directory that the subagent was given; null when none is named. */
  workspace: string | null;
}

const STARTED = "INVOKE_SUBAGENT";
/** Bytes at a transcript's start and end that contain a record with a time. */
const EDGE_BYTES = 1 << 14;
/** Maximum bytes of a transcript to search for subagents. */
const MAX_BYTES = 64 << 20;
/** Maximum depth of nested subagents; more is a cycle. */
const MAX_DEPTH = 8;

/**
 * Finds the conversation that started another one; null for one that a person started. Reads only conversations that were open
 * when this one began.
 */
function parentOf(folder: string, depth = 0): Parent | null {
  const began = timeIn(readHead(transcriptOf(folder), EDGE_BYTES).split("\n"));
  if (began === null || depth === MAX_DEPTH) return null;
  const id = basename(folder);
  for (const { name } of listEntries(dirname(folder))) {
    if (name === id) continue;
    const other = join(dirname(folder), name);
    const workspace = wasOpen(transcriptOf(other), began) ? startedBy(transcriptOf(other), id) : undefined;
    if (workspace === undefined) continue;
    return { sessionId: parentOf(other, depth + 1)?.sessionId ?? name, workspace };
  }
  return null;
}

/** Returns a conversation's short transcript, which every version writes with all records. */
function transcriptOf(folder: string): string {
  const logs = join(folder, ".system_generated", "logs");
  const short = join(logs, "transcript.jsonl");
  return fileStamp(short) === null ? join(logs, "transcript_full.jsonl") : short;
}

function wasOpen(transcript: string, time: string): boolean {
  const first = timeIn(readHead(transcript, EDGE_BYTES).split("\n"));
  const last = timeIn(readTail(transcript, EDGE_BYTES).split("\n").reverse());
  return first !== null && first <= time && (last === null || time <= last);
}

function timeIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const time = /"created_at"\s*:\s*"([^"]+)"/.exec(line)?.[1];
    if (time !== undefined) return time;
  }
  return null;
}

/** Returns the directory that a conversation gave to its subagent, null for none; undefined when it did not start that one. */
function startedBy(transcript: string, id: string): string | null | undefined {
  if ((fileStamp(transcript)?.size ?? 0) > MAX_BYTES) return undefined;
  const bytes = bytesOf(transcript);
  if (bytes === null || !bytes.includes(id)) return undefined;
  for (const line of bytes.toString("utf8").split("\n")) {
    if (!line.includes(id) || !line.includes(STARTED)) continue;
    const content = contentOf(parseObject(line) ?? {});
    if (content === null || !content.includes(id)) continue;
    const uri = /"workspaceUris"\s*:\s*\[\s*"([^"]+)"/.exec(content.slice(content.indexOf(id)))?.[1];
    return uri?.replace(/^file:\/\//, "") ?? null;
  }
  return undefined;
}

function contentOf({ type, content }: JsonObject): string | null {
  return type === STARTED ? asString(content) : null;
}

function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** Some paths are file URLs. */
const path = (given: string | null) => given?.replace(/^file:\/\//, "") ?? null;
const target: CallReader = (text) => fileCall(path(text("TargetFile", "AbsolutePath")));

export const TOOLS = toolTable({
  view_file: ["Read", target],
  write_to_file: ["Write", target],
  replace_file_content: ["Edit", target],
  multi_replace_file_content: ["Edit", target],
  run_command: ["Bash", (text) => shellCall(text("toolSummary"), text("CommandLine"))],
  grep_search: ["Grep", (text) => searchCall(text("Query"), path(text("SearchPath")))],
  list_dir: ["Glob", (text) => searchCall(null, path(text("DirectoryPath")))],
  search_web: ["WebSearch", (text) => webCall("query", text("Query", "query"))],
  read_url_content: ["WebFetch", (text) => webCall("url", text("Url", "url"))],
  invoke_subagent: ["Task", (_, input) => firstSubagent(input)],
  ask_question: dialogueReader,
  ask_permission: hiddenReader,
  list_permissions: hiddenReader,
  manage_task: hiddenReader,
  define_subagent: hiddenReader,
  send_message: hiddenReader,
  schedule: hiddenReader,
});

function firstSubagent({ Subagents }: JsonObject) {
  const [first] = asObjects(Subagents);
  return {
    ...subagentCall(asString(first?.Role) ?? asString(first?.TypeName), asString(first?.Prompt)),
    returnsWords: false,
  };
}

/** Arguments that describe every call. */
const LABELS: ReadonlySet<string> = new Set(["toolAction", "toolSummary"]);

/** Returns the arguments of a call. A short transcript has each of them as a JSON text. */
export function argumentsOf({ name, args }: JsonObject, isShort: boolean): JsonObject | null {
  const given = asObject(args);
  if (given === null) return null;
  const isKnown = TOOLS.has(asString(name) ?? "");
  const wanted = Object.entries(given).filter(([key]) => isKnown || !LABELS.has(key));
  return Object.fromEntries(wanted.map(([key, value]) => [key, isShort ? unwrapped(value) : value]));
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const whole = parseObject(`{"value":${value}}`);
  return whole ? whole.value : value;
}

/** Returns the directory in which a call worked: its own, or that of its file. */
export function callDirectory(args: JsonObject | null): string | null {
  const cwd = path(asString(args?.Cwd));
  if (cwd !== null) return cwd;
  const file = path(asString(args?.TargetFile) ?? asString(args?.AbsolutePath));
  const end = file?.lastIndexOf("/") ?? -1;
  return file !== null && end > 0 ? file.slice(0, end) : null;
}

/** Returns the questions of a call to the user. */
export function userQuestions(args: JsonObject | null): string[] {
  return asList(args?.Questions ?? args?.questions).flatMap((each) => {
    const fields = asObject(each);
    return asString(each) ?? asString(fields?.Question) ?? asString(fields?.question) ?? [];
  });
}
