import { afterAll, beforeAll, expect, test } from "bun:test";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

const QUESTION =
  "What did we settle for duplicate rows in the import of bank statements, and what for rounding exchange rates in invoices?";
/** Only the best turn is told. */
const ENV = { MEMENTOR_SEARCH_PROMPT_K: "1" };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  const said = [
    [
      3,
      "The import of bank statements stops at duplicate rows. What should it do?",
      "It counts duplicate rows and names each of them in the summary below the import, because accountants complained about payments that vanished in silence.",
    ],
    [
      4,
      "Invoices round exchange rates to four digits, and the totals are off by a cent. What now?",
      "Invoices keep exchange rates with eight digits and round only the total, half to even, since the tax office adds the lines up itself.",
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
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

/** The turn that a new session is told; null when the hook is silent. */
async function toldTurn(): Promise<string | null> {
  const { told } = await new Client(sandbox, ENV).prompt(QUESTION);
  return told?.match(/^1\. .*, turn (\d+), every prompt and answer:$/m)?.[1] ?? null;
}

test("a turn that three sessions in a row were told in vain gives way to the next best, until it is pinned", async () => {
  const told = [await toldTurn(), await toldTurn(), await toldTurn()];
  expect(new Set(told).size).toBe(1);
  const [best] = told;
  expect(["1", "2"]).toContain(String(best));
  expect(await toldTurn()).toBe(best === "1" ? "2" : "1");

  const { exitCode } = await sandbox.run(["mark", "pin", best ?? ""]);
  expect(exitCode).toBe(0);
  expect(await toldTurn()).toBe(best ?? "");
});
