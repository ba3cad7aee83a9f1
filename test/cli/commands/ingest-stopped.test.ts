import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../../../src/cli/run.ts";
import { sampleHistory } from "../../support/history.ts";
import { hostIn, runIn } from "../../support/host.ts";

test("an ingest that is stopped says so, and what is left, in place of what it would say at its end", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-stopped-")));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const directory of [home, join(project, ".git")]) mkdirSync(directory, { recursive: true });
  sampleHistory(home, project);
  const stopped = async (...argv: string[]) => {
    const { host, written } = hostIn({
      argv,
      cwd: project,
      homeDir: home,
      now: new Date("2026-03-01T00:00:00Z"),
    });
    const exitCode = await runCli({ ...host, interrupted: () => AbortSignal.abort(130) });
    return { exitCode, stdout: written.stdout };
  };
  const transcripts = join(home, ".claude");
  expect(await stopped("ingest", transcripts)).toEqual({
    exitCode: 130,
    stdout:
      "Stopped   with 14 transcripts not read to the end; what was read is kept, and the same command goes on\n",
  });
  const { stdout } = await stopped("ingest", transcripts, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ files: { read: 0 }, stopped: { unread: 14 } });
  rmSync(root, { recursive: true });
});

test("an ingest whose queue cannot be read tells what it did, and that", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mementor-queue-")));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const directory of [home, join(project, ".git")]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  const run = (...argv: string[]) =>
    runIn({ argv, cwd: project, homeDir: home, now: new Date("2026-03-01T00:00:00Z") });
  expect(await run("enable", "--no-history")).toMatchObject({ exitCode: 0 });
  sampleHistory(home, project);
  const memories = join(home, ".local/share/mementor/projects");
  const [memory = ""] = readdirSync(memories);
  // Stands where the list of what is being read is kept.
  mkdirSync(join(memories, memory, "queue/reading"), { recursive: true });
  const { exitCode, stdout, stderr } = await run("ingest", "--text-only", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ files: { failed: 0 } });
  expect(JSON.parse(stdout).files.read).toBeGreaterThan(0);
  expect(stderr).toMatch(/\nNot all of the queue was read: .+\n$/);
  rmSync(root, { recursive: true });
});
