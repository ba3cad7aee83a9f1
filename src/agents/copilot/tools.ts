import type { ToolCall, ToolResult } from "../../transcript/events.ts";
import { type JsonObject, listOf, numberOf, objectOf, stringOf } from "../../transcript/json.ts";
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

const shell: Reader = (text) => ["Bash", shellCall(text("description"), text("command"))];
const search: Reader = (text) => ["Grep", searchCall(text("pattern"), text("path"))];
const bookkeeping =
  (name: string): Reader =>
  () => [name, BOOKKEEPING];

/** Tools by the name that the model uses. */
const TOOLS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    bash: shell,
    powershell: shell,
    view: (text) => ["Read", fileCall(text("path"))],
    edit: (text) => ["Edit", fileCall(text("path"))],
    create: (text) => ["Write", fileCall(text("path"))],
    // The result contains the changes.
    apply_patch: bookkeeping("apply_patch"),
    grep: search,
    rg: search,
    glob: (text) => ["Glob", searchCall(text("pattern"), text("path"))],
    task: (text) => ["Task", subagentCall(text("description"), text("prompt"))],
    skill: (text) => ["Skill", skillCall(text("skill"), null)],
    web_fetch: (text) => ["WebFetch", webCall("url", text("url"))],
    web_search: (text) => ["WebSearch", webCall("query", text("query"))],
    ask_user: () => ["ask_user", CONVERSATION],
    report_intent: bookkeeping("report_intent"),
    update_todo: bookkeeping("update_todo"),
    read_bash: bookkeeping("read_bash"),
    write_bash: bookkeeping("write_bash"),
    stop_bash: bookkeeping("stop_bash"),
    list_bash: bookkeeping("list_bash"),
    read_agent: bookkeeping("read_agent"),
    list_agents: bookkeeping("list_agents"),
  } satisfies Record<string, Reader>),
);

/** Returns a tool call of Copilot; `input` is null when it is missing or not an object. */
export function toolCall(id: string | null, name: string, input: JsonObject | null): ToolCall {
  const read = TOOLS.get(name);
  if (read === undefined) return { id, name, ...otherCall(input) };
  const [known, content] = read((key) => stringOf(input?.[key]));
  return { id, name: known, ...content };
}

/**
 * A call that returns words of the conversation: a question to the person, or a task of a subagent. It has no
 * summary.
 */
export interface Asked {
  question: string | null;
}

function answerIn(output: string): string {
  return output.replace(/^User (?:responded|selected|answered): /, "").trim();
}

/** The text that the client adds after the output of a shell. */
const SHELL_END = /\n?<(?:shellId: \S+ )?(?:completed|exited) with exit code -?\d+>\s*$/;

/** Reads the result of a call. A tool succeeds even if its command fails. */
export function resultOf(data: JsonObject, asked: Asked | null): ToolResult {
  const code = numberOf(objectOf(data.shellExecution)?.exitCode);
  const result = objectOf(data.result);
  const error = stringOf(objectOf(data.error)?.message) ?? stringOf(data.error);
  const output = error ?? stringOf(result?.content) ?? "";
  return {
    callId: stringOf(data.toolCallId),
    isError: data.success === false || (code !== null && code !== 0),
    text: output.replace(SHELL_END, ""),
    answers: asked?.question ? [{ question: asked.question, answer: answerIn(output), notes: null }] : [],
    report: asked !== null && asked.question === null ? stringOf(output) : null,
    plan: null,
  };
}

/** Returns the files that a call of any tool changed. */
export function editsOf(data: JsonObject): ToolCall[] {
  return listOf(data.fileEdits).flatMap((given) => {
    const edit = objectOf(given);
    const path = stringOf(edit?.path);
    return path === null
      ? []
      : { id: null, name: edit?.kind === "create" ? "Write" : "Edit", ...fileCall(path) };
  });
}
