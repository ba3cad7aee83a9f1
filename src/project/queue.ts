import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceStamp } from "../agents/agent.ts";
import { TEAM_SYNC, WORKER_VARIABLE } from "../constants.ts";
import type { Host } from "../host.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { ensurePrivateDir, writeAtomic } from "../io/write.ts";

/** How long a finished transcript is remembered. Claude Code deletes transcripts after 30 days. */
const REMEMBER_MS = 45 * 86_400_000;

/**
 * Returns the directory of the queue. Each transcript that a hook saw grow has a small file there: `<hash>.todo`
 * holds its path until a worker takes it, and `<hash>.done` its stamp when it was last finished. A transcript that is
 * queued ten times has one file.
 */
function queueDir(directory: string): string {
  return join(directory, "queue");
}

function fileOf(directory: string, path: string, kind: "todo" | "done"): string {
  const hash = new Bun.CryptoHasher("sha256").update(path).digest("hex").slice(0, 32);
  return join(queueDir(directory), `${hash}.${kind}`);
}

/** The file that asks a worker to look for transcripts that no hook has queued. */
function searchFile(directory: string): string {
  return join(queueDir(directory), "search.todo");
}

/** The stamp of a transcript in its current state; null when it is gone. The hooks know it without loading all agents. */
type Stamp = SourceStamp | null;

function stampText({ size, mtimeMs }: SourceStamp): string {
  return `${size} ${mtimeMs}`;
}

/** Tells whether a transcript has changed since a worker last finished it. False when it does not exist. */
export function isNewer(directory: string, path: string, stamp: Stamp): boolean {
  return stamp !== null && stampText(stamp) !== readIfExists(fileOf(directory, path, "done"));
}

/** Queues a transcript for the next worker. */
export function enqueue(directory: string, path: string): void {
  put(directory, fileOf(directory, path, "todo"), path);
}

/** Asks the next worker to look for transcripts that no hook has queued. */
export function enqueueSearch(directory: string): void {
  put(directory, searchFile(directory), "");
}

// Written under another name first, so that a worker never sees an empty file. Without waiting for the disk, since a
// hook must be fast.
function put(directory: string, file: string, content: string): void {
  ensurePrivateDir(queueDir(directory));
  writeAtomic(file, content, { mode: 0o600, replace: true, sync: false });
}

export interface QueuedTranscript {
  path: string;
  /** Records that the transcript needs no further work until it changes. */
  finish(): void;
}

/**
 * Takes all transcripts from the queue. If one grows and is queued again at the same time, either the reader sees the
 * new content or the transcript waits for the next call.
 */
export function takeQueued(directory: string, stampOf: (path: string) => Stamp): QueuedTranscript[] {
  return todoFiles(directory).flatMap((file) => {
    if (file === searchFile(directory)) return [];
    const path = readIfExists(file);
    rmSync(file, { force: true });
    return path ? [queuedTranscript(directory, path, stampOf(path))] : [];
  });
}

/** Tells whether a search for transcripts was asked for. */
export function isSearchQueued(directory: string): boolean {
  return statIfExists(searchFile(directory)) !== null;
}

/** Takes the request to look for transcripts. Returns false when there is none. */
export function takeSearch(directory: string): boolean {
  const isAsked = statIfExists(searchFile(directory)) !== null;
  if (isAsked) rmSync(searchFile(directory), { force: true });
  return isAsked;
}

/** The file that lists what a worker has taken and reads now, one path a line. */
function readingFile(directory: string): string {
  return join(queueDir(directory), "reading");
}

/** Notes which transcripts a worker reads now, beside those that wait; null when it has read them. */
export function noteReading(directory: string, paths: readonly string[] | null): void {
  if (paths === null) rmSync(readingFile(directory), { force: true });
  else put(directory, readingFile(directory), [...new Set([...paths, ...waiting(directory)])].join("\n"));
}

/**
 * Returns the transcripts that a worker reads now, those included that it has read, and those that wait. A worker that was
 * killed leaves its list.
 */
