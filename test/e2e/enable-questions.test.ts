import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../support/sandbox.ts";
import { onTerminal } from "../support/terminal.ts";

const QUESTION = "are used on this machine too";
let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.create();
  for (const name of [".gemini", ".cline/data"]) mkdirSync(join(sandbox.home, name), { recursive: true });
});
afterEach(() => sandbox[Symbol.asyncDispose]());

/** Runs `enable` on a terminal, with what is typed there before the input ends. */
async function enable(typed: string, ...args: string[]): Promise<string> {
  const { screen } = await onTerminal(sandbox, ["enable", "--no-history", ...args], {
    columns: 1_000,
    env: { TERM: "dumb", NO_COLOR: "1" },
    typed: [["", `${typed}\x04`]],
  });
  return screen;
}

const hasHooks = (agent: string) => existsSync(join(sandbox.home, `.${agent}/settings.json`));
const hasServer = () => existsSync(join(sandbox.home, ".cline/data/settings/cline_mcp_settings.json"));

test("a no to other agents is remembered, named, and taken back by --for", async () => {
  const refused = await enable("n\n");
  expect(refused).toContain(`Gemini CLI and Cline ${QUESTION}`);
  expect(refused).toContain("not for Gemini CLI and Cline, as you answered");
  expect([hasHooks("gemini"), hasServer()]).toEqual([false, false]);

  const again = await enable("y\n");
  expect(again).not.toContain(QUESTION);
  expect(again).toContain("to change that: mementor enable --for gemini,cline");
  expect([hasHooks("gemini"), hasServer()]).toEqual([false, false]);

  // An agent that came later was not refused.
  mkdirSync(join(sandbox.home, ".qwen"));
  const other = await enable("y\n");
  expect(other).toContain("Qwen Code is used on this machine too");
  expect([hasHooks("qwen"), hasHooks("gemini")]).toEqual([true, false]);

  await enable("", "--for", "gemini");
  expect([hasHooks("gemini"), hasServer()]).toEqual([true, false]);
  await sandbox.run(["disable"]);
  expect([hasHooks("qwen"), hasHooks("gemini")]).toEqual([false, false]);
  // The refusal of Cline stands, that of Gemini CLI is gone.
  expect(await enable("n\n")).toContain("Gemini CLI and Qwen Code are used");
});

test("the end of the input is no answer, and is asked again", async () => {
  await enable("");
  expect([hasHooks("gemini"), hasServer()]).toEqual([false, false]);
  expect(await enable("y\n")).toContain(QUESTION);
  expect([hasHooks("gemini"), hasServer()]).toEqual([true, true]);
});

test("opencode's plugin has a question of its own, which says what it costs", async () => {
  const plugin = join(sandbox.home, ".config/opencode/plugin/mementor.js");
  mkdirSync(join(sandbox.home, ".config/opencode"), { recursive: true });
  const refused = await enable("y\n\n");
  expect(refused).toContain("requests a package from its registry");
  expect(refused).toContain(
    "not for opencode's plugin, as you answered; to change that: mementor enable --opencode-plugin",
  );
  expect([existsSync(plugin), hasHooks("gemini")]).toEqual([false, true]);
  expect(await enable("y\n")).not.toContain("requests a package from its registry");
  expect(existsSync(plugin)).toBe(false);
  await enable("", "--opencode-plugin");
  expect(existsSync(plugin)).toBe(true);
  await sandbox.run(["disable"]);
  expect(existsSync(plugin)).toBe(false);
  expect(await enable("n\ny\n")).not.toContain("requests a package from its registry");
  expect(await enable("y\n", "--for", "opencode")).toContain("requests a package from its registry");
  expect(existsSync(plugin)).toBe(true);
});
