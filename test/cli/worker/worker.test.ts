import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ingest } from "../../../src/cli/commands/ingest.ts";
import { runQueue } from "../../../src/cli/worker/worker.ts";
import type { Embedder } from "../../../src/embed/embedder.ts";
import { BGE_SMALL } from "../../../src/embed/embedder.ts";
import { isLocked, tryLock } from "../../../src/io/lock.ts";
import type { Machine } from "../../../src/io/machine.ts";
import { registerMemory } from "../../../src/project/claim.ts";
import { pendingHookCalls } from "../../../src/project/hook-calls.ts";
import { besideDatabase } from "../../../src/project/memory.ts";
import { noteHookCall } from "../../../src/project/note-hook-call.ts";
import { EMBED_NOW_LOCK, PAUSED_LOCK } from "../../../src/project/queue.ts";
import { Runtime } from "../../../src/runtime.ts";
import { tempDir } from "../../store/builders.ts";
import { createHashEmbedder } from "../../support/hash-embedder.ts";
import { hostIn } from "../../support/host.ts";

const SAMPLE = join(import.meta.dir, "../../../fixtures/transcripts/sample");
const NOW = new Date("2026-03-01T12:00:00Z");

/** A runtime with a cheap embedder, which lets timers run and records how it is asked. */
class TestRuntime extends Runtime {
  opened = 0;
  embedded = 0;
  readonly sparing: boolean[] = [];

  override async openTokenizer() {
    return createHashEmbedder(BGE_SMALL).tokenizer;
  }

  override async openEmbedder(): Promise<Embedder> {
    this.opened += 1;
    const inner = createHashEmbedder(BGE_SMALL);
    const asked = (isSparing: boolean) => this.sparing.push(isSparing);
    const made = () => {
      this.embedded += 1;
    };
    return {
      ...inner,
      async *embedMany(texts, { isSparing = false } = {}) {
        asked(isSparing);
        for await (const each of inner.embedMany(texts)) {
          await new Promise((resolve) => setImmediate(resolve));
          made();
          yield each;
        }
      },
    };
  }
}

/** A machine whose clock moves by ten seconds at each look, and that others keep busy or leave alone. */
function machineWith(load: { others: number; isOnBattery: boolean }, onLook = () => {}): Machine {
  let now = 0;
  return {
    elapsedMs() {
      onLook();
      now += 10_000;
      return now;
    },
    cpuTimes: () => ({ busy: now * load.others + now * 0.2, total: now }),
    ownCpuMs: () => now * 0.2,
    isOnBattery: async () => load.isOnBattery,
    lowerPriority() {},
  };
}

/** A project with the sample's texts in its memory, and no vectors yet. */
async function prepared(root: string, env: Record<string, string> = {}): Promise<TestRuntime> {
  const [cwd, homeDir] = [join(root, "project"), join(root, "home")];
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(homeDir);
  cpSync(SAMPLE, join(root, "sample"), { recursive: true });
  const { host } = hostIn({ argv: [], cwd, homeDir, now: NOW, env });
  const place = new TestRuntime(host);
  registerMemory(place.paths, place.project.root, { now: NOW, settings: [], enables: true });
  const runtime = new TestRuntime(host);
  const options = { all: false, textOnly: true, now: false, json: true };
  expect(await ingest([join(root, "sample")], options, runtime)).toBe(0);
  expect(await pendingIn(runtime)).toBeGreaterThan(50);
  return runtime;
}

async function pendingIn(runtime: Runtime): Promise<number> {
  const store = await runtime.openStore("readonly");
  const pending = await store.ingest.pendingCount();
  await store.close();
  return pending;
}

/** Runs the worker, and returns whether it was seen to pause. */
async function runWorker(runtime: TestRuntime, load: { others: number; isOnBattery: boolean }) {
  let hasPaused = false;
  const file = besideDatabase(runtime.memory, PAUSED_LOCK);
  const machine = machineWith(load, () => {
    hasPaused ||= isLocked(file);
  });
  expect(await runQueue({ unpack: false }, runtime, { machine, pollMs: 1 })).toBe(0);
  return hasPaused;
}

