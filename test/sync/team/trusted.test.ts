import { expect, test } from "bun:test";
import { type Config, DEFAULTS } from "../../../src/config/settings.ts";
import { trustedFilter } from "../../../src/recall/hidden.ts";
import { tempDir } from "../../store/builders.ts";
import { Machine } from "./machine.ts";
import { MemoryServer } from "./memory-server.ts";

const team: Config["team"] = { ...DEFAULTS.team, servers: [] };

test("the turns of who left stay, and hooks tell those of today's members only", async () => {
  using dir = tempDir();
  const server = new MemoryServer([], 10);
  const machines = ["ada", "bob", "cleo"].map((name) => new Machine(dir.path, name, name, server.as(name)));
  const cleo = machines[2];
  if (cleo === undefined) throw new Error("three machines");
  for (const each of machines) {
    await each.start();
    await each.write(`of ${each.author}`, "tea");
    await each.sync();
  }
  const told = async (config: Partial<Config["team"]> = {}) =>
    cleo.work(async (store) => {
      const filter = await trustedFilter({ recall: DEFAULTS.recall, team: { ...team, ...config } }, store);
      return (await store.browse.recent(10, filter)).map(({ author }) => author).sort();
    });
  await cleo.sync();
  expect(await told()).toEqual(["ada", "bob", null]);

  server.former.add("ada");
  await cleo.sync();
  expect(cleo.rows().map(({ author }) => author)).toEqual(["cleo", "ada", "bob"]);
  expect(await told()).toEqual(["bob", null]);
  expect(await told({ trust: ["ada"] })).toEqual(["ada", null]);
  expect(await cleo.work(({ team: of }) => of.counts(""))).toMatchObject({
    pulled: [
      { author: "ada", turns: 1, isFormer: true },
      { author: "bob", turns: 1, isFormer: false },
    ],
  });

  server.former.clear();
  await cleo.sync();
  expect(await told()).toEqual(["ada", "bob", null]);
});
