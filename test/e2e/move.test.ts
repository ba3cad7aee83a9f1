import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { tryLock } from "../../src/io/lock.ts";
import { enabled } from "../support/enabled.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { killAfter, someWay, until } from "../support/wait.ts";

const FOLDER = join(import.meta.dir, "../../fixtures/transcripts/sample/projects/-home-dev-tidemark");
/** Few, since hooks start workers, which embed them. */
const FEW = ["1b7c0a52-6f1e-4c7d-9a35-2d0e8f41c601.jsonl", "27c96b1d-3e4f-4a50-b867-8d7c6b5a4f11.jsonl"];
const TURNS = 11;
/** A binary of a version that kept memories in the project; tests of both at once run where it is given. */
const OLD_BINARY = process.env.MEMENTOR_OLD_BINARY ?? "";
/** A directory on another file system than the temporary directory, where there is one. */
const ELSEWHERE = "/dev/shm";
const hasElsewhere = existsSync(ELSEWHERE) && statSync(ELSEWHERE).dev !== statSync(tmpdir()).dev;

const shared = mkdtempSync(join(tmpdir(), "mementor-move-"));
/** A HOME and a project as a version left them that kept the memory in the project. */
const saved = join(shared, "saved");
let project = "";
let id = "";

beforeAll(async () => {
  const made = await Sandbox.create();
  await enabled(made);
  await made.run(["ingest", ...FEW.map((name) => join(FOLDER, name)), "--text-only"]);
  id = basename(made.memory());
  project = made.project;
  rmSync(join(made.project, ".mementor"), { recursive: true });
  renameSync(made.memory(), join(made.project, ".mementor"));
  writeFileSync(join(made.project, ".mementor", "id"), `${id}\n`);
  writeFileSync(join(made.project, ".mementor", ".gitignore"), "*\n");
  // The program is large, and only hooks' settings name it.
  rmSync(join(made.home, ".local/share/mementor/bin"), { recursive: true });
  cpSync(made.root, saved, { recursive: true });
  await made[Symbol.asyncDispose]();
});
afterAll(() => rmSync(shared, { recursive: true, force: true }));

let sandbox: Sandbox;
let data = "";
beforeEach(async () => {
  sandbox = await Sandbox.create();
  data = hasElsewhere ? mkdtempSync(join(ELSEWHERE, "mementor-move-")) : join(sandbox.root, "data");
});
afterEach(async () => {
  rmSync(data, { recursive: true, force: true });
  await sandbox[Symbol.asyncDispose]();
});

/** Puts the old state back, under this sandbox's paths, with what the user confirmed of the place of memories. */
function restore({ XDG_DATA_HOME }: Record<string, string> = {}): void {
  rmSync(data, { recursive: true, force: true });
  for (const name of ["home", "project"]) {
    rmSync(join(sandbox.root, name), { recursive: true, force: true });
    cpSync(join(saved, name), join(sandbox.root, name), { recursive: true });
  }
  const registry = join(sandbox.home, ".config/mementor/projects.json");
  const record = JSON.parse(readFileSync(registry, "utf8").replaceAll(project, sandbox.project));
  // A copy beside the project is believed only where it says that it was made in this directory.
  const { ino, birthtimeMs } = statSync(dirname(registry));
  const place = XDG_DATA_HOME && { dataDir: join(XDG_DATA_HOME, "mementor") };
  writeFileSync(registry, JSON.stringify({ ...record, madeIn: `${ino}-${birthtimeMs}`, ...place }));
}

/** What must hold whatever happened: one memory with every turn, where it belongs, and nothing of it in the tree. */
async function isWhole(env: Record<string, string>): Promise<void> {
  const { stdout, stderr } = await sandbox.run(["status", "--json"], { env });
  expect(stderr).toBe("");
  const { trust, database } = JSON.parse(stdout);
  const home = env.XDG_DATA_HOME ?? join(sandbox.home, ".local/share");
  const directory = join(home, "mementor/projects", id);
  expect([trust, database.file, database.content?.turns, database.problem]).toEqual([
    "trusted",
    join(directory, "mementor.db"),
    TURNS,
    null,
  ]);
  const tree = readdirSync(join(sandbox.project, ".mementor"));
  expect(tree.filter((name) => ["id", "log", "queue"].includes(name))).toEqual([]);
  expect(readFileSync(join(sandbox.project, ".mementor/mementor.db"), "utf8")).toContain(directory);
  // A process that was killed may leave its lock, which is an empty file, and the lock's empty journal.
  const isKnown = (name: string) => [id, `${id}.lock`, `${id}.lock-journal`].includes(name);
  expect(readdirSync(join(directory, "..")).filter((name) => !isKnown(name))).toEqual([]);
}

const PLACES: [name: string, env: () => Record<string, string>][] = [
  ["by renaming", () => ({})],
  ["by a copy to another file system", () => ({ XDG_DATA_HOME: data })],
];

test.each(PLACES)("%s, a memory moves once, and its configuration stays", async (_name, env) => {
  restore(env());
  writeFileSync(join(sandbox.project, ".mementor/config.json"), '{"exclude": {"paths": ["x"]}}');
  await isWhole(env());
  await isWhole(env());
  expect(readFileSync(join(sandbox.project, ".mementor/config.json"), "utf8")).toContain('"x"');
});

