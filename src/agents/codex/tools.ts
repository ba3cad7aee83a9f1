import type { ToolCall } from "../../transcript/events.ts";
import { type JsonObject, listOf, parseObject, stringOf } from "../../transcript/json.ts";
import {
  BOOKKEEPING,
  type CallContent,
  CONVERSATION,
  fileCall,
  otherCall,
  searchCall,
  shellCall,
  subagentCall,
  webCall,
} from "../../transcript/tools/call.ts";
import { filesOfPatch, type PatchedFile } from "../../transcript/tools/patch.ts";

type Text = (key: string) => string | null;
type Reader = (text: Text, input: JsonObject) => [name: string, content: CallContent];

const shell: Reader = (text, input) => [
  "Bash",
  shellCall(null, text("cmd") ?? text("command") ?? scriptOf(listOf(input.command))),
];
const bookkeeping =
  (name: string): Reader =>
  () => [name, BOOKKEEPING];
const conversation =
  (name: string): Reader =>
  () => [name, CONVERSATION];

/** Tools by the name that the model uses. */
const TOOLS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    exec_command: shell,
    shell_command: shell,
    shell,
    local_shell: shell,
    write_stdin: bookkeeping("write_stdin"),
    update_plan: bookkeeping("update_plan"),
    // Code mode: a script that the model wrote. Its commands and patches have separate records.
    exec: bookkeeping("exec"),
    wait: bookkeeping("wait"),
    read_file: (text) => ["Read", fileCall(text("file_path"))],
    view_image: (text) => ["Read", fileCall(text("path"))],
    grep_files: (text) => ["Grep", searchCall(text("pattern"), text("path"))],
    list_dir: (text) => ["Glob", searchCall(null, text("dir_path"))],
    web_search: (text) => ["WebSearch", webCall("query", text("query"))],
    spawn_agent: (text) => ["Task", subagentCall(text("task_name"), text("message") ?? text("prompt"))],
    wait_agent: conversation("wait_agent"),
    send_input: bookkeeping("send_input"),
    send_message: bookkeeping("send_message"),
    followup_task: bookkeeping("followup_task"),
    resume_agent: bookkeeping("resume_agent"),
    close_agent: bookkeeping("close_agent"),
    list_agents: bookkeeping("list_agents"),
  } satisfies Record<string, Reader>),
);

/** Returns the calls of a `function_call`. A patch has one for each file. */
export function functionCalls(
  id: string | null,
  name: string,
  namespace: string | null,
  args: unknown,
): ToolCall[] {
  const input = typeof args === "string" ? (parseObject(args) ?? {}) : {};
  const text: Text = (key) => stringOf(input[key]);
  if (name === "apply_patch") return patchCalls(id, text("input") ?? text("patch") ?? "");
  const read = TOOLS.get(name);
  if (read === undefined) return [{ id, name: fullName(name, namespace), ...otherCall(input) }];
  const [known, content] = read(text, input);
  return [{ id, name: known, ...content }];
}

/** Returns the calls of a `custom_tool_call`, whose input is plain text. */
export function customCalls(id: string | null, name: string, input: string): ToolCall[] {
  if (name === "apply_patch") return patchCalls(id, input);
  const content = TOOLS.has(name) ? BOOKKEEPING : otherCall({ input });
  return [{ id, name, ...content }];
}

function patchCalls(id: string | null, patch: string): ToolCall[] {
  return changeCalls(id, filesOfPatch(patch));
}

/** Returns one call for each changed file. */
export function changeCalls(id: string | null, files: readonly PatchedFile[]): ToolCall[] {
  return files.map(({ path, isNew }) => ({ id, name: isNew ? "Write" : "Edit", ...fileCall(path) }));
}

/** Returns the call of a command as Codex recorded it: `["/bin/bash", "-lc", "..."]`. */
export function commandCall(id: string | null, command: readonly unknown[]): ToolCall {
  return { id, name: "Bash", ...shellCall(null, scriptOf(command)) };
}

/** Returns the call of a tool of an MCP server. */
export function mcpCall(id: string | null, server: string, tool: string, input: JsonObject | null): ToolCall {
  return { id, name: `mcp__${server}__${tool}`, ...otherCall(input) };
}

export function webSearchCall(id: string | null, query: string | null): ToolCall {
  return { id, name: "WebSearch", ...webCall("query", query) };
}

/** Returns the script of a shell, or the words of a command without a shell. */
function scriptOf(command: readonly unknown[]): string | null {
  const words = command.filter((word) => typeof word === "string");
  const [program = "", flag = "", script] = words;
  const isShell = /(?:^|[/\\])(?:ba|z|da|k|fi)?sh(?:\.exe)?$|powershell|pwsh|cmd\.exe/i.test(program);
  if (isShell && words.length === 3 && /^[-/]/.test(flag)) return stringOf(script);
  return stringOf(words.join(" "));
}

function fullName(name: string, namespace: string | null): string {
  return namespace?.startsWith("mcp__") ? `${namespace.replace(/_+$/, "")}__${name}` : name;
}
