import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAll } from "../../support/read-turns.ts";
import { SENT, STRANGER, TYPED } from "../../support/strangers.ts";

const folder = mkdtempSync(join(tmpdir(), "mementor-senders-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "5e550000-0000-4000-8000-000000000002.jsonl");

/** The turns of a session in which the user asks, and this follows. */
async function originsAfter(entries: readonly object[]) {
  const asked = { type: "user", uuid: "u0", message: { role: "user", content: "Paint the depot green" } };
  const worked = { type: "assistant", uuid: "a0", message: { role: "assistant", content: "Painted." } };
  const all = [asked, worked, ...entries].map((entry) => ({ sessionId: "s", cwd: "/w", ...entry }));
  writeFileSync(path, all.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return (await readAll(path)).turns;
}

test.each(SENT)(
  "%s is told by whom it came, and follows no turn as the user's",
  async (_, origin, entries) => {
    const [first, ...others] = await originsAfter(entries);
    expect(first?.text).toBe("[User] Paint the depot green\n\n[Assistant] Painted.");
    const said = others.filter(({ text }) => text.includes(STRANGER));
    expect<string[]>(said.map((turn) => turn.origin)).toEqual(origin === null ? [] : [origin]);
  },
);

test.each(TYPED)("%s is the user's", async (_, entries) => {
  const turns = await originsAfter(entries);
  expect(turns.at(-1)).toMatchObject({ origin: "human" });
  expect(turns.at(-1)?.text).toContain("Keep the gate shut");
});
