import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Count, type Counts, filesIn, type Json, linesOf, listAt, mention, nothing } from "./counts.ts";

const BOOKS = new Set(["write_todos", "update_topic", "enter_plan_mode", "complete_task"]);
const FILE_TOOLS = new Set(["read_file", "replace", "write_file", "grep_search", "glob", "list_directory"]);

/** The messages of each session by their id, as they were written last; a session may lie in several files. */
function sessionsIn(home: string): Map<string, Map<string, Json>> {
  const sessions = new Map<string, Map<string, Json>>();
  for (const file of filesIn(`${home}/.gemini/tmp`, /\/chats\/.*\.jsonl?$/)) {
    const whole = file.endsWith(".json") ? [JSON.parse(readFileSync(file, "utf8"))] : linesOf(file);
    const records = file.endsWith(".json") ? listAt(whole[0], "messages") : whole;
    const subagent = basename(file).startsWith("session-") ? "" : "subagent ";
    const id = subagent + String(whole[0]?.sessionId);
    const messages = sessions.get(id) ?? new Map<string, Json>();
    for (const record of records)
      if (typeof record.type === "string") messages.set(String(record.id), record);
    sessions.set(id, messages);
  }
  return sessions;
}

const textsOf = (content: unknown): string[] =>
  typeof content === "string"
    ? [content]
    : Array.isArray(content)
      ? content.flatMap(({ text }) => text ?? [])
      : [];

/** What a person typed: not the client's context, a hook's words, or an older version's prompt of a subagent. */
function isTyped({ content }: Json): boolean {
  return textsOf(content).some((text) => {
    const rest = text.replace(/^<(hook_context|session_context|state_snapshot)>[\s\S]*<\/\1>\s*/, "");
    return rest !== "" && !/^Your task is to do|^You have stopped calling/.test(rest);
  });
}

function hasFailed({ name, status, result }: Json): boolean {
  const text = JSON.stringify(result ?? "");
  if (/Operation Cancelled/.test(text)) return false;
  return status !== "success" || (name === "run_shell_command" && /\\nExit Code: [1-9]/.test(text));
}

/** Counts one message; `id` is that of its session. */
function add(counts: Counts, id: string, message: Json, touch: (path: unknown) => void): void {
  if (message.type === "user" && !isSubagent(id) && isTyped(message)) counts.prompts++;
  if (message.type !== "gemini") return;
  counts.answers += textsOf(message.content).filter((text) => text.trim() !== "").length;
  for (const call of listAt(message, "toolCalls")) {
    const name = String(call.name);
    if (name === "complete_task") counts.answers++;
    if (!BOOKS.has(name)) counts.toolCalls++;
    if (hasFailed(call)) counts.failures++;
    const { file_path, dir_path, path } = (call.args ?? {}) as Json;
    if (FILE_TOOLS.has(name)) touch(file_path ?? dir_path ?? path);
  }
}

const isSubagent = (id: string) => id.startsWith("subagent ");

export const count: Count = (home, project) => {
  const counts = nothing();
  const files = new Set<string>();
  const sessions = sessionsIn(home);
  for (const [id, messages] of sessions)
    for (const message of messages.values())
      add(counts, id, message, (path) => mention(files, id, project, path));
  return { ...counts, mentions: files.size, subagents: [...sessions.keys()].filter(isSubagent).length };
};
