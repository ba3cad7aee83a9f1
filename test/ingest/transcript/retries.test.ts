import { expect, test } from "bun:test";
import type { ToolCall } from "../../../src/ingest/transcript/events.ts";
import { RetryTracker } from "../../../src/ingest/transcript/thread.ts";

function call(id: string | null, facts: Partial<ToolCall>): ToolCall {
  return { id, name: "Bash", shown: [], paths: [], web: null, command: null, returnsWords: false, ...facts };
}

const run = (id: string | null, command: string) => call(id, { command });
const edit = (id: string, path: string, name = "Edit") => call(id, { name, paths: [path] });

/** Runs pairs of calls, of which the first fails and the second succeeds. Returns the pairs in which it is mended. */
function mended(first: ToolCall, second: ToolCall): boolean {
  const retries = new RetryTracker();
  retries.add(first);
  retries.finish(first.id ?? "", true);
  retries.add(second);
  retries.finish(second.id ?? "", false);
  return retries.mended.has(first.id ?? "");
}

test.each<[string, ToolCall, ToolCall, boolean]>([
  ["the same command", run("a", "bun test"), run("b", "bun test"), true],
  ["another output", run("a", "bun test 2>&1 | tail -5"), run("b", "bun test | grep fail"), true],
  ["another directory", run("a", "cd app && bun test"), run("b", "bun test"), true],
  ["another command", run("a", "bun test"), run("b", "bun run build"), false],
  ["the same file", edit("a", "x.ts"), edit("b", "x.ts"), true],
  ["the same file, written whole", edit("a", "x.ts"), edit("b", "x.ts", "Write"), true],
  ["the same file, only read", edit("a", "x.ts"), edit("b", "x.ts", "Read"), false],
  ["another file", edit("a", "x.ts"), edit("b", "y.ts"), false],
  ["a call without an id", run(null, "bun test"), run("b", "bun test"), false],
  ["calls without arguments", call("a", {}), call("b", {}), false],
])("a failed call is mended by %s", (_what, first, second, expected) => {
  expect(mended(first, second)).toBe(expected);
});

test("every failed call before the success is mended, none after it", () => {
  const retries = new RetryTracker();
  for (const id of ["a", "b", "c", "d"]) retries.add(run(id, "bun test"));
  retries.finish("a", true);
  retries.finish("b", true);
  retries.finish("c", false);
  retries.finish("d", true);
  retries.finish("unknown", false);
  expect([...retries.mended]).toEqual(["a", "b"]);
});
