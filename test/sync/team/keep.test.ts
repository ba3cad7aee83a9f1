import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRetention } from "../../../src/cli/sync/team.ts";
import { Runtime } from "../../../src/runtime.ts";
import type { Retention } from "../../../src/store/team.ts";
import { tempDir } from "../../store/builders.ts";
import { hostIn } from "../../support/host.ts";
import { Machine } from "./machine.ts";
import { MemoryServer } from "./memory-server.ts";

/** A machine with one turn of its own, and ada's with four, a minute apart: `of ada 0` is the oldest. */
async function twoMembers(directory: string, keep: Retention) {
  const server = new MemoryServer([], 2);
  const [ada, bob] = ["ada", "bob"].map((name) => new Machine(directory, name, name, server.as(name)));
  if (ada === undefined || bob === undefined) throw new Error("two machines");
  bob.keep = keep;
  await ada.start();
  for (let n = 0; n < 4; n++) await ada.write(`of ada ${n}`, "tea");
  await bob.start();
  await bob.write("of bob", "milk");
  for (const each of [ada, bob, bob]) await each.sync();
  return { ada, bob, server };
}

const ids = (machine: Machine) => machine.rows().map(({ id }) => id);

test("of colleagues' turns the newest are kept, as many as the limit allows, and all of one's own", async () => {
  using dir = tempDir();
  const { ada, bob, server } = await twoMembers(dir.path, { from: null, until: null, maxTurns: 2 });
  expect(ids(bob)).toEqual(["of bob", "of ada 2", "of ada 3"]);
  await ada.write("of ada 4", "tea");
  for (const each of [ada, bob]) await each.sync();
  expect(ids(bob)).toEqual(["of bob", "of ada 3", "of ada 4"]);
  expect(server.turns()).toHaveLength(6);
});

test("turns older than the limit are not stored, and go when they become older", async () => {
  using dir = tempDir();
  const { bob } = await twoMembers(dir.path, {
    from: "2026-01-01T00:01:00.000Z",
    until: null,
    maxTurns: 100,
  });
  expect(ids(bob)).toEqual(["of bob", "of ada 1", "of ada 2", "of ada 3"]);
  bob.keep = { from: "2026-01-01T00:03:00.000Z", until: null, maxTurns: 100 };
  await bob.sync();
  expect(ids(bob)).toEqual(["of bob", "of ada 3"]);
});

test.each<[string, object, Retention, Record<string, string>?]>([
  ["the defaults", {}, { from: null, until: "2026-03-02T12:00:00.000Z", maxTurns: 100_000 }],
  [
    "a clock that a variable stopped removes nothing",
    { keepDays: 2, keepTurns: 5 },
    { from: null, until: null, maxTurns: 5 },
    { MEMENTOR_NOW: "2099-03-01T12:00:00Z" },
  ],
  [
    "both limits",
    { keepDays: 2, keepTurns: 5 },
    { from: "2026-02-27T12:00:00.000Z", until: "2026-03-02T12:00:00.000Z", maxTurns: 5 },
  ],
])("%s", async (_, team, keep, env = {}) => {
  using dir = tempDir();
  const home = join(dir.path, "home");
  mkdirSync(join(home, ".config/mementor"), { recursive: true });
  writeFileSync(join(home, ".config/mementor/config.json"), JSON.stringify({ team }));
  const now = new Date("2026-03-01T12:00:00Z");
  const { host } = hostIn({ argv: [], cwd: dir.path, homeDir: home, now, env });
  expect(await readRetention(new Runtime(host))).toEqual(keep);
});
