import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** A turn that the prompt was told is not told again before an edit. */
const NOTHING_FOR_PROMPTS = { MEMENTOR_RECALL_PROMPT: "off" };

const told = async (client: Client, path: string) => {
  const file = { file_path: join(sandbox.project, path) };
  return (
    (await client.hook("pre-tool-use", "PreToolUse", { tool_name: "Edit", tool_input: file })).told ?? ""
  );
};

test("before an edit, Claude gets the rule that the prompt needs", async () => {
  const first = new Client(sandbox, { MEMENTOR_RECALL_COMPACT: "on" }, 3);
  const path = join(sandbox.project, "src/ledger.ts");
  first.asked("Round the totals of the ledger");
  await first.tool("Edit", { file_path: path, old_string: "a", new_string: "b" });
  await first.tool(
    "Bash",
    { command: "bun test 2>&1 | tail -20" },
    { content: "Exit code 1\nexpected 10.02, got 10.03", isError: true },
  );
  await first.tool("Edit", { file_path: path, old_string: "b", new_string: "c" });
  await first.tool("Bash", { command: "bun test" });
  first.say(
    "The totals in ledger.ts round half to even instead of half up, because the tax office checks them.",
  );
  await first.prompt("Now the export");
  await first.tool("Bash", { command: "bun run export" });
  await first.tool(
    "Bash",
    { command: "bun run lint" },
    { content: "Exit code 1\nledger.ts: the cache is locked", isError: true },
  );
  await first.stop();
  await workerDone(sandbox);

  const second = new Client(sandbox, NOTHING_FOR_PROMPTS, 9);
  await second.prompt("Why does the tax office see other totals than half up?");
  const text = await told(second, "src/ledger.ts");
  expect(text).toContain(
    'Claude: "The totals in ledger.ts round half to even instead of half up, because the tax office checks them." (turn 1)',
  );
  expect(text.length).toBeLessThanOrEqual(1_000);
  const answered = new Client(sandbox, {}, 9);
  expect((await answered.prompt("Why does the tax office see other totals than half up?")).told).toContain(
    "half to even",
  );
  expect(await told(answered, "src/ledger.ts")).toBe("");
  const third = new Client(sandbox, NOTHING_FOR_PROMPTS, 11);
  await third.prompt("Bump the copyright year");
  expect(await told(third, "src/ledger.ts")).toBe("");

  await sandbox.run(["forget", "1", "--yes"]);
  const fourth = new Client(sandbox, NOTHING_FOR_PROMPTS, 10);
  await fourth.prompt("Why does the tax office see other totals than half up?");
  expect(await told(fourth, "src/ledger.ts")).toBe("");
});
