import type { ToolCall } from "../../transcript/events.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "../../transcript/json.ts";
import {
  BOOKKEEPING,
  type CallContent,
  CONVERSATION,
  fileCall,
  filesCall,
  otherCall,
  searchCall,
  shellCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../transcript/tools/call.ts";

type Reader = (text: (...keys: string[]) => string | null, args: JsonObject) => CallContent;

const file: Reader = (text) => fileCall(text("file_path", "absolute_path"));
const search: Reader = (text) => searchCall(text("pattern", "query"), text("dir_path", "path"));
const subagent: Reader = (text) => subagentCall(text("agent_name"), text("prompt"));
const bookkeeping: Reader = () => BOOKKEEPING;

/** Each tool with the common name of its kind. */
const TOOLS: ReadonlyMap<string, readonly [name: string, read: Reader]> = new Map(
  Object.entries({
    read_file: ["Read", file],
    read_many_files: ["Read", (_, args) => filesCall(strings(args.include ?? args.paths))],
    replace: ["Edit", file],
    edit: ["Edit", file],
    write_file: ["Write", file],
    run_shell_command: ["Bash", (text) => shellCall(text("description"), text("command"))],
    grep_search: ["Grep", search],
    search_file_content: ["Grep", search],
    glob: ["Glob", search],
    list_directory: ["Glob", (text) => searchCall(null, text("dir_path", "path"))],
    // The addresses are in its prompt.
    web_fetch: ["WebFetch", (text) => webCall("url", text("url", "prompt"))],
    google_web_search: ["WebSearch", (text) => webCall("query", text("query"))],
    invoke_agent: ["Task", subagent],
    codebase_investigator: ["Task", (text) => subagentCall("codebase_investigator", text("objective"))],
    activate_skill: ["Skill", (text) => skillCall(text("name"), null)],
    ask_user: ["ask_user", () => CONVERSATION],
    write_todos: ["write_todos", bookkeeping],
    update_topic: ["update_topic", bookkeeping],
    enter_plan_mode: ["enter_plan_mode", bookkeeping],
    // Its result is the subagent's text.
    complete_task: ["complete_task", bookkeeping],
  } satisfies Record<string, readonly [string, Reader]>),
);

/** Returns a call of Gemini CLI. `isSubagent` is true for a tool whose result shows that a subagent worked. */
export function toolCall(
  id: string | null,
  given: string,
  args: JsonObject | null,
  isSubagent: boolean,
): ToolCall {
  const text = (...keys: string[]) =>
    keys.reduce<string | null>((found, key) => found ?? stringOf(args?.[key]), null);
  const known = TOOLS.get(given);
  if (known) return { id, name: known[0], ...known[1](text, args ?? {}) };
  if (isSubagent) return { id, name: "Task", ...subagentCall(given, firstText(args)) };
  return { id, name: given, ...otherCall(args) };
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
