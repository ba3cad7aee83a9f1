import { expect, test } from "bun:test";
import { join } from "node:path";
import { MementorError } from "../../src/errors.ts";
import { openMemory } from "../../src/mcp/memory.ts";
import { Runtime } from "../../src/runtime.ts";
import { batch, openStore, tempDir, turn } from "../store/builders.ts";
import { hostIn } from "../support/host.ts";

test("a memory that changed while it was read is read once more, and no oftener", async () => {
  using dir = tempDir();
  const databaseFile = join(dir.path, "m.db");
  await using store = await openStore(databaseFile);
  await store.ingest.write(batch([turn(0, "zebra crossing")]));
  await store.close();
  const { host } = hostIn({ argv: [], cwd: dir.path, homeDir: dir.path, now: new Date() });
  const memory = openMemory(new Runtime(host, { databaseFile }), dir.path);
  let reads = 0;
  const changing = (times: number) =>
    memory.read(async ({ search }) => {
      if (++reads <= times) throw new MementorError("db_locked", "the database changed while it was read");
      return (await search.totals()).turns;
    });
  expect([await changing(1), reads]).toEqual([1, 2]);
  reads = 0;
  await expect(changing(9)).rejects.toMatchObject({ code: "db_locked" });
  expect(reads).toBe(2);
});
