import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStamp } from "../../src/agents/list.ts";
import { pendingHookCalls, takeHookCalls } from "../../src/project/hook-calls.ts";
import { noteHookCall } from "../../src/project/note-hook-call.ts";
import {
  enqueue,
  enqueueSearch,
  forgetFinished,
  hasQueued,
  isNewer,
  queuedCount,
  takeQueued,
  takeSearch,
} from "../../src/project/queue.ts";

let dir = "";
let transcript = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "mementor-queue-"));
  transcript = join(dir, "s.jsonl");
  writeFileSync(transcript, "{}\n");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("ten notes of one transcript are one, and it is new again when it grows", () => {
  expect(isNewer(dir, transcript, readStamp(transcript))).toBe(true);
  for (let i = 0; i < 10; i++) enqueue(dir, transcript);
  expect(queuedCount(dir)).toBe(1);
  const taken = takeQueued(dir, readStamp);
  expect(taken.map(({ path }) => path)).toEqual([transcript]);
  expect({ waits: hasQueued(dir), isNewer: isNewer(dir, transcript, readStamp(transcript)) }).toEqual({
    waits: false,
    isNewer: true,
  });
  taken[0]?.finish();
  expect(isNewer(dir, transcript, readStamp(transcript))).toBe(false);
  appendFileSync(transcript, "{}\n");
  expect(isNewer(dir, transcript, readStamp(transcript))).toBe(true);
});

test("what grows while it is read is new afterwards", () => {
  enqueue(dir, transcript);
  const [taken] = takeQueued(dir, readStamp);
  appendFileSync(transcript, "{}\n");
  taken?.finish();
  expect(isNewer(dir, transcript, readStamp(transcript))).toBe(true);
});

test("a transcript that is queued while it is processed waits for the next call", () => {
  enqueue(dir, transcript);
  const [taken] = takeQueued(dir, readStamp);
  enqueue(dir, transcript);
  taken?.finish();
  expect(hasQueued(dir)).toBe(true);
});

test("a path without a file is never new", () => {
  const gone = join(dir, "gone.jsonl");
  expect([isNewer(dir, gone, readStamp(gone)), isNewer(dir, dir, readStamp(dir))]).toEqual([false, false]);
});

test("a request to search is taken once", () => {
  enqueueSearch(dir);
  expect({ waits: hasQueued(dir), count: queuedCount(dir) }).toEqual({ waits: true, count: 0 });
  expect(takeQueued(dir, readStamp)).toEqual([]);
  expect([takeSearch(dir), takeSearch(dir), hasQueued(dir)]).toEqual([true, false, false]);
});

test("transcripts that were finished long ago are forgotten, others not", () => {
  const now = new Date("2026-03-01T00:00:00Z");
  mkdirSync(join(dir, "queue"));
  for (const [name, days] of [
    ["old.done", 46],
    ["young.done", 44],
    ["old.todo", 46],
    ["left-behind.todo.7.new", 46],
  ] as const) {
    const time = new Date(now.getTime() - days * 86_400_000);
    writeFileSync(join(dir, "queue", name), "");
    utimesSync(join(dir, "queue", name), time, time);
  }
  forgetFinished(dir, now);
  expect(readdirSync(join(dir, "queue")).sort()).toEqual(["old.todo", "young.done"]);
});

const call = (decision: string) => ({
  sessionId: null,
  event: "stop",
  decision,
  durationMs: 1,
  time: "2026-01-01",
});

const place = () => ({ directory: dir, dataDir: join(dir, "data") });

test("noted calls are kept once, and again after a failure", async () => {
  await noteHookCall(place(), call("a"));
  await noteHookCall(place(), call("b"));
  appendFileSync(join(dir, "queue/calls.jsonl"), '{"half');
  const failing = takeHookCalls(place(), () => Promise.reject(new Error("locked")));
  expect(failing).rejects.toThrow("locked");
  await failing.catch(() => {});
  await noteHookCall(place(), call("c"));
  expect(pendingHookCalls(dir).map(({ decision }) => decision)).toEqual(["a", "b", "c"]);
  const kept: string[] = [];
  await takeHookCalls(place(), async ({ decision }) => void kept.push(decision));
  expect({ kept, left: pendingHookCalls(dir) }).toEqual({ kept: ["a", "b", "c"], left: [] });
});

test("a prompt waits sealed for the worker, without what is private, and is gone without the key", async () => {
  const prompt = "the password is hunter42horse, and <private>kettle-drum</private> too";
  const kept: unknown[] = [];
  const take = () => takeHookCalls(place(), async (taken) => void kept.push(taken.prompt));
  await noteHookCall(place(), { ...call("told"), prompt });
  expect(readFileSync(join(dir, "queue/calls.jsonl"), "utf8")).not.toMatch(/hunter|kettle|private|password/);
  await take();
  await noteHookCall(place(), { ...call("told"), prompt });
  rmSync(join(dir, "data/forget.key"));
  await take();
  expect(kept).toEqual(["the password is hunter42horse, and  too", undefined]);
});

test("a prompt that an older version noted is kept", async () => {
  mkdirSync(join(dir, "queue"));
  writeFileSync(join(dir, "queue/calls.jsonl"), `${JSON.stringify({ ...call("told"), prompt: "Why?" })}\n`);
  const kept: unknown[] = [];
  await takeHookCalls(place(), async ({ prompt }) => void kept.push(prompt));
  expect(kept).toEqual(["Why?"]);
});

test("a call that cannot be noted is no failure", async () => {
  writeFileSync(join(dir, "queue"), "a file where the directory should be");
  await expect(noteHookCall(place(), call("a"))).resolves.toBeUndefined();
});