test.each(PLACES)(
  "%s, a link and a queue in the tree take nothing of the user's along",
  async (_name, env) => {
    restore(env());
    const notes = join(sandbox.root, "notes");
    mkdirSync(notes, { mode: 0o755 });
    writeFileSync(join(notes, "x.todo"), "mine");
    symlinkSync(notes, join(sandbox.project, ".mementor/log-link"));
    rmSync(join(sandbox.project, ".mementor/queue"), { recursive: true, force: true });
    symlinkSync(notes, join(sandbox.project, ".mementor/queue"));
    await isWhole(env());
    const input = { session_id: "s", cwd: sandbox.project, source: "startup" };
    await sandbox.hook("session-start", input, { env: env() });
    expect(readFileSync(join(notes, "x.todo"), "utf8")).toBe("mine");
    expect(statSync(notes).mode & 0o777).toBe(0o755);
  },
);

test.each(PLACES)("%s, a kill at any point costs nothing", async (_name, env) => {
  for (let delay = 4; delay < 54; delay += 4) {
    restore(env());
    const child = sandbox.start(["status"], { env: env() });
    await killAfter(delay, child);
    await isWhole(env());
  }
});

/** Where a move can be stopped, as what it leaves: one line each. `tree` and `draft` are the two directories. */
const STOPS: [name: string, leave: (tree: string, draft: string) => void][] = [
  ["the draft was made", () => {}],
  ["the id was moved", (tree, draft) => take(tree, draft, ["id"])],
  ["the database was moved", (tree, draft) => take(tree, draft, ["id", "mementor.db"])],
  [
    "the notice was written",
    (tree, draft) => {
      take(tree, draft, readdirSync(tree));
      writeFileSync(join(tree, "mementor.db"), `This is no database: the memory moved to\n${draft}\n`);
    },
  ],
  [
    "the copy was half made",
    (tree, draft) =>
      writeFileSync(join(draft, "mementor.db"), readFileSync(join(tree, "mementor.db")).subarray(0, 99)),
  ],
  [
    "the copy was made",
    (tree, draft) => {
      cpSync(join(tree, "mementor.db"), join(draft, "mementor.db"));
      writeFileSync(join(draft, "copied"), "");
    },
  ],
];

function take(tree: string, draft: string, names: string[]): void {
  for (const name of names) renameSync(join(tree, name), join(draft, name));
}

test.each(STOPS)("stopped when %s, a move goes on", async (_name, leave) => {
  restore();
  const draft = join(sandbox.home, ".local/share/mementor/projects", `${id}.draft`);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  leave(join(sandbox.project, ".mementor"), draft);
  await isWhole({});
  await isWhole({});
});

test("a hook moves it, and waits for nobody who works in it", async () => {
  restore();
  const tree = join(sandbox.project, ".mementor");
  const prompt = { cwd: sandbox.project, session_id: "s", prompt: "why did we choose sqlite for bookmarks" };
  const lock = tryLock(join(tree, "read.lock"));
  try {
    const hook = await sandbox.hook("user-prompt-submit", prompt, { env: { MEMENTOR_SEARCH_GATE: "off" } });
    expect([hook.exitCode, hook.stdout, hook.stderr]).toEqual([0, "", ""]);
    expect(readFileSync(join(tree, "id"), "utf8")).toBe(`${id}\n`);
  } finally {
    lock?.release();
  }
  const hook = await sandbox.hook("user-prompt-submit", prompt);
  expect([hook.exitCode, hook.stderr]).toEqual([0, ""]);
  // The worker that the first one started may be at it.
  const moved = sandbox.memory("mementor.db");
  const isMoving = () => existsSync(`${dirname(moved)}.lock`);
  await until("the memory is where it belongs", () => existsSync(moved) && !isMoving());
  await isWhole({});
});

test.skipIf(OLD_BINARY === "")(
  "beside hooks of an older version, killed or not, no turn is lost",
  async () => {
    const input = JSON.stringify({
      cwd: sandbox.project,
      session_id: "s",
      prompt: "why did we choose sqlite",
    });
    const start = (binary: string, args: string[]) =>
      Bun.spawn([binary, ...args], {
        cwd: sandbox.project,
        env: sandbox.env(),
        stdin: Buffer.from(input),
        stdout: "ignore",
        stderr: "ignore",
      });
    for (let round = 0; round < 30; round++) {
      restore();
      const old = ["stop", "session-start", "user-prompt-submit", "pre-compact"].map((event) =>
        start(OLD_BINARY, ["hook", event]),
      );
      await someWay(round);
      const own = start(BINARY, ["hook", round % 2 === 0 ? "user-prompt-submit" : "stop"]);
      if (round % 3 === 0) await killAfter(5 + round, own);
      await Promise.all([...old, own].map(({ exited }) => exited));
      mkdirSync(join(sandbox.project, ".mementor"), { recursive: true });
      const late = start(OLD_BINARY, ["hook", "stop"]);
      await late.exited;
      const { stdout } = await sandbox.run(["status", "--json"]);
      const { trust, database } = JSON.parse(stdout);
      expect([trust, database.content?.turns, basename(join(database.file, ".."))]).toEqual([
        "trusted",
        TURNS,
        id,
      ]);
    }
  },
);
