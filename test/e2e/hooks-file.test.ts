import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await sandbox.run(["enable", "--no-history"]);
}, 60_000);
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

const told = async (client: Client, path: string) => {
  const file = { file_path: join(sandbox.project, path) };
  return (
    (await client.hook("pre-tool-use", "PreToolUse", { tool_name: "Edit", tool_input: file })).told ?? ""
  );
};

test("before an edit, Claude gets the decision and what became of the failure; after a compaction, its call", async () => {
  const first = new Client(sandbox, {}, 3);
  const path = join(sandbox.project, "src/ledger.ts");
  await first.prompt("Round the totals of the ledger");
  first.say("We round half to even instead of half up, because the tax office checks the sums.");
  await first.tool("Edit", { file_path: path, old_string: "a", new_string: "b" });
  await first.tool(
    "Bash",
    { command: "bun test 2>&1 | tail -20" },
    { content: "Exit code 1\nexpected 10.02, got 10.03", isError: true },
  );
  await first.tool("Edit", { file_path: path, old_string: "b", new_string: "c" });
  await first.tool("Bash", { command: "bun test" });
  await first.prompt("Now the export");
  await first.tool("Bash", { command: "bun run export" });
  await first.tool(
    "Edit",
    { file_path: path, old_string: "x", new_string: "y" },
    { content: "String to replace not found in file.", isError: true },
  );
  await first.tool("Bash", { command: "bun run lint" });
  await first.stop();
  await workerDone(sandbox);

  const text = await told(new Client(sandbox, {}, 9), "src/ledger.ts");
  expect(text).toContain(
    'Decided: "We round half to even instead of half up, because the tax office checks the sums." (turn 1)',
  );
  expect(text).toContain(
    "Failed on 2026-11-03 (turn 2): Edit(src/ledger.ts): String to replace not found in file.; not seen mended",
  );
  expect(text.length).toBeLessThanOrEqual(1_000);

  const notes = (await first.sessionStart("compact")).told ?? "";
  expect(notes).toContain(
    "- Last failure (turn 2): Edit(src/ledger.ts): String to replace not found in file.",
  );

  await sandbox.run(["forget", "2", "--yes"]);
  expect(await told(new Client(sandbox, {}, 10), "src/ledger.ts")).toContain(
    'Failed on 2026-11-03 (turn 1): Bash(cmd="bun test 2>&1 | tail -20"): expected 10.02, got 10.03; mended in the same turn',
  );
}, 60_000);
