import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { type Count, type Counts, filesIn, type Json, linesOf, listAt, mention, nothing } from "./counts.ts";

const BOOKS = /^(?:todo|TodoWrite|ask_question|create_plan)/;
const FILES = ["relativeWorkspacePath", "target_file", "path"];

/** What a message of any form says, in few words. */
interface Said {
  session: string;
  isPrompt: boolean;
  isAnswer: boolean;
  calls: { name: string; args: Json }[];
  failures: number;
}

const json = (text: unknown): Json => (typeof text === "string" && text !== "" ? JSON.parse(text) : {});

function rowsOf(file: string, sql: string): Json[] {
  const database = new Database(file, { readonly: true });
  try {
    return database.query(sql).all() as Json[];
  } finally {
    database.close();
  }
}

/** The messages of the editor's conversations in a project: all rows with a value, whether they were taken back or not. */
function editor(file: string, project: string, children: Set<string>): Said[] {
  const rows = rowsOf(file, "SELECT key, value FROM cursorDiskKV WHERE value IS NOT NULL");
  const all = rows.map(({ key, value }) => ({ key: String(key), fields: json(value) }));
  const elsewhere = all.filter(({ fields }) => {
    const path = ((fields.workspaceIdentifier as Json | undefined)?.uri as Json | undefined)?.fsPath;
    return path !== undefined && path !== project;
  });
  const others = new Set(elsewhere.map(({ fields }) => fields.composerId));
  for (const { fields } of all) if (fields.subagentInfo) children.add(String(fields.composerId));
  const inline = all.flatMap(({ fields }) =>
    listAt(fields, "conversation").map((bubble) => saidBy(String(fields.composerId), bubble, fields)),
  );
  const bubbles = all
    .filter(({ key }) => key.startsWith("bubbleId:") && !others.has(key.split(":")[1]))
    .map(({ key, fields }) => saidBy(String(key.split(":")[1]), fields, {}));
  return [...inline, ...bubbles];
}

function saidBy(session: string, bubble: Json, composer: Json): Said {
  const [capability] = listAt(composer, "capabilities");
  const map = json((capability?.data as Json | undefined)?.bubbleDataMap);
  const tool = (bubble.toolFormerData ?? map[String(bubble.bubbleId)]) as Json | undefined;
  const isRefused = tool?.userDecision === "rejected";
  const hasFailed = tool?.status === "error" || Number(json(tool?.result).exitCode ?? 0) !== 0;
  return {
    session,
    isPrompt: bubble.type === 1,
    isAnswer: bubble.type === 2 && bubble.text !== "",
    calls: tool ? [{ name: String(tool.name), args: { ...json(tool.rawArgs), ...json(tool.params) } }] : [],
    failures: Number(hasFailed && !isRefused),
  };
}

/** The chats of first versions. */
function chats(file: string): Said[] {
  const rows = rowsOf(file, "SELECT value FROM ItemTable WHERE key LIKE '%aichat.chatdata'");
  return rows
    .flatMap(({ value }) => listAt(json(value), "tabs"))
    .flatMap((tab) => listAt(tab, "bubbles").map(({ type }) => ({ tab, type })))
    .map(({ tab, type }) => ({
      session: String(tab.tabId),
      isPrompt: type === "user",
      isAnswer: type === "ai",
      calls: [],
      failures: 0,
    }));
}

function messageOf(session: string, role: unknown, content: unknown): Said {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content as Json[]);
  const text = parts.find(({ type }) => type === "text")?.text;
  const calls = parts.filter(({ type }) => type === "tool-call" || type === "tool_use");
  return {
    session,
    isPrompt: role === "user" && !String(text).startsWith("<user_info>"),
    isAnswer: role === "assistant" && text !== undefined,
    calls: calls.map((part) => ({
      name: String(part.toolName ?? part.name),
      args: (part.args ?? part.input) as Json,
    })),
    failures: parts.filter(({ result }) => /^Exit code: [1-9]/.test(String(result))).length,
  };
}

function store(file: string): Said[] {
  const session = basename(file.replace("/store.db", ""));
  // A content that occurs twice is stored once: the latest root says how often, and in which order.
  const rows = rowsOf(file, "SELECT id, data FROM blobs").map(({ id, data }) => ({
    id: String(id),
    bytes: Buffer.from(data as Uint8Array),
  }));
  const messages = new Map(rows.filter(({ bytes }) => bytes[0] === 0x7b).map(({ id, bytes }) => [id, bytes]));
  const root = rows.find(({ bytes }) => bytes[0] === 0x0a)?.bytes.toString("hex") ?? "";
  return [...root.matchAll(/0a20([\da-f]{64})/g)].map(([, id = ""]) => {
    const { role, content } = JSON.parse(String(messages.get(id)));
    return messageOf(session, role, content);
  });
}

function transcript(file: string): Said[] {
  const session = basename(file, ".jsonl");
  return linesOf(file)
    .filter(({ role }) => role !== undefined)
    .map(({ role, message }) => messageOf(session, role, (message as Json).content));
}

function add(counts: Counts, said: Said, isChild: boolean, touch: (path: unknown) => void): void {
  if (said.isPrompt && !isChild) counts.prompts++;
  if (said.isAnswer) counts.answers++;
  counts.failures += said.failures;
  for (const { name, args } of said.calls) {
    if (!BOOKS.test(name)) counts.toolCalls++;
    for (const key of FILES) touch(args[key]);
  }
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const [files, children] = [new Set<string>(), new Set<string>()];
  const below = (folder: string, matches: RegExp) =>
    existsSync(`${home}/${folder}`) ? filesIn(`${home}/${folder}`, matches) : [];
  const databases = below(".config/Cursor", /state\.vscdb$/);
  const kept = [...databases.flatMap((file) => [...editor(file, project, children), ...chats(file)])];
  kept.push(...below(".cursor/chats", /store\.db$/).flatMap(store));
  const known = new Set(kept.map(({ session }) => session));
  const slug = project.slice(1).replaceAll("/", "-");
  const transcripts = below(`.cursor/projects/${slug}`, /\.jsonl$/).filter(
    (file) => !known.has(basename(file, ".jsonl")),
  );
  for (const file of transcripts) if (file.includes("/subagents/")) children.add(basename(file, ".jsonl"));
  for (const said of [...kept, ...transcripts.flatMap(transcript)])
    add(counts, said, children.has(said.session), (path) => mention(files, said.session, project, path));
  return { ...counts, mentions: files.size, subagents: children.size };
};
