import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

const DECISIONS = join(import.meta.dir, "..", "..", "fixtures", "transcripts", "decisions");

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.create();
  await enabled(sandbox);
  await sandbox.run(["ingest", DECISIONS]);
});
afterAll(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

describe.each([
  {
    what: "the user's answer to a question, with the notes",
    question:
      "Late ferries are struck through on the departure board. Why does the new time not blink on the displays of the harbour instead, and did the accessibility audit ask for it?",
    session: "5a1d0c7e-3b64-4f0e-9c21-7d8e1f2a3b01",
    words: ["Answer: Strike through", "fail the accessibility audit"],
  },
  {
    what: "an approved plan",
    question: "how does the kiosk compute the tide heights of the harbours while the modem is down?",
    session: "6b2e1d8f-4c75-4a1f-8d32-8e9f2a3b4c02",
    words: ["Doodson arguments"],
  },
  {
    what: "a subagent's report",
    question:
      "The ticket scanner drops every second barcode again. What made `readFrame` in src/scanner/serial.ts do that?",
    session: "7c3f2e90-5d86-4b20-9e43-9fa03b4c5d03",
    words: ["parity bit", "resetting the UART"],
  },
])("$what", ({ question, session, words }) => {
  test("is found by search", async () => {
    const { stdout } = await sandbox.run(["search", question, "--json", "--limit", "1"]);
    const [best] = JSON.parse(stdout).results;
    expect(best.session_id).toBe(session);
    for (const word of words) expect(best.passage).toContain(word);
  });

  test("is told to a prompt", async () => {
    const { told } = await new Client(sandbox).prompt(question);
    for (const word of words) expect(told).toContain(word);
  });
});
