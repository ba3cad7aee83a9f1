import { expect, test } from "bun:test";
import fc from "fast-check";
import { TOOLS } from "../../../src/agents/claude-code/content.ts";
import { toolCall } from "../../../src/agents/tool-table.ts";
import { toolMentions } from "../../../src/ingest/transcript/tools/command-paths.ts";
import { toolSummary } from "../../../src/ingest/transcript/turn-entry.ts";
import type { JsonObject } from "../../../src/io/json.ts";
import { fcOptions } from "../../support/fast-check.ts";

const context = {
  clean: (text: string) => text.replaceAll("hunter2", "[redacted:password]"),
  path: (path: string) => path.replace("/home/ada/shop/", ""),
};
const summary = (name: string, input: JsonObject | null) =>
  toolSummary(toolCall(TOOLS, null, name, input), context);

test.each<[string, JsonObject | null, string | null]>([
  ["Read", { file_path: "/home/ada/shop/src/a.ts", limit: 3 }, "Read(src/a.ts)"],
  ["Edit", { file_path: "/etc/hosts", old_string: "a" }, "Edit(/etc/hosts)"],
  ["Write", { file_path: "/home/ada/shop/a b.ts" }, "Write(a b.ts)"],
  ["MultiEdit", { file_path: "x.ts", edits: [] }, "MultiEdit(x.ts)"],
  [
    "NotebookEdit",
    { notebook_path: "/home/ada/shop/n.ipynb", cell_id: "c1", edit_mode: "insert" },
    'NotebookEdit(n.ipynb, cell_id="c1", edit_mode="insert")',
  ],
  ["NotebookEdit", { notebook_path: "n.ipynb" }, "NotebookEdit(n.ipynb)"],
  ["Grep", { pattern: 'say "hi"', path: "/home/ada/shop/src" }, 'Grep(pattern="say \\"hi\\"", path="src")'],
  ["Glob", { pattern: "**/*.ts" }, 'Glob(pattern="**/*.ts")'],
  [
    "Bash",
    { command: "\n bun test\nrm x", description: "Run tests" },
    'Bash(desc="Run tests", cmd="bun test")',
  ],
  ["Bash", { command: "mysql -p hunter2" }, 'Bash(cmd="mysql -p [redacted:password]")'],
  ["Bash", { command: "x".repeat(90) }, `Bash(cmd="${"x".repeat(80)}...")`],
  ["Bash", { command: "é".repeat(80) }, `Bash(cmd="${"é".repeat(80)}")`],
  ["Bash", { command: '"'.repeat(90) }, `Bash(cmd="${'\\"'.repeat(80)}...")`],
  [
    "Task",
    { description: "Look", prompt: "first\nsecond", subagent_type: "x" },
    'Task(desc="Look", prompt="first")',
  ],
  ["Agent", { description: "Look", prompt: "first" }, 'Task(desc="Look", prompt="first")'],
  ["Skill", { skill: "review", args: "all" }, 'Skill(skill="review", args="all")'],
  ["WebFetch", { url: "https://a.org", prompt: "p" }, 'WebFetch(url="https://a.org")'],
  ["WebSearch", { query: "money  rounding" }, 'WebSearch(query="money rounding")'],
  [
    "mcp__my-server__do_it",
    { path: "a", deep: { no: 1 }, n: 3, flag: true, long: "x".repeat(300), b: "two words" },
    'mcp__my-server__do_it(path="a", b="two words")',
  ],
  [
    "mcp__mementor__show",
    { turn: 12, context: 3, session_id: 1.5, issue_number: 7 },
    'mcp__mementor__show(turn="12", issue_number="7")',
  ],
  ["NewTool", {}, "NewTool"],
  ["Read", null, "Read"],
  ["Read", { file_path: 7 }, "Read"],
  ["Bash", { command: "" }, "Bash"],
  ["x(", { a: "b" }, 'x((a="b")'],
  ["toString", {}, "toString"],
  ["__proto__", null, "__proto__"],
  ["TodoWrite", { todos: [] }, null],
  ["AskUserQuestion", {}, null],
  ["EnterPlanMode", null, null],
  ["ExitPlanMode", { plan: "p" }, null],
  ...["TaskCreate", "TaskUpdate", "TaskList", "TaskOutput", "TaskStop", "TaskGet"].map(
    (name): [string, JsonObject | null, null] => [name, { id: "1" }, null],
  ),
  [" ", {}, null],
])("%s %j", (name, input, expected) => {
  expect(summary(name, input)).toBe(expected);
});

test("any input gives one line", () => {
  const names = fc.oneof(
    fc.constantFrom("Read", "Bash", "Grep", "Task", "NotebookEdit", "mcp__a__b"),
    fc.string(),
  );
  const keys = fc.constantFrom("file_path", "command", "pattern", "path", "prompt", "description", "x");
  fc.assert(
    fc.property(names, fc.option(fc.dictionary(keys, fc.jsonValue())), (name, input) => {
      const onOneLine = { ...context, path: (path: string) => path.replace(/\s+/g, " ") };
      const line = toolSummary(toolCall(TOOLS, null, name, input), onOneLine);
      expect(line ?? "").not.toMatch(/[\n\r]/);
    }),
    fcOptions(),
  );
});

test("URLs of the web tools are mentions", () => {
  const use = (name: string, input: Record<string, unknown>) =>
    toolMentions(
      toolCall(TOOLS, null, name, input),
      (path) => path,
      (text) => text.replace("secret", "[redacted]"),
    );
  expect(use("WebFetch", { url: "https://a.org/x?token=secret" })).toEqual([
    { filePath: "https://a.org/x?token=[redacted]", toolName: "WebFetch" },
  ]);
  expect(use("WebSearch", { query: "words without an address" })).toEqual([]);
  expect(use("constructor", { url: "https://a.org" })).toEqual([]);
  expect(use("Read", {})).toEqual([]);
});
