import type { ToolCall } from "../../transcript/events.ts";
import { type JsonObject, stringOf } from "../../transcript/json.ts";
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
import { filesOfPatch } from "../../transcript/tools/patch.ts";

type Reader = (text: (key: string) => string | null) => CallContent;

const file: Reader = (text) => fileCall(text("filePath"));
const search: Reader = (text) => searchCall(text("pattern"), text("path"));
const patch: Reader = (text) => filesCall(filesOfPatch(text("patchText") ?? "").map(({ path }) => path));
const bookkeeping: Reader = () => BOOKKEEPING;

/** Each tool with the common name of its kind. */
const TOOLS: ReadonlyMap<string, readonly [name: string, read: Reader]> = new Map(
  Object.entries({
    read: ["Read", file],
    edit: ["Edit", file],
    multiedit: ["Edit", file],
    write: ["Write", file],
    apply_patch: ["Edit", patch],
    patch: ["Edit", patch],
    bash: ["Bash", (text) => shellCall(text("description"), text("command"))],
    grep: ["Grep", search],
    glob: ["Glob", search],
    list: ["Glob", (text) => searchCall(null, text("path"))],
    task: ["Task", (text) => subagentCall(text("description"), text("prompt"))],
    webfetch: ["WebFetch", (text) => webCall("url", text("url"))],
    websearch: ["WebSearch", (text) => webCall("query", text("query"))],
    skill: ["Skill", (text) => skillCall(text("name"), null)],
    question: ["question", () => CONVERSATION],
    todowrite: ["todowrite", bookkeeping],
    todoread: ["todoread", bookkeeping],
  } satisfies Record<string, readonly [string, Reader]>),
);

/** Returns a call of opencode. */
export function toolCall(id: string | null, given: string, input: JsonObject | null): ToolCall {
  const known = TOOLS.get(given);
  if (known === undefined) return { id, name: given, ...otherCall(input) };
  return { id, name: known[0], ...known[1]((key) => stringOf(input?.[key])) };
}
