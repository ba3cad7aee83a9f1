import { basename, join } from "node:path";
import { statIfExists } from "../../io/read.ts";
import { entriesOf, headOf, statOf } from "../files.ts";
import { isCompactionFile } from "./source-file.ts";

/** How much of a file is searched for its first timestamp. */
const HEAD_BYTES = 16_384;
const TIMESTAMP = /"timestamp":\s?"(\d{4}-\d\d-\d\dT[\d:.]+Z?)"/;

/**
 * Finds the transcripts at a path: the file itself, or every `*.jsonl` below a directory except those of compactions.
 * Sorts them by their first timestamp, or by modification time without one, then by name. A session's file comes
 * right before those of its subagents. Rejects when the path does not exist.
 */
export async function* discoverTranscripts(path: string): AsyncIterable<string> {
  if (statOf(path).isDirectory()) yield* walk(path);
  else yield path;
}

function* walk(directory: string): Iterable<string> {
  const files: string[] = [];
  const folders = new Set<string>();
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    // Linked files are read. Linked directories are skipped: they could form a cycle.
    if (entry.isDirectory() && !entry.isSymbolicLink()) folders.add(entry.name);
    else if (entry.isFile() && entry.name.endsWith(".jsonl") && !isCompactionFile(path)) files.push(path);
  }
  for (const file of oldestFirst(files)) {
    yield file;
    const folder = basename(file, ".jsonl");
    if (folders.delete(folder)) yield* walk(join(directory, folder));
  }
  for (const folder of [...folders].sort()) yield* walk(join(directory, folder));
}

function oldestFirst(files: readonly string[]): string[] {
  const dated = files.map((file) => ({ file, time: firstTime(file) }));
  dated.sort((a, b) => compare(a.time, b.time) || compare(a.file, b.file));
  return dated.map(({ file }) => file);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns "" for a file that is gone. Reading it will report that. */
function firstTime(path: string): string {
  const found = TIMESTAMP.exec(headOf(path, HEAD_BYTES))?.[1];
  return found ?? statIfExists(path)?.mtime.toISOString() ?? "";
}
