import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runQueue } from "../../../src/cli/worker/worker.ts";
import { BGE_SMALL } from "../../../src/embed/embedder.ts";
import { thisMachine } from "../../../src/io/machine.ts";
import { enqueue, hasQueued } from "../../../src/project/queue.ts";
import { Runtime } from "../../../src/runtime.ts";
import { tempDir } from "../../store/builders.ts";
import { createHashEmbedder } from "../../support/hash-embedder.ts";
import { hostIn, runIn } from "../../support/host.ts";
import { writeSession } from "../../support/projects.ts";

const BROKEN = '{\n  "exclude": { "paths": ["src/**"] }\n  bad';
const NOW = new Date("2026-11-22T12:00:00Z");

class WithoutModel extends Runtime {
  override async openTokenizer() {
    return createHashEmbedder(BGE_SMALL).tokenizer;
  }

  override async openEmbedder() {
    return createHashEmbedder(BGE_SMALL);
  }
}

/** An enabled project, and a session in it that was not read yet. */
async function project(root: string) {
  const [cwd, home] = [join(root, "project"), join(root, "home")];
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(home);
  const options = (argv: readonly string[]) => ({
    argv,
    cwd,
    homeDir: home,
    now: NOW,
    env: { NO_COLOR: "1" },
  });
  const run = (...argv: string[]) => runIn(options(argv));
  const enabled = await run("enable", "--no-history", "--json");
  const directory: string = JSON.parse(enabled.stdout).memory_directory;
  const session = writeSession({ home }, cwd, [["Which queue do we use?", "Postgres with SKIP LOCKED."]]);
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const files = {
    user: join(home, ".config/mementor/config.json"),
    tree: join(cwd, ".mementor/config.json"),
    own: join(directory, "config.json"),
  };
  const machine = { ...thisMachine("linux"), lowerPriority() {} };
  const worker = () =>
    runQueue({ unpack: false }, new WithoutModel(hostIn(options([])).host), { machine, pollMs: 1 });
  return { run, worker, put, files, session, directory };
}

test("while a file that may exclude something cannot be read, commands store nothing and name its line", async () => {
  using dir = tempDir();
  const { run, put, files, session } = await project(dir.path);
  for (const file of Object.values(files)) {
    put(file, BROKEN);
    for (const argv of [["ingest", session], ["ingest"], ["import", session], ["enable", "--yes"]]) {
      const { exitCode, stderr } = await run(...argv);
      expect({ argv, file, exitCode: exitCode > 0 }).toEqual({ argv, file, exitCode: true });
      expect(stderr).toContain(`nothing is stored: ${file}: `);
      expect(stderr).toContain("line 3, column 3");
    }
    expect((await run("status")).stdout).toMatch(/^Working +not fully: nothing new is read until .*line 3/m);
    const doctor = await run("doctor");
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toMatch(/Nothing new is read, .*line 3/);
    put(file, "{}");
  }
  put(files.own, '{ "exclude": { "paths": "src/**" } }');
  expect((await run("ingest", session, "--text-only")).stderr).toContain("exclude.paths");
  put(files.own, '{ "search": { "k": "many" } }');
  expect(await run("ingest", session, "--text-only")).toMatchObject({ exitCode: 0 });
});

test("the worker leaves what is queued until the settings can be read", async () => {
  using dir = tempDir();
  const { run, worker, put, files, session, directory } = await project(dir.path);
  const read = async () => JSON.parse((await run("recent", "--json")).stdout).total;
  put(files.tree, BROKEN);
  enqueue(directory, session);
  expect(await worker()).toBe(0);
  expect({ isQueued: hasQueued(directory), read: await read() }).toEqual({ isQueued: true, read: 0 });
  put(files.tree, "{}");
  expect(await worker()).toBe(0);
  expect({ isQueued: hasQueued(directory), read: await read() }).toEqual({ isQueued: false, read: 1 });
});
