import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readIfExists, readUntrusted } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import { DATABASE_NAME, isId } from "./memory.ts";

/** The directory in a project that points to its memory. Older versions kept the memory itself there. */
export const TREE_DIRECTORY = ".mementor";

/** Settings in a project's tree. They can only make mementor stricter. */
export const TREE_CONFIG = "config.json";

const POINTER = "pointer.json";
const IGNORE = ".gitignore";
/** The file in which older versions kept the memory's id. */
const OLD_ID = "id";

/** The start of the note in the place where older versions look for a database, and its maximum length. */
const NOTICE = "This is no database:";
const NOTICE_BYTES = 10_000;

/** Files that are not part of an older version's memory. The configuration stays, since a pull may have brought it. */
export const STAYS_IN_TREE: readonly string[] = [TREE_CONFIG, IGNORE, POINTER, OLD_ID];

export function treeDirectory(root: string): string {
  return join(root, TREE_DIRECTORY);
}

/** Returns the path of the pointer in a project. */
export function pointerFile(root: string): string {
  return join(treeDirectory(root), POINTER);
}

/**
 * Writes the pointer to a memory into its project. Whoever can write to the tree can put anything there. So this
 * follows no links, replaces nothing but the pointer, and ignores a tree that cannot be written to. Never throws.
 */
export function writePointer(root: string, { id, directory }: { id: string; directory: string }): void {
  try {
    const tree = treeDirectory(root);
    if (!makeTree(tree)) return;
    if (readPointer(root) === id) return;
    const text = `${JSON.stringify({ id, memory: directory }, null, 2)}\n`;
    writeAtomic(join(tree, POINTER), text, { mode: 0o600, replace: true });
  } catch {
    // The registry decides. The pointer only helps to find the memory of a project that was moved.
  }
}

/** Creates `.mementor/` with its `.gitignore`. Returns false when something else is in its place. */
export function makeTree(tree: string): boolean {
  const found = lstatSync(tree, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(tree, { mode: 0o700 });
  else if (!found.isDirectory()) return false;
  const ignore = join(tree, IGNORE);
  if (!lstatSync(ignore, { throwIfNoEntry: false }))
    writeAtomic(ignore, "*\n", { mode: 0o600, replace: true });
  return true;
}

/** Returns the id in a project's pointer, which anybody may have written. Never throws. */
export function readPointer(root: string): string | null {
  try {
    const file = join(treeDirectory(root), POINTER);
    const id: unknown = JSON.parse(readUntrusted(file) ?? "null")?.id;
    return typeof id === "string" && isId(id) ? id : null;
  } catch {
    return null;
  }
}

/** Returns the id of a memory that an older version created in the project; null when there is none. Never throws. */
export function readOldId(directory: string): string | null {
  try {
    const file = join(directory, OLD_ID);
    const id = readUntrusted(file)?.trim() ?? "";
    return isId(id) ? id : null;
  } catch {
    return null;
  }
}

/** Returns the path of an older version's id in a directory. */
export function oldIdFile(directory: string): string {
  return join(directory, OLD_ID);
}

/** Writes a note where older versions look for a database, so that they refuse to create a second memory there. */
export function writeMovedNotice(tree: string, memory: string): void {
  const file = join(tree, DATABASE_NAME);
  if (lstatSync(file, { throwIfNoEntry: false })) return;
  const text = `${NOTICE} the memory of this project has moved to\n${memory}\n`;
  writeAtomic(file, text, { mode: 0o600, replace: true });
}

/** Removes from a project's tree what this program put there for a memory. Keeps other files. Never throws. */
export function clearTree(root: string, id: string): void {
  const tree = treeDirectory(root);
  try {
    if (!lstatSync(tree, { throwIfNoEntry: false })?.isDirectory()) return;
    if (readPointer(root) === id) rmSync(join(tree, POINTER), { force: true });
    if (isNotice(join(tree, DATABASE_NAME))) rmSync(join(tree, DATABASE_NAME), { force: true });
    if (readdirSync(tree).join() === IGNORE) rmSync(join(tree, IGNORE), { force: true });
    rmdirSync(tree);
  } catch {
    // Something else is there now.
  }
}

/** Tells whether a file is the note in the place of a database. */
export function isNotice(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return (
    stats?.isFile() === true && stats.size < NOTICE_BYTES && readIfExists(file)?.startsWith(NOTICE) === true
  );
}
