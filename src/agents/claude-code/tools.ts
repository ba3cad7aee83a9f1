import { evenly } from "../../text/even.ts";
import type { ToolCall } from "../../transcript/events.ts";
import { type JsonObject, stringOf } from "../../transcript/json.ts";
import {
  BOOKKEEPING,
  type CallContent,
  CONVERSATION,
  fileCall,
  notebookCall,
  otherCall,
  searchCall,
  shellCall,
  skillCall,
  subagentCall,
  webCall,
} from "../../transcript/tools/call.ts";

type Reader = (text: (key: string) => string | null) => CallContent;

const file: Reader = (text) => fileCall(text("file_path"));
const notebook: Reader = (text) => notebookCall(text("notebook_path"), text("cell_id"), text("edit_mode"));
const search: Reader = (text) => searchCall(text("pattern"), text("path"));
const subagent: Reader = (text) => subagentCall(text("description"), text("prompt"));
const fetch: Reader = (text) => webCall("url", text("url"));
const webSearch: Reader = (text) => webCall("query", text("query"));
const bookkeeping: Reader = () => BOOKKEEPING;

const TOOLS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    Read: file,
    Edit: file,
    Write: file,
    MultiEdit: file,
    NotebookEdit: notebook,
    NotebookRead: notebook,
    Grep: search,
    Glob: search,
    Bash: (text) => shellCall(text("description"), text("command")),
    Task: subagent,
    Agent: subagent,
    Skill: (text) => skillCall(text("skill"), text("args")),
    WebFetch: fetch,
    web_fetch: fetch,
    WebSearch: webSearch,
    web_search: webSearch,
    AskUserQuestion: () => CONVERSATION,
    EnterPlanMode: bookkeeping,
    // The plan counts as the assistant's text. In some versions only the result contains it.
    ExitPlanMode: (text) => (text("plan") === null ? CONVERSATION : BOOKKEEPING),
    TodoWrite: bookkeeping,
    TodoRead: bookkeeping,
    TaskCreate: bookkeeping,
    TaskUpdate: bookkeeping,
    TaskList: bookkeeping,
    TaskOutput: bookkeeping,
    TaskStop: bookkeeping,
    TaskGet: bookkeeping,
  } satisfies Record<string, Reader>),
);

/** Tools that were renamed. */
const RENAMED: ReadonlyMap<string, string> = new Map([["Agent", "Task"]]);

/** Returns a tool call of Claude Code; `input` is null when it is missing or not an object. */
export function toolCall(id: string | null, givenName: string, input: JsonObject | null): ToolCall {
  const name = evenly(givenName);
  const read = TOOLS.get(name);
  const content = read ? read((key) => stringOf(input?.[key])) : otherCall(input);
  return { id, name: RENAMED.get(name) ?? name, ...content };
}
