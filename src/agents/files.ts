import {
  closeSync,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { MementorError } from "../errors.ts";
import { ioError } from "../io/errors.ts";
import { type JsonObject, parseObject } from "../io/json.ts";
import { OPEN_UNTRUSTED, readIfExists, readUntrusted, statIfExists } from "../io/read.ts";
import type { SourceStamp } from "./agent.ts";

/** Returns the stamp of a source that is a file; null when it is gone or not a file. */
export function fileStamp(path: string): SourceStamp | null {
  const stats = statIfExists(path);
  return stats?.isFile() ? { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs } : null;
}

/** Returns a setting that must be an absolute path; null when it is missing or relative. */
export function absolutePath(given: string | undefined): string | null {
  return given !== undefined && (given.startsWith("/") || /^[A-Za-z]:[\\/]/.test(given)) ? given : null;
}

/** An entry of a directory. A link counts as its target, because people keep the files of their agents elsewhere. */
export type DirectoryEntry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** Lists a directory in alphabetical order; empty when it cannot be read. Leaves out links that lead nowhere. */
export function listEntries(directory: string): DirectoryEntry[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.flatMap((entry) => followed(directory, entry)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function followed(directory: string, entry: Dirent): DirectoryEntry[] {
  if (!entry.isSymbolicLink()) return [entry];
  const stats = statIfExists(join(directory, entry.name));
  if (stats === null) return [];
  const { name } = entry;
  return [
    {
      name,
      isFile: () => stats.isFile(),
      isDirectory: () => stats.isDirectory(),
      isSymbolicLink: () => true,
    },
  ];
}

/** Returns the first bytes of a file as text; empty when it cannot be read. */
export function readHead(path: string, bytes: number): string {
  return readPart(path, () => [0, bytes]);
}

/** Returns the last bytes of a file as text; empty when it cannot be read. */
export function readTail(path: string, bytes: number): string {
  return readPart(path, (size) => [Math.max(0, size - bytes), Math.min(bytes, size)]);
}

function readPart(path: string, rangeIn: (size: number) => [start: number, length: number]): string {
  try {
    const file = openSync(path, OPEN_UNTRUSTED.links);
    try {
      const [start, length] = rangeIn(fstatSync(file).size);
      const buffer = Buffer.alloc(length);
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, length, start));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** Returns a small file as text; empty when it cannot be read. */
export function readText(path: string): string {
  try {
    return readUntrusted(path) ?? "";
  } catch {
    return "";
  }
}

/** Returns the stats of a file or directory, following links. Throws a `MementorError` when it does not exist. */
export function readStats(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw ioError(error, `read ${path}`);
  }
}

/**
 * Finds the files at a path: the file itself, or those below a directory that `isWanted` accepts, in alphabetical
 * order. Includes links to files, but does not enter links to directories. Rejects when the path does not exist.
 */
export async function* filesBelow(path: string, isWanted: (file: string) => boolean): AsyncIterable<string> {
  if (readStats(path).isDirectory()) yield* findFiles(path, isWanted);
  else yield path;
}

/** Finds the files below a directory like `filesBelow`; none without a directory. */
export function* findFiles(directory: string, isWanted: (file: string) => boolean): Iterable<string> {
  const folders: string[] = [];
  for (const entry of listEntries(directory)) {
    const path = join(directory, entry.name);
    // Linked files are read. Linked directories are skipped, because they could form a cycle.
    if (entry.isDirectory() && !entry.isSymbolicLink()) folders.push(path);
    else if (entry.isFile() && isWanted(path)) yield path;
  }
  for (const folder of folders) yield* findFiles(folder, isWanted);
}

/** Maximum size of a file to parse whole, because parsing takes several times its size in memory. */
const MAX_WHOLE_BYTES = 256 << 20;

/**
 * Reads a session that is one JSON object.
 *
 * @throws `io` when the file is not one JSON object, as for a moment while the agent rewrites it, or has more than 256 MB.
 */
export function wholeObject(path: string): JsonObject {
  if ((statIfExists(path)?.size ?? 0) > MAX_WHOLE_BYTES)
    throw new MementorError("io", `cannot read ${path}: it has more than ${MAX_WHOLE_BYTES >> 20} MB`);
  const whole = parseObject(readIfExists(path) ?? "");
  if (!whole) throw new MementorError("io", `cannot read ${path}: it is not a JSON object`);
  return whole;
}
