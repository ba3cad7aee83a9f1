import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAcceptedPlan, ownWords } from "../../../src/turn/pasted.ts";
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

const ABOUT = "This session is being continued from a previous conversation that ran out.\n\nIt is green.";
const BOUNDARY = { type: "system", subtype: "compact_boundary", uuid: "b0", parentUuid: null };

test.each([
  ["that the client marks as one", [{ isCompactSummary: true }], "compaction_summary"],
  ["right after a compaction", [{ parentUuid: "b0" }], "compaction_summary"],
  ["that somebody pasted", [{ parentUuid: "a0" }], "turn"],
] as const)("a summary %s is kept as a %s", async (_, [fields], role) => {
  const summary = { type: "user", uuid: "u1", message: { role: "user", content: ABOUT }, ...fields };
  const turns = await originsAfter([BOUNDARY, summary]);
  expect(turns.at(-1)?.role).toBe(role);
});

test("a plan is an accepted one only where the client recorded it", async () => {
  const content = "Implement the following plan:\n\n# Gate\n\nThe depot gets a gate.";
  const entry = { type: "user", uuid: "u1", message: { role: "user", content } };
  const own = async (fields: object) => (await originsAfter([{ ...entry, ...fields }])).at(-1)?.text ?? "";
  expect(isAcceptedPlan((await own({ planContent: "# Gate" })).replace("[User] ", ""))).toBe(true);
  expect(ownWords((await own({})).replace("[User] ", ""))).toBe("");
});
