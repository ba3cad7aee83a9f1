import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { git, makeRepository, writeSession } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";
import { Client, workerDone } from "./client.ts";
import { holding, type Machine, machine } from "./machine.ts";

const QUESTION = "Which queue library do we use for the invoice mailer?";
const DECISION =
  "We decided to use quokkaqueue for the invoice mailer, because it retries after a crash and keeps the order of invoices.";
const SESSION = "11111111-2222-4333-8444-555555555555";

let shared: Sandbox;
let folder: string;
let laptop: Machine;
let desk: Machine;
let train: Machine;

beforeAll(async () => {
  shared = await Sandbox.create();
  folder = join(shared.root, "folder");
  mkdirSync(folder);
  [laptop, desk, train] = [await machine(), await machine(), await machine()];
});
afterAll(async () => {
  for (const { sandbox } of [laptop, desk, train]) {
    await workerDone(sandbox);
    await sandbox[Symbol.asyncDispose]();
  }
  await shared[Symbol.asyncDispose]();
});

test("the first device makes a key, which only the user can read", async () => {
  await enabled(laptop.sandbox);
  writeSession(
    laptop.sandbox,
    laptop.sandbox.project,
    [
      [QUESTION, DECISION],
      ["Thanks, that is all", "You are welcome."],
    ],
    { sessionId: SESSION },
  );
  await laptop.sandbox.run(["ingest"]);
  expect(await laptop.fails("sync", "status")).toMatchObject({ exitCode: 1 });
  expect(await laptop.fails("sync", join(folder, "nowhere"))).toMatchObject({ exitCode: 1 });
  expect(await laptop.json("sync", folder, "--yes", "--device", "laptop")).toMatchObject({
    ...{ directory: folder, is_new: true, joins_all: false },
    synced: [{ project: "github.com/acme/shop", result: { pushed: 2, added: 0 }, problem: null }],
  });
  expect(statSync(join(laptop.sandbox.home, ".config/mementor/sync.json")).mode & 0o777).toBe(0o600);
  const names = readdirSync(folder, { recursive: true }).join(" ");
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)).toString("latin1"))
    .join("");
  expect(["quokkaqueue", "acme", "laptop"].filter((word) => `${names}${bytes}`.includes(word))).toEqual([]);
});

test("a second device asks for the code, and brings the memory when the project is enabled", async () => {
  expect(await laptop.fails("sync", "code")).toMatchObject({ exitCode: 64 });
  const printed = await laptop.run(["sync", "code", "--print"]);
  const code = printed.trim().split("\n").at(-1) ?? "";
  expect(code).toMatch(/^memkey(?: [a-z]{5}){17}$/);
  const refused = await desk.fails("sync", folder);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("its code is missing");
  const file = join(shared.root, "code.txt");
  writeFileSync(file, printed.replace(/[a-z]{5}\n$/, "babab\n"));
  expect((await desk.fails("sync", folder, "--key-file", file)).stderr).toContain("mistyped");
  const joined = await desk.run(["sync", folder, "--device", "desk", "--json"], `${code}\n`);
  expect(JSON.parse(joined)).toMatchObject({ is_new: false, is_enabled: false, joins_all: true, synced: [] });
  expect(await desk.run(["enable", "--no-history"])).toContain("only its own files say that it is");
  await desk.run(["sync", folder, "--yes"]);
  await until("the memory is here", async () => (await desk.json("recent")).turns.length === 2);
  await workerDone(desk.sandbox);
  const { turns } = await desk.json("recent");
  expect(turns.map(({ device }: { device?: string }) => device)).toEqual(["laptop", "laptop"]);
  expect(await desk.run(["recent"])).toContain("said on laptop");
  expect(await desk.run(["sessions"])).toContain("said on laptop");
  const { told } = await new Client(desk.sandbox).prompt(QUESTION);
  expect(told).toContain("quokkaqueue");
  expect(told).toContain("said on laptop");
  const { exitCode, stderr } = await desk.fails("show", "--resume", SESSION);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`Session ${SESSION} was held on laptop.`);
});

