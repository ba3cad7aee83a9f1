import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { git, makeRepository, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";

let sandbox: Sandbox;
let own: string;
beforeEach(async () => {
  sandbox = await Sandbox.create({ model: "quick" });
  own = await makeRepository(sandbox, "own");
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const inRoot = (name: string) => join(sandbox.root, name);

/** Writes a session in which each turn was said in another directory. */
function sessionIn(...directories: string[]): void {
  const [start = ""] = directories;
  const talk = directories.map((cwd, i) => [`What of ${cwd}, number ${i}?`, `It is kettle ${i}.`] as const);
  const file = writeSession(sandbox, start, talk);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const moved = lines.map((line, i) => JSON.stringify({ ...JSON.parse(line), cwd: directories[i >> 1] }));
  writeFileSync(file, `${moved.join("\n")}\n`);
}

/** The prompts that a project's memory holds, and whatever it says of other turns. */
async function heldIn(cwd: string): Promise<{ prompts: string[]; text: string }> {
  await sandbox.run(["ingest", "--text-only"], { cwd });
  const { stdout } = await sandbox.run(["export"], { cwd });
  const prompts = [...stdout.matchAll(/\[User\] What of [^,]*, number (\d)\?(?=\\n\\n\[Assistant\])/g)];
  return { prompts: prompts.map(([, number]) => number ?? "").sort(), text: stdout };
}

test("a session that worked in two projects is in each memory by what was said there", async () => {
  const stranger = await makeRepository(sandbox, "stranger");
  for (const cwd of [own, stranger]) await enabled(sandbox, cwd);
  sessionIn(own, own, stranger, own, stranger);
  const [mine, theirs] = [await heldIn(own), await heldIn(stranger)];
  expect([mine.prompts, theirs.prompts]).toEqual([
    ["0", "1", "3"],
    ["2", "4"],
  ]);
  expect(theirs.text).not.toMatch(/What of \S*\/own,|kettle [013]/);
  expect(mine.text).not.toMatch(/What of \S*\/stranger,|kettle [24]/);
});

test.each([
  ["by a worker", ["work"]],
  ["by a plain ingest", ["ingest", "--text-only"]],
])(
  "what was said in a project in the middle of another one's session comes to its memory, %s",
  async (_how, command) => {
    const middle = await makeRepository(sandbox, "middle");
    for (const cwd of [own, middle]) await enabled(sandbox, cwd);
    sessionIn(own, middle, inRoot("gone"), own);
    expect((await heldIn(own)).prompts).toEqual(["0", "2", "3"]);
    const { stdout } = await sandbox.run(command, { cwd: middle });
    if (command[0] === "ingest") expect(stdout).toContain("Turns     1 new");
    expect((await heldIn(middle)).prompts).toEqual(["1"]);
    expect(readdirSync(join(sandbox.memoryOf(middle), "queue"))).not.toContainEqual(
      expect.stringMatching(/todo$/),
    );
  },
);

test("what was said in the middle of another one's session while the project was disabled comes once it is enabled", async () => {
  const middle = await makeRepository(sandbox, "middle");
  for (const cwd of [own, middle]) await enabled(sandbox, cwd);
  await sandbox.run(["disable", "--yes"], { cwd: middle });
  sessionIn(own, middle, own);
  expect((await heldIn(own)).prompts).toEqual(["0", "2"]);
  await sandbox.run(["enable", "--yes", "--no-history"], { cwd: middle });
  expect((await heldIn(middle)).prompts).toEqual(["1"]);
});

test.each([
  ["a clone", () => makeRepository(sandbox, "clone")],
  ["an unpacked archive", () => mkdirSync(inRoot("clone"))],
])(
  "what was said in %s that nobody enabled is not in the project where its session ended",
  async (_what, make) => {
    await make();
    await enabled(sandbox, own);
    sessionIn(inRoot("clone"), own, inRoot("clone"), own);
    expect((await heldIn(own)).prompts).toEqual(["1", "3"]);
  },
);

test("what was said in no project stays with the one in which its session was started or around which it is", async () => {
  await makeRepository(sandbox, "clone");
  mkdirSync(inRoot("plain"));
  await enabled(sandbox, own);
  sessionIn(own, inRoot("clone"), inRoot("plain"), own);
  expect((await heldIn(own)).prompts).toEqual(["0", "1", "2", "3"]);
});

test("a session that was started around the project is whole", async () => {
  await enabled(sandbox, own);
  sessionIn(sandbox.root, own);
  expect((await heldIn(own)).prompts).toEqual(["0", "1"]);
});

test("a renamed project, its worktrees and what lies in it lose no turn", async () => {
  await git(own, "worktree", "add", "-q", inRoot("tree"));
  await makeRepository(sandbox, "own/vendor/part");
  await enabled(sandbox, own);
  sessionIn(inRoot("before"), inRoot("tree"), join(own, "vendor/part"), join(own, "gone"), own);
  expect((await heldIn(own)).prompts).toEqual(["0", "1", "2", "3", "4"]);
});

test("what was said in a repository that took the place of a worktree is not the project's", async () => {
  const tree = inRoot("tree");
  await git(own, "worktree", "add", "-q", tree);
  await enabled(sandbox, own);
  sessionIn(tree, own);
  expect((await heldIn(own)).prompts).toEqual(["0", "1"]);
  await sandbox.hook(
    "session-start",
    { session_id: crypto.randomUUID(), cwd: tree, source: "startup" },
    { cwd: tree },
  );
  await workerDone(sandbox, own);
  await git(own, "worktree", "remove", tree);
  await makeRepository(sandbox, "tree");
  sessionIn(tree, tree, own);
  expect((await heldIn(own)).prompts).toEqual(["0", "1", "2"]);
});

test("a session of an agent that other projects do not look for stays whole", async () => {
  const other = await makeRepository(sandbox, "other");
  for (const cwd of [own, other]) await enabled(sandbox, cwd);
  const sessionId = crypto.randomUUID();
  const chats = join(sandbox.home, ".qwen/projects/own/chats");
  mkdirSync(chats, { recursive: true });
  const records = [own, other].flatMap((cwd, i) =>
    [
      { type: "user", message: { role: "user", parts: [{ text: `What of ${cwd}, number ${i}?` }] } },
      { type: "assistant", message: { role: "model", parts: [{ text: "It is kettle." }] } },
    ].map((record, j) => ({
      ...{ uuid: crypto.randomUUID(), sessionId, timestamp: `2026-11-03T09:0${i}:0${j}.000Z`, cwd },
      ...record,
    })),
  );
  writeFileSync(
    join(chats, `${sessionId}.jsonl`),
    records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  );
  expect((await heldIn(own)).prompts).toEqual(["0", "1"]);
});

test("a transcript that the user names is read whole", async () => {
  const stranger = await makeRepository(sandbox, "stranger");
  for (const cwd of [own, stranger]) await enabled(sandbox, cwd);
  sessionIn(own, stranger);
  await sandbox.run(["ingest", join(sandbox.home, ".claude/projects"), "--text-only"], { cwd: stranger });
  expect((await heldIn(stranger)).prompts).toEqual(["0", "1"]);
});
