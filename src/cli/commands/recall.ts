import { MementorError } from "../../errors.ts";
import type { Input } from "../../host.ts";
import { withTimeout } from "../../io/within.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Runtime } from "../../runtime.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  flag,
  jsonOption,
  listArgument,
  type OptionValues,
  valued,
  wholeNumber,
} from "../command-line/option.ts";
import { isTurnNumber } from "../named-turns.ts";
import { renderJson } from "../terminal/view.ts";

/**
 * No option reaches beyond the memory of the enabled project in which the command runs, because a permission rule for the command
 * covers all of them.
 */
const options = {
  show: valued(
    "turn|n-m|session",
    "Print a turn: how it ended, what was said next, prompt, steps; or several in order",
  ),
  thinking: flag("With --show and one turn: also print the thinking"),
  file: valued("path", "List the turns that changed or read a file"),
  recent: flag("List the latest turns"),
  sessions: flag("List the latest sessions"),
  limit: valued("n", "Maximum number of results", wholeNumber(1, 50), "n"),
  cursor: valued("n", "Continue an earlier answer from the number that it gave", wholeNumber(0, 999_999_999)),
  json: jsonOption,
};

type RecallOptions = OptionValues<typeof options>;

/** The command that agents may run without asking the user. */
export const command = defineCommand({
  name: "recall",
  help: { group: "Ask", position: 2 },
  summary: "Answer a question from this project alone, in few words, as agents ask it",
  arguments: { query: listArgument("text") },
  isConfined: true,
  options,
  examples: [
    "mementor recall 'why did we choose sqlite'",
    "mementor recall <<'EOF'              # the question follows, with any characters, up to a line EOF",
    "mementor recall --show 42",
    "mementor recall --show 40-46",
    "mementor recall --file src/store.ts",
    "mementor recall --recent",
  ],
  run: ({ args: { query }, options: typed }, runtime) => recall(query.join(" ").trim(), typed, runtime),
});

/** Limits for a question on stdin: its size in bytes, and the time to wait, because the caller may leave stdin open. */
const STDIN_LIMITS = { bytes: 100_000, ms: 2_000 };

/**
 * Answers like the tools of the MCP server, for the current project. Returns the exit code. Rejects with `usage` for two
 * questions at once.
 */
async function recall(typed: string, options: RecallOptions, runtime: Runtime): Promise<number> {
  const query = isAsked(typed, options) ? typed : await questionOn(runtime.host.stdin);
  const [asked, wanted] = chooseTool(query, options);
  const { limit, json } = options;
  const cursor = options.cursor?.toString();
  const paging = asked === "show" ? { cursor } : { limit, cursor };
  const tool = await TOOLS[asked]();
  const { openMemory } = await import("../../mcp/memory.ts");
  const { text, structured } = await tool.call(
    { ...wanted, ...paging },
    openMemory(runtime, runtime.host.cwd, { by: "command" }).askedBy({ words: runtime.host.argv }),
  );
  runtime.host.stdout.write(json ? renderJson(structured) : `${text}\n`);
  return 0;
}

function isAsked(typed: string, { show, file, recent, sessions }: RecallOptions): boolean {
  return typed !== "" || show !== undefined || file !== undefined || recent || sessions;
}

/**
 * Reads the question from a heredoc or a pipe, where the shell interprets no quotes or `$`; empty without one. Rejects a file:
 * answers echo words of the question, so an agent with permission to ask could read files that way.
 */
async function questionOn(stdin: Input): Promise<string> {
  if (stdin.isNamedFile)
    throw new MementorError("usage", "A question comes from the command line or a pipe, not from a file.", {
      hint: "mementor recall <<'EOF'",
    });
  if (stdin.isTerminal) return "";
  const bytes = await withTimeout(STDIN_LIMITS.ms, stdin.read(STDIN_LIMITS.bytes));
  return bytes === null ? "" : new TextDecoder().decode(bytes).trim();
}

/** The tools that answer, each loaded when it is asked. */
const TOOLS = {
  search: async () => (await import("../../mcp/search.ts")).searchTool,
  show: async () => (await import("../../mcp/show.ts")).showTool,
  file: async () => (await import("../../mcp/lists.ts")).fileHistoryTool,
  recent: async () => (await import("../../mcp/lists.ts")).recentTool,
  sessions: async () => (await import("../../mcp/lists.ts")).sessionsTool,
} satisfies Record<string, () => Promise<Tool>>;

type Asked = [tool: keyof typeof TOOLS, wanted: object];

/** Returns the tool to call and its arguments. Throws `usage` unless exactly one thing is asked for. */
function chooseTool(query: string, { show, thinking, file, recent, sessions }: RecallOptions): Asked {
  const asked: (Asked | null)[] = [
    query === "" ? null : ["search", { query }],
    show === undefined ? null : ["show", showArguments(show, thinking)],
    file === undefined ? null : ["file", { path: file }],
    recent ? ["recent", {}] : null,
    sessions ? ["sessions", {}] : null,
  ];
  const [first, ...others] = asked.filter((each) => each !== null);
  if (first !== undefined && others.length === 0) return first;
  throw new MementorError("usage", "Ask one thing.", {
    hint: "Give a question, --show <turn>, --file <path>, --recent or --sessions.",
  });
}

/** Matches a range of turn numbers. At most seven digits, because a session's id starts with eight and a hyphen. */
const TURN_RANGE = /^(\d{1,7})-(\d{1,7})$/;

function showArguments(typed: string, thinking: boolean): object {
  const [, first, last] = TURN_RANGE.exec(typed) ?? [];
  if (first !== undefined && last !== undefined) return { turn: Number(first), to_turn: Number(last) };
  return isTurnNumber(typed) ? { turn: Number(typed), thinking } : { session: typed };
}
