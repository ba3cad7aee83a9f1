import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

test("forget says which of what goes is pinned: notes and turns apart", async () => {
  using dir = tempDir();
  const [cwd, homeDir] = [join(dir.path, "project"), join(dir.path, "home")];
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(homeDir);
  const now = new Date("2026-11-22T12:00:00Z");
  const run = async (...argv: string[]) =>
    (await runIn({ argv, cwd, homeDir, now, env: { NO_COLOR: "1", TZ: "UTC" } })).stdout;
  await run("enable", "--no-history");
  for (const text of ["Dates are UTC", "Names are short"]) await run("note", text);
  await run("mark", "pin", "1");
  const preview = await run("forget", "1", "--dry-run");
  expect(preview).toMatch(/^Notes +1 note, 22 Nov 2026 12:00\n +including 1 that you pinned\n/m);
  expect(await run("forget", "2", "--dry-run")).not.toContain("pinned");
  expect(await run("forget", "1", "--yes")).toContain("including 1 that you pinned");
});
