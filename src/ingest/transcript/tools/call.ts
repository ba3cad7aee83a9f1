import type { JsonObject } from "../../../io/json.ts";
import type { ToolArgument, ToolCall } from "../events.ts";

/** The stored content of a tool call, without its id and name. */
export type CallContent = Omit<ToolCall, "id" | "name">;

/** Maximum number of arguments in the summary of an unknown tool, and maximum length of each. */
const MAX_ARGUMENTS = 4;
const MAX_ARGUMENT_CHARS = 200;

/** A call without a summary and without mentions. */
export const HIDDEN_CALL: CallContent = {
  shown: null,
  paths: [],
  web: null,
  command: null,
  returnsWords: false,
};

/** A call that talks to the user. Its words are stored, and it has no summary. */
export const DIALOGUE_CALL: CallContent = { ...HIDDEN_CALL, returnsWords: true };

/** `Read(path)`: a call that touches one file. */
export function fileCall(path: string | null): CallContent {
  return touching(path, [{ key: null, value: path, isPath: true }]);
}

/** `Read(path, path)`: a call that touches several files; the summary shows the first ones. */
export function multiFileCall(paths: readonly string[]): CallContent {
  const shown = paths.slice(0, MAX_ARGUMENTS).map((value) => ({ key: null, value, isPath: true }));
  return { ...showing(shown), paths };
}

/** `NotebookEdit(path, cell_id="...", edit_mode="...")`. */
export function notebookCall(path: string | null, cell: string | null, mode: string | null): CallContent {
  const shown = [{ key: null, value: path, isPath: true }, text("cell_id", cell), text("edit_mode", mode)];
  return touching(path, shown);
}

/** `Grep(pattern="...", path="...")`. */
export function searchCall(pattern: string | null, path: string | null): CallContent {
  return touching(path, [text("pattern", pattern), { key: "path", value: path, isPath: true }]);
}

/** `Bash(desc="...", cmd="...")`, with the first line of the command. */
export function shellCall(description: string | null, command: string | null): CallContent {
  const shown = [text("desc", description), text("cmd", firstLine(command))];
  return { shown, paths: [], web: null, command, returnsWords: false };
}

/** `Task(desc="...", prompt="...")`, with the first line of the prompt: starts a subagent. */
export function subagentCall(description: string | null, prompt: string | null): CallContent {
  const shown = [text("desc", description), text("prompt", firstLine(prompt))];
  return { ...showing(shown), returnsWords: true };
}

/** `WebFetch(url="...")` and `WebSearch(query="...")`. */
export function webCall(key: "url" | "query", value: string | null): CallContent {
  return { shown: [text(key, value)], paths: [], web: value, command: null, returnsWords: false };
}

/** `Skill(skill="...", args="...")`. */
export function skillCall(skill: string | null, args: string | null): CallContent {
  return showing([text("skill", skill), text("args", args)]);
}

/** Names of arguments whose number identifies something, such as `issue_number`. Other numbers are settings. */
const NUMBER_OF_SOMETHING = /^(?:id|turn|number)$|_(?:id|number)$/;

/** Summarises a call of any other tool by its first short string arguments and identifying numbers. */
export function otherCall(input: JsonObject | null): CallContent {
  const shown: ToolArgument[] = [];
  for (const [key, value] of Object.entries(input ?? {})) {
    if (shown.length === MAX_ARGUMENTS) break;
    if (typeof value === "string" && value.length <= MAX_ARGUMENT_CHARS) shown.push(text(key, value));
    if (Number.isSafeInteger(value) && NUMBER_OF_SOMETHING.test(key)) shown.push(text(key, String(value)));
  }
  return showing(shown);
}

function showing(shown: readonly ToolArgument[]): CallContent {
  return { shown, paths: [], web: null, command: null, returnsWords: false };
}

function touching(path: string | null, shown: readonly ToolArgument[]): CallContent {
  return { shown, paths: path === null ? [] : [path], web: null, command: null, returnsWords: false };
}

function text(key: string, value: string | null): ToolArgument {
  return { key, value, isPath: false };
}

function firstLine(value: string | null): string | null {
  if (value === null) return null;
  const start = value.search(/\S/);
  if (start < 0) return "";
  const end = value.indexOf("\n", start);
  return value.slice(start, end < 0 ? undefined : end).trimEnd();
}

/** A file that a patch touches. */
export interface PatchedFile {
  path: string;
  isNew: boolean;
}

const FILE = /^\*\*\* (Add File|Update File|Delete File|Move to): (.*\S)\s*$/gm;
/** Maximum files of a patch, more than any that a model writes. */
export const MAX_PATCHED_FILES = 200;

/** Finds the files in a patch in the notation of the tool `apply_patch`, which several agents have. */
export function filesOfPatch(patch: string): PatchedFile[] {
  return [...patch.matchAll(FILE)]
    .slice(0, MAX_PATCHED_FILES)
    .map(([, kind, path]) => ({ path: path ?? "", isNew: kind === "Add File" || kind === "Move to" }));
}
