import type { ToolCall } from "../../ingest/transcript/events.ts";
import {
  fileCall,
  filesOfPatch,
  HIDDEN_CALL,
  otherCall,
  type PatchedFile,
  shellCall,
  subagentCall,
  webCall,
} from "../../ingest/transcript/tools/call.ts";
import { asList, asNumber, asString, type JsonObject, parseObject } from "../../io/json.ts";
import * as tool from "../tool-table.ts";

const shell: tool.CallReader = (text, input) =>
  shellCall(null, text("cmd", "command") ?? scriptOf(asList(input.command)));

/**
 * Tools of function calls and local shell calls. A patch becomes a call for each file; completed items name their kind
 * themselves.
 */
const TOOLS = tool.toolTable({
  exec_command: ["Bash", shell],
  shell_command: ["Bash", shell],
  shell: ["Bash", shell],
  local_shell: ["Bash", shell],
  write_stdin: tool.hiddenReader,
  update_plan: tool.hiddenReader,
  // Code mode: a script that the model wrote. Its commands and patches have separate records.
  exec: tool.hiddenReader,
  wait: tool.hiddenReader,
  read_file: ["Read", tool.fileReader("file_path")],
  view_image: ["Read", tool.fileReader("path")],
  grep_files: ["Grep", tool.searchReader],
  list_dir: ["Glob", tool.listReader("dir_path")],
  web_search: ["WebSearch", tool.webSearch],
  spawn_agent: ["Task", (text) => subagentCall(text("task_name"), text("message", "prompt"))],
  wait_agent: tool.dialogueReader,
  send_input: tool.hiddenReader,
  send_message: tool.hiddenReader,
  followup_task: tool.hiddenReader,
  resume_agent: tool.hiddenReader,
  close_agent: tool.hiddenReader,
  list_agents: tool.hiddenReader,
});

/** Returns the calls of a `function_call`. A patch has one for each file. */
export function functionCalls(
  id: string | null,
  name: string,
  namespace: string | null,
  args: unknown,
): ToolCall[] {
  const input = typeof args === "string" ? (parseObject(args) ?? {}) : {};
  if (name === "apply_patch") return patchCalls(id, asString(input.input) ?? asString(input.patch) ?? "");
  return [tool.toolCall(TOOLS, id, TOOLS.has(name) ? name : fullName(name, namespace), input)];
}

/** Returns the calls of a `custom_tool_call`, whose input is plain text. */
export function customCalls(id: string | null, name: string, input: string): ToolCall[] {
  if (name === "apply_patch") return patchCalls(id, input);
  const content = TOOLS.has(name) ? HIDDEN_CALL : otherCall({ input });
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
  if (isShell && words.length === 3 && /^[-/]/.test(flag)) return asString(script);
  return asString(words.join(" "));
}

function fullName(name: string, namespace: string | null): string {
  return namespace?.startsWith("mcp__") ? `${namespace.replace(/(?<!_)_+$/, "")}__${name}` : name;
}

/**
 * The current turn of a rollout, with the number of its prompts and texts so far. A rewritten rollout has other ids for the same
 * records, so a turn and a number identify a record.
 */
export class TurnState {
  now: Readonly<Record<"id" | "cwd" | "model", string | null> & Record<"prompts" | "words", number>>;
  #text: string | null = null;

  /** Parses a text from `text`. */
  constructor(text: string | null) {
    const { id, cwd, model, prompts, words } = parseObject(text ?? "") ?? {};
    this.now = {
      id: asString(id),
      cwd: asString(cwd),
      model: asString(model),
      prompts: asNumber(prompts) ?? 0,
      words: asNumber(words) ?? 0,
    };
  }

  /** Serialises the state for a later read that continues here. */
  get text(): string {
    this.#text ??= JSON.stringify(this.now);
    return this.#text;
  }

  /** Tells whether an id is that of the current turn, or missing. */
  isCurrent(turnId: string | null): boolean {
    return turnId === null || this.now.id === null || turnId === this.now.id;
  }

  start({ turn_id: given }: JsonObject): void {
    const id = asString(given);
    if (id !== this.now.id) this.#change({ id, prompts: 0, words: 0 });
  }

  context(payload: JsonObject): void {
    this.start(payload);
    const { cwd, model } = this.now;
    this.#change({ cwd: asString(payload.cwd) ?? cwd, model: asString(payload.model) ?? model });
  }

  /** Returns the number of the next prompt or text. */
  next(kind: "prompts" | "words"): number {
    const number = this.now[kind];
    this.#change({ [kind]: number + 1 });
    return number;
  }

  #change(changed: Partial<TurnState["now"]>): void {
    this.now = { ...this.now, ...changed };
    this.#text = null;
  }
}
