import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stampOf } from "../agents/list.ts";
import { ensurePrivateDir } from "../io/directory.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";

/** How long a finished transcript is remembered. Claude Code deletes transcripts after 30 days. */
const REMEMBER_MS = 45 * 86_400_000;

/**
 * Transcripts that hooks saw grow wait here until a worker takes them, one small file each: `<hash>.todo` holds the
 * path, and `<hash>.done` what the transcript looked like when it was finished. Ten notes of one transcript are one.
 */
function queueDir(directory: string): string {
  return join(directory, "queue");
}

function fileOf(directory: string, path: string, kind: "todo" | "done"): string {
  const hash = new Bun.CryptoHasher("sha256").update(path).digest("hex").slice(0, 32);
  return join(queueDir(directory), `${hash}.${kind}`);
}

/** The file that asks a worker to look for transcripts that no hook has noted. */
function searchFile(directory: string): string {
  return join(queueDir(directory), "search.todo");
}

/** What a transcript looked like; null when it is gone. */
function stampText(path: string): string | null {
  const stamp = stampOf(path);
  return stamp && `${stamp.size} ${stamp.mtimeMs}`;
}

/** Whether a transcript has changed since a worker last finished it; false when it is not there. */
export function isNewer(directory: string, path: string): boolean {
  const stamp = stampText(path);
  return stamp !== null && stamp !== readIfExists(fileOf(directory, path, "done"));
}

/** Notes a transcript for the next worker. */
export function enqueue(directory: string, path: string): void {
  put(directory, fileOf(directory, path, "todo"), path);
}

/** Asks the next worker to look for transcripts that no hook has noted. */
export function enqueueSearch(directory: string): void {
  put(directory, searchFile(directory), "");
}

// A worker never takes a note that has no content yet. A hook does not wait for the disk.
function put(directory: string, file: string, content: string): void {
  ensurePrivateDir(queueDir(directory));
  writeAtomic(file, content, { mode: 0o600, replace: true, sync: false });
}

export interface QueuedTranscript {
  path: string;
  /** Remembers that the transcript, as it was when it was taken, needs no further work. */
  finish(): void;
}

/**
 * Takes every waiting transcript off the queue. A transcript that grows and is noted while this runs is either seen
 * grown by who reads it, or waits for the next call.
 */
export function takeQueued(directory: string): QueuedTranscript[] {
  return todoFiles(directory).flatMap((file) => {
    if (file === searchFile(directory)) return [];
    const path = readIfExists(file);
    rmSync(file, { force: true });
    return path ? [queuedTranscript(directory, path)] : [];
  });
}

/** Takes the request to look for transcripts; false when there is none. */
export function takeSearch(directory: string): boolean {
  const isAsked = statIfExists(searchFile(directory)) !== null;
  if (isAsked) rmSync(searchFile(directory), { force: true });
  return isAsked;
}

/** Whether anything waits. */
export function hasQueued(directory: string): boolean {
  return todoFiles(directory).length > 0;
}

/** A transcript as it is now, as if it had been noted. */
export function queuedTranscript(directory: string, path: string): QueuedTranscript {
  const stamp = stampText(path);
  const done = fileOf(directory, path, "done");
  return { path, finish: () => stamp && writeFileSync(done, stamp, { mode: 0o600 }) };
}

/** Forgets transcripts that were finished long ago: Claude Code has deleted them since. */
export function forgetFinished(directory: string, now: Date): void {
  for (const name of names(directory)) {
    const file = join(queueDir(directory), name);
    const age = now.getTime() - (statIfExists(file)?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (/\.(?:done|new|tmp)$/.test(name) && age > REMEMBER_MS) rmSync(file, { force: true });
  }
}

/** How many transcripts wait. */
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