test("notes and marks go both ways, and status names the devices", async () => {
  await desk.run(["note", "Invoices are mailed at six"]);
  const { turns } = await desk.json("recent");
  const decided = turns.find(({ session_id }: { session_id: string }) => session_id === SESSION);
  await desk.run(["mark", "pin", String(decided.turn_id)]);
  expect((await desk.json("sync", "now")).synced[0].result).toMatchObject({ pushed: 2 });
  expect((await laptop.json("sync", "now")).synced[0].result).toMatchObject({ added: 1 });
  expect(await laptop.run(["mark"])).toContain("pinned");
  expect((await laptop.json("sync", "status")).devices).toMatchObject([
    { name: "laptop", is_this: true },
    { name: "desk", is_this: false, unaware: 0, problem: null },
  ]);
  expect(await laptop.run(["status"])).toContain(`${folder}, with 1 other device: synced`);
  expect((await laptop.json("doctor")).find(({ name }: { name: string }) => name === "folder")).toMatchObject(
    {
      state: "ok",
    },
  );
});

test("what one device forgets goes from the other with its bytes, and comes back with no backup", async () => {
  const memory = laptop.sandbox.memory("mementor.db");
  const backup = readFileSync(memory);
  await desk.run(["forget", SESSION, "--yes"]);
  await desk.run(["sync", "now"]);
  expect((await laptop.json("sync", "now")).synced[0].result).toMatchObject({ removed: 2 });
  expect(holding("quokkaqueue", laptop)).toEqual([]);
  expect(holding("quokkaqueue", desk)).toEqual([]);
  for (const suffix of ["-wal", "-shm"])
    expect(existsSync(memory + suffix) && statSync(memory + suffix).size > 0).toBe(false);
  writeFileSync(memory, backup);
  await laptop.run(["sync", "now"]);
  await laptop.sandbox.run(["ingest"]);
  await laptop.run(["sync", "now"]);
  await desk.run(["sync", "now"]);
  expect(holding("quokkaqueue", laptop)).toEqual([]);
  for (const each of [laptop, desk])
    expect(
      (await each.json("recent")).turns.map(({ session_id }: { session_id: string }) => session_id),
    ).not.toContain(SESSION);
});

