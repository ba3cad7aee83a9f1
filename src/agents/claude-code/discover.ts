import { open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ioError } from "../../io/errors.ts";
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
  const info = await stat(path).catch((error: unknown) => {
    throw ioError(error, `read ${path}`);
  });
  if (!info.isDirectory()) yield path;
  else yield* walk(path);
}

async function* walk(directory: string): AsyncIterable<string> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  const folders = new Set<string>();
  for (const entry of entries) {
    const path = join(directory, entry.name);
    const kind = entry.isSymbolicLink() ? await linkKind(path) : entry;
    if (kind?.isDirectory() && !entry.isSymbolicLink()) folders.add(entry.name);
    else if (kind?.isFile() && entry.name.endsWith(".jsonl") && !isCompactionFile(path)) files.push(path);
  }
  for (const file of await oldestFirst(files)) {
    yield file;
    const folder = basename(file, ".jsonl");
    if (folders.delete(folder)) yield* walk(join(directory, folder));
  }
  for (const folder of [...folders].sort()) yield* walk(join(directory, folder));
}

/** Linked files are read. Linked directories are skipped: they could form a cycle. */
async function linkKind(path: string) {
  return stat(path).catch(() => null);
}

async function oldestFirst(files: readonly string[]): Promise<string[]> {
  const dated: { file: string; time: string }[] = [];
  for (const file of files) dated.push({ file, time: await firstTime(file) });
  dated.sort((a, b) => compare(a.time, b.time) || compare(a.file, b.file));
  return dated.map(({ file }) => file);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function firstTime(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const found = TIMESTAMP.exec(buffer.toString("utf8", 0, bytesRead))?.[1];
      return found ?? (await file.stat()).mtime.toISOString();
    } finally {
      await file.close();
    }
  } catch {
    // The file may be gone or unreadable. Reading it will report that.
    return "";
  }
}
