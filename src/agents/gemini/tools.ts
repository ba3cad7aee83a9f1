import type { ToolCall } from "../../ingest/transcript/events.ts";
import {
  multiFileCall,
  searchCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../ingest/transcript/tools/call.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../io/json.ts";
import {
  bookkeeping,
  type CallReader,
  dialogue,
  file,
  toolCall as knownCall,
  list,
  shell,
  toolTable,
  webSearch,
} from "../tool-table.ts";

const search: CallReader = (text) => searchCall(text("pattern", "query"), text("dir_path", "path"));

const TOOLS = toolTable({
  read_file: ["Read", file("file_path", "absolute_path")],
  read_many_files: ["Read", (_, input) => multiFileCall(strings(input.include ?? input.paths))],
  replace: ["Edit", file("file_path", "absolute_path")],
  edit: ["Edit", file("file_path", "absolute_path")],
  write_file: ["Write", file("file_path", "absolute_path")],
  run_shell_command: ["Bash", shell],
  grep_search: ["Grep", search],
  search_file_content: ["Grep", search],
  glob: ["Glob", search],
  list_directory: ["Glob", list("dir_path", "path")],
  // The addresses are in its prompt.
  web_fetch: ["WebFetch", (text) => webCall("url", text("url", "prompt"))],
  google_web_search: ["WebSearch", webSearch],
  invoke_agent: ["Task", (text) => subagentCall(text("agent_name"), text("prompt"))],
  codebase_investigator: ["Task", (text) => subagentCall("codebase_investigator", text("objective"))],
  activate_skill: ["Skill", (text) => skillCall(text("name"), null)],
  ask_user: dialogue,
  write_todos: bookkeeping,
  update_topic: bookkeeping,
  enter_plan_mode: bookkeeping,
  // Its result is the subagent's text.
  complete_task: bookkeeping,
});

/** Returns a call of Gemini CLI. `isSubagent` is true for a tool whose result shows that a subagent worked. */
export function toolCall(
  id: string | null,
  name: string,
  args: JsonObject | null,
  isSubagent: boolean,
): ToolCall {
  return isSubagent && !TOOLS.has(name)
    ? { id, name: "Task", ...subagentCall(name, firstText(args)) }
    : knownCall(TOOLS, id, name, args);
}

function strings(value: unknown): string[] {
  return typeof value === "string" ? [value] : listOf(value).flatMap((each) => stringOf(each) ?? []);
}

function firstText(args: JsonObject | null): string | null {
  return (
    (Object.values(args ?? {}).find((value) => typeof value === "string" && value !== "") as
      | string
      | undefined) ?? null
  );
}

/** Returns what a subagent submitted as its last act, which no other record contains; null for any other call. */
export function handedIn(name: string, args: JsonObject | null): string | null {
  if (name !== "complete_task") return null;
  return wordsOf(args?.result ?? args);
}

/** Returns the words of a result: a text, or an object with one or several texts. */
export function wordsOf(result: unknown): string | null {
  if (typeof result === "string") return stringOf(result);
  const fields = objectOf(result);
  if (fields === null) return null;
  const texts = Object.values(fields).filter((value) => typeof value === "string" && value !== "");
  return stringOf(texts.join("\n\n"));
}
