import type { ToolCall } from "../../transcript/events.ts";
import { type JsonObject, stringOf } from "../../transcript/json.ts";
import {
  BOOKKEEPING,
  type CallContent,
  CONVERSATION,
  fileCall,
  otherCall,
  searchCall,
  shellCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../transcript/tools/call.ts";

type Text = (key: string) => string | null;
type Reader = (text: Text) => [name: string, content: CallContent];

const search: Reader = (text) => ["Grep", searchCall(text("pattern"), text("path"))];
const subagent: Reader = (text) => ["Task", subagentCall(text("description"), text("prompt"))];
const bookkeeping =
  (name: string): Reader =>
  () => [name, BOOKKEEPING];

/** Tools by the name that the model uses. */
const TOOLS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    read_file: (text) => ["Read", fileCall(text("file_path") ?? text("absolute_path"))],
    write_file: (text) => ["Write", fileCall(text("file_path"))],
    edit: (text) => ["Edit", fileCall(text("file_path"))],
    replace: (text) => ["Edit", fileCall(text("file_path"))],
    run_shell_command: (text) => ["Bash", shellCall(text("description"), text("command"))],
    grep_search: search,
    search_file_content: search,
    glob: (text) => ["Glob", searchCall(text("pattern"), text("path"))],
    list_directory: (text) => ["Glob", searchCall(null, text("path"))],
    agent: subagent,
    task: subagent,
    skill: (text) => ["Skill", skillCall(text("skill"), text("args"))],
    web_fetch: (text) => ["WebFetch", webCall("url", text("url") ?? text("prompt"))],
    web_search: (text) => ["WebSearch", webCall("query", text("query"))],
    ask_user_question: () => ["ask_user_question", CONVERSATION],
    exit_plan_mode: bookkeeping("exit_plan_mode"),
    todo_write: bookkeeping("todo_write"),
    tool_search: bookkeeping("tool_search"),
    send_message: bookkeeping("send_message"),
    task_stop: bookkeeping("task_stop"),
  } satisfies Record<string, Reader>),
);

/** True for a call that starts a subagent. Its result is the subagent's report. */
export function startsSubagent(name: string): boolean {
  return name === "agent" || name === "task";
}

/** Returns a tool call of Qwen Code; `input` is null when it is missing or not an object. */
export function toolCall(id: string | null, name: string, input: JsonObject | null): ToolCall {
  const read = TOOLS.get(name);
  if (read === undefined) return { id, name, ...otherCall(input) };
  const [known, content] = read((key) => stringOf(input?.[key]));
  return { id, name: known, ...content };
}
