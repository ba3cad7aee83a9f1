import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "../../src/io/lock.ts";
import { Sandbox } from "../support/sandbox.ts";
import { until } from "../support/wait.ts";
import { workerDone } from "./client.ts";
import { ingestSample } from "./sample.ts";

const PROMPT = {
  session_id: "s",
  prompt:
    "Why do we keep the bookmarks in SQLite with FTS5 instead of one JSON file, and what about LMDB on Windows?",
};

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ cacheDir: null });
  await sandbox.run(["enable", "--no-history"]);
  await ingestSample(sandbox);
});
afterEach(async () => {
  await workerDone(sandbox);
  await sandbox[Symbol.asyncDispose]();
});

const cache = () => join(sandbox.home, ".cache", "mementor");
const unpacked = () =>
  readdirSync(cache(), { recursive: true, encoding: "utf8" }).filter((name) =>
    /libonnxruntime|onnxruntime_binding\.node|vec0|\.derived$/.test(name),
  );
const prompt = () => sandbox.hook("user-prompt-submit", { ...PROMPT, cwd: sandbox.project });

test.skipIf(process.platform !== "linux")(
  "a hook that finds nothing unpacked answers by keywords, and the worker unpacks",
  async () => {
    rmSync(cache(), { recursive: true });
    const lock = tryLock(sandbox.memory("worker.lock"));
    const first = await prompt();
    expect(first.stdout).toContain("FTS5");
    expect(unpacked()).toEqual([]);
    lock?.release();

    const second = await prompt();
    expect(second.exitCode).toBe(0);
    await until("the worker has unpacked", () => unpacked().some((name) => name.endsWith(".derived")));
    expect(unpacked().length).toBeGreaterThan(4);
  },
);

test.skipIf(process.platform !== "linux")(
  "a question that finds nothing unpacked is answered by words, says so, and the next one by meaning, too",
  async () => {
    rmSync(cache(), { recursive: true });
    const ask = () => sandbox.run(["recall", PROMPT.prompt]);
    const first = await ask();
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(first.stdout).toContain("FTS5");
    expect(first.stdout).toContain("Searched by words only: the model is not unpacked yet.");
    await until("the worker has unpacked", () => unpacked().some((name) => name.endsWith(".derived")));
    await workerDone(sandbox);
    const second = await ask();
    expect(second.stdout).toContain("FTS5");
    expect(second.stdout).not.toContain("by words alone");
  },
);

test("an installer's prepare unpacks, and renews the program that hooks start", async () => {
  rmSync(cache(), { recursive: true });
  const program = join(sandbox.home, ".local", "share", "mementor", "bin", "mementor");
  // It is a link to the binary under test.
  rmSync(program);
  await Bun.write(program, "#!/bin/sh\nan older one\n");
  const { exitCode, stderr } = await sandbox.run(["prepare"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(unpacked().length).toBeGreaterThan(4);
  const version = Bun.spawnSync([program, "--version"]).stdout.toString();
  expect(version).toBe((await sandbox.run(["--version"])).stdout);
});
