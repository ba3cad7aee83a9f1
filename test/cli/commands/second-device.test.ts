import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

test("where a project is confirmed, enable and an empty list say that others' turns arrive", async () => {
  const { path: root } = tempDir();
  const [project, folder] = [join(root, "shop"), join(root, "folder")];
  for (const directory of [project, folder]) mkdirSync(directory);
  const git = (...args: string[]) => execFileSync("git", ["-C", project, ...args]);
  git("init", "-q");
  git("remote", "add", "origin", "https://e.org/acme/shop.git");
  const run = async (...argv: string[]) => {
    const now = new Date("2026-11-22T12:00:00Z");
    const { stdout, stderr, exitCode } = await runIn({
      argv,
      cwd: project,
      homeDir: join(root, "home"),
      now,
    });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return stdout;
  };
  await run("sync", folder, "--device", "desk");
  expect(await run("enable", "--no-history")).toContain(
    `Sync      ${project} stays apart: only its own files say that it is e.org/acme/shop. If it is: mementor sync ${folder}\n`,
  );
  await run("sync", folder, "--as", "e.org/acme/shop");
  expect(await run("enable", "--no-history")).toContain(
    `Sync      what your other devices remember of this project arrives in the background, through ${folder}; "mementor sync status" shows how far\n`,
  );
  const waits = `The memory is empty: what your other devices remember arrives through ${folder}, in the background. To see the progress: mementor sync status\n`;
  expect(await run("recent")).toBe(`No turns.\n${waits}`);
  expect(await run("search", "invoices", "--mode", "keyword")).toContain(waits);
});
