import { existsSync } from "node:fs";
import { type Count, type Counts, filesIn, type Json, linesOf, listAt, mention, nothing } from "./counts.ts";

const BOOKS = new Set(["TodoWrite", "AskUser", "ExitSpecMode", "ToolSearch"]);
const FILES = /^(?:Read|Edit|MultiEdit|Create|Grep|LS)$/;
const FAILED = /^Error: |\[Process exited with code [1-9]/;

const isTyped = ({ type, text }: Json) => type === "text" && !String(text).startsWith("<system-reminder>");

function add(counts: Counts, { message }: Json, isChild: boolean, touch: (path: unknown) => void): void {
  const { role, content, visibility } = message as Json;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listAt(message, "content");
  if (role === "assistant") counts.answers += blocks.filter(({ type }) => type === "text").length;
  else if (visibility === undefined && !isChild && blocks.some(isTyped)) counts.prompts++;
  for (const block of blocks as Json[]) addCall(counts, block, touch);
}

function addCall(counts: Counts, block: Json, touch: (path: unknown) => void): void {
  const { type, name, input, content: output, is_error } = block;
  if (type === "tool_use" && !BOOKS.has(String(name))) counts.toolCalls++;
  if (type === "tool_use") for (const path of pathsIn(String(name), input as Json)) touch(path);
  const hasFailed = is_error === true || FAILED.test(String(output));
  if (type === "tool_result" && hasFailed && !/user rejected/.test(String(output))) counts.failures++;
}

function pathsIn(name: string, input: Json): unknown[] {
  if (FILES.test(name)) return [input.file_path ?? input.path ?? input.directory_path];
  return name === "ApplyPatch"
    ? [...String(input.input).matchAll(/File: (.+)/g)].map(([, path]) => path)
    : [];
}

export const count: Count = (home, project) => {
  const counts = nothing();
  const [files, seen, subagents] = [new Set<string>(), new Set<unknown>(), new Set<string>()];
  const sessions = `${home}/.factory/sessions`;
  for (const file of existsSync(sessions) ? filesIn(sessions, /\.jsonl$/) : []) {
    const [start = {}, ...records] = linesOf(file);
    const { cwd, callingSessionId } = (start.session ?? start) as Json;
    if (cwd !== project) continue;
    if (callingSessionId !== undefined) subagents.add(file);
    for (const record of records.filter(({ type }) => type === "message")) {
      // A fork has copies of what was said before, whose files count as its own.
      const into = seen.has(record.id) ? nothing() : counts;
      seen.add(record.id);
      add(into, record, callingSessionId !== undefined, (path) => mention(files, file, project, path));
    }
  }
  return { ...counts, mentions: files.size, subagents: subagents.size };
};
