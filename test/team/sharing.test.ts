import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Sharing } from "../../src/store/team/types.ts";
import { batch, openEmptyStore, tempDir, turn } from "../store/builders.ts";
import { ALL, Machine, NO_EXCLUSIONS } from "./machine.ts";
import { MemoryServer } from "./memory-server.ts";

const SECRET = "AKIAQ3EGRIMPVALUE7Z2";

const TURNS = [
  turn(0, "[User] plain", { promptUuid: "plain" }),
  turn(1, "[User] branch", { promptUuid: "branch", branch: "feat/tea" }),
  turn(2, "[User] subagent", { promptUuid: "subagent", agentId: "a" }),
  turn(3, "[User] open", { promptUuid: "open", provisional: true }),
  turn(4, "[User] summary", { promptUuid: "summary", role: "compaction_summary" }),
  turn(5, "[User] path", {
    promptUuid: "path",
    mentions: [{ filePath: "secrets/a.txt", toolName: "Read" }],
  }),
];

async function fates(sharing: Partial<Sharing>, isPathExcluded = (_: string) => false) {
  using dir = tempDir();
  const store = await openEmptyStore(join(dir.path, "m.db"));
  await store.ingest.write(batch(TURNS));
  await store.ingest.write({
    ...batch([turn(9, "[User] imported", { promptUuid: "imported", sessionId: "s2" })]),
    foreignOrigin: "elsewhere",
  });
  const found = await store.team.fates({ ...ALL, ...sharing }, { ...NO_EXCLUSIONS, isPathExcluded }, 0, 100);
  await store.close();
  return found.map(({ fate }) => fate);
}

test("finished turns of main conversations are shared, and nothing else", async () => {
  expect(await fates({}, (path) => path.startsWith("secrets/"))).toEqual([
    "wanted",
    "wanted",
    "subagent",
    "provisional",
    "summary",
    "excluded",
    "imported",
  ]);
});

test("rules choose by branch, time and mark, and take subagents in", async () => {
  expect((await fates({ branches: ["feat/*"] })).slice(0, 2)).toEqual(["branch", "wanted"]);
  expect((await fates({ since: "2026-01-01T00:01:00.000Z" })).slice(0, 2)).toEqual(["before", "wanted"]);
  expect((await fates({ onlyMarked: true })).slice(0, 2)).toEqual(["unmarked", "unmarked"]);
  expect((await fates({ subagents: true }))[2]).toBe("wanted");
});

test("a secret that is found later leaves every machine: the cleaned turn takes its place", async () => {
  using dir = tempDir();
  const server = new MemoryServer([], 10);
  const ada = new Machine(dir.path, "ada", "ada", server.as("ada"));
  const bob = new Machine(dir.path, "bob", "bob", server.as("bob"));
  for (const each of [ada, bob]) await each.start();
  await ada.write("p1", "the key is here");
  for (const each of [ada, bob]) await each.sync();
  // As an older version stored it, with rules that did not know this form.
  const db = new Database(join(dir.path, "ada.db"));
  db.run("UPDATE turns SET full_text = full_text || ?", [` ${SECRET}`]);
  db.close();
  expect(ada.rows().map(({ text }) => text.includes(SECRET))).toEqual([true]);
  for (const each of [ada, bob]) await each.sync();
  expect(bob.rows().map(({ text }) => text)).toEqual([expect.stringContaining("the key is here [redacted:")]);
});