test("on a calm machine the worker embeds everything in one go, on all cores", async () => {
  using dir = tempDir();
  const runtime = await prepared(dir.path);
  expect(await runWorker(runtime, { others: 0.1, isOnBattery: false })).toBe(false);
  expect({ pending: await pendingIn(runtime), opened: runtime.opened }).toEqual({ pending: 0, opened: 1 });
  expect(new Set(runtime.sparing)).toEqual(new Set([false]));
});

test("on a busy machine it pauses without a model in memory, and still embeds everything", async () => {
  using dir = tempDir();
  const runtime = await prepared(dir.path);
  expect(await runWorker(runtime, { others: 0.8, isOnBattery: false })).toBe(true);
  expect(await pendingIn(runtime)).toBe(0);
  expect(runtime.opened).toBeGreaterThan(1);
  expect(isLocked(besideDatabase(runtime.memory, PAUSED_LOCK))).toBe(false);
});

test("on battery it uses half of the cores", async () => {
  using dir = tempDir();
  const runtime = await prepared(dir.path);
  await runWorker(runtime, { others: 0.1, isOnBattery: true });
  expect({ pending: await pendingIn(runtime), sparing: new Set(runtime.sparing) }).toEqual({
    pending: 0,
    sparing: new Set([true]),
  });
});

test("a setting switches both off", async () => {
  using dir = tempDir();
  const runtime = await prepared(dir.path, { MEMENTOR_EMBEDDING_SAVE_ENERGY: "false" });
  expect(await runWorker(runtime, { others: 0.8, isOnBattery: true })).toBe(false);
  expect(await pendingIn(runtime)).toBe(0);
  expect(new Set(runtime.sparing)).toEqual(new Set([false]));
});

test("what hooks did while it worked is stored when it ends", async () => {
  using dir = tempDir();
  const runtime = await prepared(dir.path);
  const { directory } = runtime.memory;
  if (directory === null) throw new Error("the project has no memory");
  const sessionId = "3b0f7c1e-0000-4000-8000-000000000001";
  const call = { sessionId, event: "stop", decision: "queued", durationMs: 9, time: NOW.toISOString() };
  let isNoted = false;
  const machine = machineWith({ others: 0.1, isOnBattery: false }, () => {
    if (!isNoted) void noteHookCall({ directory, dataDir: runtime.paths.dataDir }, call);
    isNoted = true;
  });
  expect(await runQueue({ unpack: false }, runtime, { machine, pollMs: 1 })).toBe(0);
  const store = await runtime.openStore("readonly");
  const stored = await store.status.lastHookCalls(2);
  await store.close();
  expect({ waiting: pendingHookCalls(directory), stored }).toEqual({ waiting: [], stored: [call] });
});

test("it stops where the memory was deleted meanwhile, and makes nothing anew", async () => {
  using dir = tempDir();
  const runtime = await prepared(dir.path);
  const directory = runtime.memory.directory ?? "";
  const all = await pendingIn(runtime);
  const machine = machineWith({ others: 0.1, isOnBattery: false }, () => {
    if (runtime.opened > 0) rmSync(directory, { recursive: true, force: true });
  });
  expect(await runQueue({ unpack: false }, runtime, { machine, pollMs: 1 })).toBe(0);
  expect({ isThere: existsSync(directory), isWhole: runtime.embedded >= all }).toEqual({
    isThere: false,
    isWhole: false,
  });
});

test("it leaves the embedding to a process that does it now", async () => {
  using dir = tempDir();
  const runtime = await prepared(dir.path);
  const lock = tryLock(besideDatabase(runtime.memory, EMBED_NOW_LOCK));
  await runWorker(runtime, { others: 0.1, isOnBattery: false });
  lock?.release();
  expect(runtime.opened).toBe(0);
  const options = { all: false, textOnly: false, now: true, json: true };
  expect(await ingest([], options, runtime)).toBe(0);
  expect({ pending: await pendingIn(runtime), sparing: new Set(runtime.sparing) }).toEqual({
    pending: 0,
    sparing: new Set([false]),
  });
});
