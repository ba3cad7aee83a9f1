import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readIfExists, statIfExists } from "../io.ts";

/** Transcripts that hooks saw grow wait here, one small file each, until a worker takes them; ten notes of one transcript are one. */
function queueDir(directory: string): string {
  return join(directory, "queue");
}

function nameOf(path: string): string {
  return new Bun.CryptoHasher("sha256").update(path).digest("hex").slice(0, 32);
}

/** What a transcript looked like; null when it cannot be seen. */
function stampOf(path: string): string | null {
  const stats = statIfExists(path);
  return stats && `${stats.size} ${stats.mtimeMs}`;
}

/** Whether a transcript has changed since a worker last took it; false when it is not there. */
export function isNewer(directory: string, path: string): boolean {
  const stamp = stampOf(path);
  return stamp !== null && stamp !== readIfExists(join(queueDir(directory), `${nameOf(path)}.done`));
}

/** Notes a transcript for the next worker. */
export function enqueue(directory: string, path: string): void {
  mkdirSync(queueDir(directory), { recursive: true, mode: 0o700 });
  writeFileSync(join(queueDir(directory), `${nameOf(path)}.todo`), path, { mode: 0o600 });
}

export interface QueuedTranscript {
  path: string;
  /** Notes that the transcript, as it was when it was taken, needs no further work. */
  finish(): void;
}

/** Takes every waiting transcript off the queue. One that is noted again from now on waits for the next call. */
export function takeQueued(directory: string): QueuedTranscript[] {
  return todoFiles(directory).flatMap((file) => {
    const path = readIfExists(file);
    rmSync(file, { force: true });
    return path ? [queued(directory, path)] : [];
  });
}

/** Whether anything waits. */
export function hasQueued(directory: string): boolean {
  return todoFiles(directory).length > 0;
}

function queued(directory: string, path: string): QueuedTranscript {
  const stamp = stampOf(path);
  const done = join(queueDir(directory), `${nameOf(path)}.done`);
  return { path, finish: () => stamp && writeFileSync(done, stamp, { mode: 0o600 }) };
}

function todoFiles(directory: string): string[] {
  if (!statIfExists(queueDir(directory))) return [];
  const names = readdirSync(queueDir(directory)).filter((name) => name.endsWith(".todo"));
  return names.sort().map((name) => join(queueDir(directory), name));
}
