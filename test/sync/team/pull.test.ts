import { expect, test } from "bun:test";
import { join } from "node:path";
import { pullChanges } from "../../../src/sync/team/sync.ts";
import { openStore, tempDir } from "../../store/builders.ts";
import { ALL, Machine, NO_EXCLUSIONS } from "./machine.ts";
import { MemoryServer } from "./memory-server.ts";

test("only devices with something new are asked for their changes", async () => {
  using dir = tempDir();
  const server = new MemoryServer([], 10);
  const [ada, bob] = ["ada", "bob"].map((name) => new Machine(dir.path, name, name, server.as(name)));
  if (ada === undefined || bob === undefined) throw new Error("two machines");
  for (const machine of [ada, bob]) {
    await machine.start();
    await machine.write(`of ${machine.author}`, "tea");
    await machine.sync();
  }
  const store = await openStore(join(dir.path, "cleo.db"));
  await store.team.join({ project: "shop", author: "cleo" });
  await store.team.share(ALL);
  const asked: string[] = [];
  const real = server.as("cleo");
  const pullAll = () =>
    pullChanges({
      store: store.team,
      server: {
        ...real,
        pull: (device, from) => {
          asked.push(`${device.author} from ${from.number}`);
          return real.pull(device, from);
        },
      },
      exclusions: NO_EXCLUSIONS,
      keep: { from: null, until: null, maxTurns: 100 },
      isAlone: true,
      locked: (step) => step(),
      signal: new AbortController().signal,
    });
  expect(await pullAll()).toEqual({ added: 2, updated: 0, removed: 0 });
  asked.length = 0;
  expect(await pullAll()).toEqual({ added: 0, updated: 0, removed: 0 });
  expect(asked).toEqual([]);
  await bob.write("more of bob", "milk");
  await bob.sync();
  expect(await pullAll()).toEqual({ added: 1, updated: 0, removed: 0 });
  expect(asked[0]).toBe("bob from 1");
  expect(asked.every((each) => each.startsWith("bob"))).toBe(true);
  await store.close();
});
