import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

test("who undid an import is told how to make it again", async () => {
  using dir = tempDir();
  const homeDir = join(dir.path, "home");
  mkdirSync(homeDir);
  const file = join(homeDir, "memory.jsonl");
  const now = new Date("2026-11-22T12:00:00Z");
  const runner = async (name: string) => {
    const cwd = join(dir.path, name);
    mkdirSync(join(cwd, ".git"), { recursive: true });
    const run = async (...argv: string[]) =>
      (await runIn({ argv, cwd, homeDir, now, env: { NO_COLOR: "1", TZ: "UTC" } })).stdout;
    await run("enable", "--no-history");
    return run;
  };
  const kettle = await runner("kettle");
  await kettle("note", "Dates are UTC");
  await kettle("export", "-o", file);
  const run = await runner("mug");
  const take = () => run("import", file, "--text-only", "--yes");
  expect(await take()).toContain("Undo      mementor forget --imported kettle\n");
  const undone = await run("forget", "--imported", "kettle", "--yes");
  expect(undone).not.toContain("cannot be undone");
  expect(undone).toContain("Importing the same file again brings them back.\n");
  expect(await take()).toMatch(/^Notes +1 new, 0 updated$/m);
  expect(await run("recent", "--from", "note")).toContain("Dates are UTC");
});
