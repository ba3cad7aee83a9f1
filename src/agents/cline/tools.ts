import type { ToolCall } from "../../ingest/transcript/events.ts";
import {
  BOOKKEEPING,
  searchCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../ingest/transcript/tools/call.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../io/json.ts";
import { bookkeeping, dialogue, file, patch, shell, toolCall, toolTable } from "../tool-table.ts";

const TOOLS = toolTable({
  read_files: ["Read", file("path")],
  search_codebase: ["Grep", (text) => searchCall(text("query"), null)],
  run_commands: ["Bash", shell],
  editor: [(input) => (isEdit(input) ? "Edit" : "Write"), file("path")],
  apply_patch: ["Edit", patch("input")],
  fetch_web_content: ["WebFetch", (text) => webCall("url", text("url"))],
  skills: ["Skill", (text) => skillCall(text("skill"), text("args"))],
  spawn_agent: ["Task", (text) => subagentCall(null, text("task"))],
  ask_question: dialogue,
  // The summary counts as the assistant's text.
  submit_and_exit: bookkeeping,
});

function isEdit(input: JsonObject): boolean {
  return stringOf(input.old_text) !== null || typeof input.insert_line === "number";
}

/**
 * Tools that take several files, commands or questions at once, with the argument of one of them and the names under
 * which models pass the list. Models may also pass a single value, and an object as its main value. The client
 * accepts all of these.
 */
const SEVERAL: ReadonlyMap<string, readonly [argument: string, keys: readonly string[]]> = new Map([
  ["read_files", ["path", ["files", "file_paths", "paths", "path", "file_path", "filePath"]]],
  ["search_codebase", ["query", ["queries"]]],
  ["run_commands", ["command", ["commands", "command", "cmd"]]],
  ["fetch_web_content", ["url", ["requests"]]],
]);

/** Returns the calls that one call of Cline stands for; see `callId` for their ids. */
export function toolCalls(id: string | null, name: string, input: JsonObject): ToolCall[] {
  if (name.startsWith("team_")) return [{ id: callId(id, 0), name, ...BOOKKEEPING }];
  const several = SEVERAL.get(name);
  const inputs = several ? texts(input, several[1]).map((text) => ({ [several[0]]: text })) : [input];
  return inputs.map((each, index) => toolCall(TOOLS, callId(id, index), name, each));
}

/** Returns the id of one of the calls that a call stands for. Its result has the same index in the list of results. */
export function callId(id: string | null, index: number): string | null {
  return id === null ? null : `${id}#${index}`;
}

/** Returns the texts of the first key that has any: a text, a list of texts, or objects with a main value. */
function texts(input: JsonObject, keys: readonly string[]): string[] {
  for (const key of keys) {
    const value = input[key];
    const found = (Array.isArray(value) ? listOf(value) : [value]).flatMap((each) => textOf(each) ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return stringOf(value);
  const fields = objectOf(value);
  const command = stringOf(fields?.command);
  if (command !== null) return [command, ...listOf(fields?.args)].join(" ");
  const names = ["path", "file_path", "filePath", "url", "query"];
  return names.reduce<string | null>((found, name) => found ?? stringOf(fields?.[name]), null);
}