test("a folder that is away is told, and tried again", async () => {
  renameSync(folder, `${folder}-away`);
  const { exitCode } = await laptop.sandbox.run(["sync", "now"]);
  expect(exitCode).toBe(1);
  expect(await laptop.run(["sync", "status"])).toContain("the folder is not there");
  expect(await laptop.run(["status"])).toContain("not synced");
  // Where a disk is mounted otherwise.
  mkdirSync(folder);
  expect((await laptop.fails("sync", "now")).exitCode).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
  // Where another folder took its place.
  const other = join(folder, "mementor", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef");
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, "manifest"), "x");
  expect((await laptop.fails("sync", "now")).exitCode).toBe(1);
  expect(await laptop.run(["sync", "status"])).toContain("this is not the folder that was there");
  expect(readdirSync(folder, { recursive: true })).toHaveLength(5);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-away`, folder);
  await laptop.run(["sync", "now"]);
  expect((await laptop.json("sync", "status")).last_sync).toMatchObject({ failures: 0 });
});

test("a new key shuts a device out until it has the code, and a removed one for good", async () => {
  const old = (await laptop.run(["sync", "code", "--print"])).trim().split("\n").at(-1) ?? "";
  await enabled(train.sandbox);
  await train.run(["sync", folder, "--yes", "--device", "train"], `${old}\n`);
  await train.run(["note", "Trains have no network"]);
  for (const each of [train, laptop]) await each.run(["sync", "now"]);
  expect(await laptop.json("sync", "remove", "train", "--yes")).toMatchObject({ removed: "train" });
  expect((await laptop.json("sync", "status")).devices.map(({ name }: { name: string }) => name)).toEqual([
    "laptop",
    "desk",
  ]);
  const { synced } = JSON.parse((await desk.sandbox.run(["sync", "now", "--json"])).stdout);
  expect(synced[0].problem.message).toContain("the folder has a new key since laptop changed it");
  expect(await laptop.run(["sync", "status"])).toContain("! it is not in the folder");
  const fresh = (await laptop.run(["sync", "code", "--print"])).trim().split("\n").at(-1) ?? "";
  expect(fresh).not.toBe(old);
  await desk.run(["sync", folder], `${fresh}\n`);
  await laptop.run(["sync", "now"]);
  expect(await laptop.run(["sync", "status"])).not.toContain("!");
  // What the removed device said stays, also for who comes later.
  expect((await desk.json("recent")).turns.map(({ device }: { device?: string }) => device)).toContain(
    "train",
  );
  const { exitCode, stdout } = await train.sandbox.run(["sync", "now", "--json"]);
  expect(exitCode).toBe(1);
  // Both devices that have the new key say so.
  const { problem } = JSON.parse(stdout).synced[0];
  expect(problem.message).toMatch(/^the folder has a new key since (?:laptop|desk) changed it$/);
});

test("all projects join at once, and each brings what other devices remember of it", async () => {
  const project = async ({ sandbox }: Machine, name: string, remote: string | null) => {
    const path = await makeRepository(sandbox, name);
    if (remote !== null) await git(path, "remote", "add", "origin", remote);
    await sandbox.run(["enable", "--no-history"], { cwd: path });
    return path;
  };
  const api = await project(laptop, "api", "https://git.example/acme/api.git");
  await project(laptop, "scratch", null);
  await laptop.sandbox.run(["note", "The api speaks JSON"], { cwd: api });
  const { synced, unnamed } = await laptop.json("sync", folder, "--all-projects", "--yes");
  expect(synced.map((each: { project: string }) => each.project).sort()).toEqual([
    "git.example/acme/api",
    "github.com/acme/shop",
  ]);
  expect(unnamed).toBe(1);
  const there = await project(desk, "api", "https://git.example/acme/api.git");
  const listed = async () =>
    JSON.parse((await desk.sandbox.run(["recent", "--json"], { cwd: there })).stdout).turns;
  expect(await listed()).toEqual([]);
  await desk.sandbox.run(["sync", folder, "--yes"], { cwd: there });
  await until("the project's memory is here", async () => (await listed()).length === 1);
  expect(await listed()).toMatchObject([{ device: "laptop", client: "note" }]);
});

test("a prune is of one device, a forget of all", async () => {
  const all = ["forget", "--before", "0d", "--yes"];
  await laptop.run(["note", "Kept by the desk"]);
  for (const each of [laptop, desk]) await each.run(["sync", "now"]);
  const count = async (each: Machine) => (await each.json("recent")).turns.length;
  const before = await count(desk);
  await laptop.run([...all, "--prune"]);
  for (const each of [laptop, desk, laptop]) await each.run(["sync", "now"]);
  expect([await count(laptop), await count(desk)]).toEqual([0, before]);
  await desk.run(all);
  for (const each of [desk, laptop]) await each.run(["sync", "now"]);
  expect([await count(laptop), await count(desk)]).toEqual([0, 0]);
});

test("who leaves keeps what arrived, and takes its files along if asked", async () => {
  const before = (await desk.json("recent")).turns.length;
  expect(await desk.json("sync", "leave", "--erase", "--yes")).toMatchObject({ erased: true });
  expect((await desk.json("recent")).turns).toHaveLength(before);
  expect(await desk.fails("sync", "now")).toMatchObject({ exitCode: 1 });
  await laptop.run(["sync", "now"]);
  expect(await laptop.run(["sync", "status"])).toContain("! it is not in the folder");
});
