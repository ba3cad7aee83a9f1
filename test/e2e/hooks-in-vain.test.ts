import { afterAll, beforeAll, expect, test } from "bun:test";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

const QUESTION = "What does the importer of bank statements do with duplicate rows?";
/** Only the best turn is told. */
const ENV = { MEMENTOR_SEARCH_PROMPT_K: "1" };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await sandbox.run(["enable", "--no-history"]);
  const said = [
    [
      3,
      "Add a summary for the importer",
      "The importer of bank statements counts duplicate rows and names them in its summary.",
    ],
    [
      4,
      "Write a table for the importer",
      "The importer of bank statements keeps duplicate rows and marks them in its table.",
    ],
    // The scores of a search are relative to what else there is.
    [1, "Change the colours of the menu", "The menu is green now, and its icons have a border."],
    [2, "Speed up the nightly build", "The build caches its container layers between runs."],
  ] as const;
  for (const [day, prompt, answer] of said) {
    const claude = new Client(sandbox, {}, day);
    await claude.prompt(prompt);
    claude.say(answer);
    await claude.stop();
    await workerDone(sandbox);
  }
}, 60_000);
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** The turn that a new session is told; null when the hook is silent. */
async function toldTurn(): Promise<string | null> {
  const { told } = await new Client(sandbox, ENV).prompt(QUESTION);
  return told?.match(/mementor recall --show (\d+)/)?.[1] ?? null;
}

test("a turn that three sessions in a row were told in vain gives way to the next best, until it is pinned", async () => {
  const told = [await toldTurn(), await toldTurn(), await toldTurn()];
  expect(new Set(told).size).toBe(1);
  const [best] = told;
  expect(["1", "2"]).toContain(String(best));
  expect(await toldTurn()).toBe(best === "1" ? "2" : "1");

  const { exitCode } = await sandbox.run(["pin", best ?? ""]);
  expect(exitCode).toBe(0);
  expect(await toldTurn()).toBe(best ?? "");
}, 60_000);