export function readingNow(directory: string): string[] {
  const noted = (readIfExists(readingFile(directory)) ?? "").split("\n").filter(Boolean);
  return [...new Set([...noted, ...waiting(directory)])];
}

/** Returns the queued transcripts. */
export function waiting(directory: string): string[] {
  const files = todoFiles(directory).filter((file) => file !== searchFile(directory));
  return files.map((file) => readIfExists(file) ?? "").filter(Boolean);
}

/** Tells whether the queue holds anything. */
export function hasQueued(directory: string): boolean {
  return todoFiles(directory).length > 0;
}

/** Returns a transcript in its current state, as if it had been queued. */
export function queuedTranscript(directory: string, path: string, stamp: Stamp): QueuedTranscript {
  const done = fileOf(directory, path, "done");
  return { path, finish: () => stamp && writeFileSync(done, stampText(stamp), { mode: 0o600 }) };
}

/** Removes the records of transcripts that were finished long ago, since Claude Code has deleted those. */
export function forgetFinished(directory: string, now: Date): void {
  for (const name of names(directory)) {
    const file = join(queueDir(directory), name);
    const age = now.getTime() - (statIfExists(file)?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (/\.(?:done|new|tmp)$/.test(name) && age > REMEMBER_MS) rmSync(file, { force: true });
  }
}

/** Returns the number of queued transcripts. */
export function queuedCount(directory: string): number {
  return todoFiles(directory).filter((file) => file !== searchFile(directory)).length;
}

function todoFiles(directory: string): string[] {
  const waiting = names(directory).filter((name) => name.endsWith(".todo"));
  return waiting.sort().map((name) => join(queueDir(directory), name));
}

function names(directory: string): string[] {
  return statIfExists(queueDir(directory)) ? readdirSync(queueDir(directory)) : [];
}

/** Held, beside the database, by a worker as long as it works. */
export const WORKER_LOCK = "worker.lock";

/** Held, beside the database, by a worker that waits for a calm machine. */
export const PAUSED_LOCK = "paused.lock";

/** Held by a process that embeds at once all that waits. A worker then leaves that to it. */
export const EMBED_NOW_LOCK = "embed-now.lock";

/** Held, beside the database, by a process that syncs with the team. */
export const SYNC_LOCK = "sync.lock";

/** Held, beside the database, by a process that syncs through a folder. */
export const FOLDER_LOCK = "folder.lock";

/** Starts this program again as a worker. It runs in a session of its own, outlives its parent and ends by itself. */
export function startWorker(host: Host, projectRoot: string, options: readonly string[] = []): void {
  const [program = "", ...args] = host.self;
  const child = Bun.spawn([program, ...args, "work", ...options], {
    cwd: projectRoot,
    env: { ...host.env, [WORKER_VARIABLE]: "1" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  child.unref();
}

/**
 * The file beside the queue that tells hooks, which know nothing of teams, that a sync waits for a worker: its time
 * says when the sync is due. Without it nothing waits.
 */
function dueFile(directory: string): string {
  return join(directory, "queue", "sync.due");
}

/** Notes when the next sync is due; null when none waits. */
export function noteSyncDue(directory: string, at: Date | null): void {
  const file = dueFile(directory);
  if (at === null) {
    rmSync(file, { force: true });
    return;
  }
  ensurePrivateDir(join(directory, "queue"));
  writeAtomic(file, "", { mode: 0o600, replace: true, sync: false });
  utimesSync(file, at, at);
}

/**
 * Tells whether a waiting sync is due. A due time beyond the longest pause means that the clock was set back, so it counts as
 * due.
 */
export function isSyncDue(directory: string, now: Date): boolean {
  const dueMs = statIfExists(dueFile(directory))?.mtimeMs;
  if (dueMs === undefined) return false;
  const waitsMs = dueMs - now.getTime();
  return waitsMs <= 0 || waitsMs > TEAM_SYNC.maxPauseMs;
}
