import { evenly } from "../../../text/even.ts";
import { type JsonObject, stringOf } from "../../../transcript/json.ts";
import { argument, call, firstLine, inputText, type ValueContext } from "../../../transcript/tools/values.ts";
import type { ToolUse } from "../content.ts";

type Arguments = (input: JsonObject | null, context: ValueContext) => (string | null)[];

const BOOKKEEPING = new Set([
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "TodoWrite",
  "TodoRead",
  "TaskCreate",
  "TaskUpdate",
  "TaskList",
  "TaskOutput",
  "TaskStop",
  "TaskGet",
]);

/** How many arguments of a tool that is not known are shown, and how long one may be to count as short. */
const MCP_ARGUMENTS = 4;
const MCP_SHORT_CHARS = 200;

const pathOf: Arguments = (input, { path }) => {
  const given = inputText(input, "file_path");
  return [given === null ? null : path(given)];
};

const named =
  (...keys: string[]): Arguments =>
  (input, context) =>
    keys.map((key) => argument(key, inputText(input, key), context));

const search: Arguments = (input, context) => {
  const path = inputText(input, "path");
  return [
    argument("pattern", inputText(input, "pattern"), context),
    argument("path", path === null ? null : context.path(path), context),
  ];
};

const notebook: Arguments = (input, context) => {
  const given = inputText(input, "notebook_path");
  return [
    given === null ? null : context.path(given),
    argument("cell_id", inputText(input, "cell_id"), context),
    argument("edit_mode", inputText(input, "edit_mode"), context),
  ];
};

const described =
  (label: string, key: string): Arguments =>
  (input, context) => {
    const text = inputText(input, key);
    return [
      argument("desc", inputText(input, "description"), context),
      argument(label, text === null ? null : firstLine(text), context),
    ];
  };

/** Any other tool: its short string arguments, as they come. */
const shortStrings: Arguments = (input, context) =>
  Object.entries(input ?? {})
    .filter(([, value]) => typeof value === "string" && value.length <= MCP_SHORT_CHARS)
    .slice(0, MCP_ARGUMENTS)
    .map(([key, value]) => argument(key, stringOf(value), context));

const TOOLS: ReadonlyMap<string, Arguments> = new Map(
  Object.entries({
    Read: pathOf,
    Edit: pathOf,
    Write: pathOf,
    MultiEdit: pathOf,
    NotebookEdit: notebook,
    NotebookRead: notebook,
    Grep: search,
    Glob: search,
    Bash: described("cmd", "command"),
    Task: described("prompt", "prompt"),
    Agent: described("prompt", "prompt"),
    Skill: named("skill", "args"),
    WebFetch: named("url"),
    WebSearch: named("query"),
    web_search: named("query"),
    web_fetch: named("url"),
  }),
);

/**
 * Returns the one-line summary of a tool call, such as `Read(src/main.ts)` or `Bash(desc="Run tests", cmd="bun test")`;
 * null for bookkeeping. A tool whose input is missing is its bare name (design notes, section on turns).
 */
export function toolSummary(use: ToolUse, context: ValueContext): string | null {
  const name = evenly(use.name);
  if (name === "" || BOOKKEEPING.has(name)) return null;
  const known = TOOLS.get(name) ?? shortStrings;
  return call(name === "Agent" ? "Task" : name, known(use.input, context));
}
