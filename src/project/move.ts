import { cpSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BUSY_TIMEOUT_MS } from "../constants.ts";
import { ioError, systemCode } from "../io/errors.ts";
import { type Lock, tryLock } from "../io/lock.ts";
import { realPathIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { ensurePrivateDir, writeAtomic } from "../io/write.ts";
import { copyDatabase } from "../store/sqlite/file/copy.ts";
import { DATABASE_NAME, draftDirectory, memoryPaths, type UserDirs } from "./memory.ts";
import { enqueueSearch } from "./queue.ts";
import { findRecord, readRegistry } from "./registry.ts";
import {
  isNotice,
  makeTree,
  oldIdFile,
  STAYS_IN_TREE,
  treeDirectory,
  writeMovedNotice,
  writePointer,
} from "./tree.ts";
import { memoryOrigin } from "./trust.ts";

/** Interval of checks for processes that still use a memory to be moved, in ms. */
const POLL_MS = 100;

/**
 * Moves a memory to where it belongs. With `patience`, ms, it copies where it must, and waits for processes that work in
 * it, until `interrupted` says that it should not. Returns false when it is still where it was.
 */
export async function relocateMemory(
  dirs: UserDirs,
  root: string,
  patience: number,
  interrupted?: () => AbortSignal,
): Promise<boolean> {
  const until = performance.now() + patience;
  for (;;) {
    const moving = moveMemory(dirs, root, { copies: patience > 0 });
    if (moving === "moved") return true;
    // Asked only where it waits: from then on a first Ctrl-C stops nothing by itself.
    if (moving === "elsewhere" || performance.now() >= until || interrupted?.().aborted) return false;
    await Bun.sleep(POLL_MS);
  }
}

/**
 * `moved`: the memory is where it belongs. `busy`: another process is using it. `elsewhere`: it would have to be
 * copied.
 */
type Moving = "moved" | "busy" | "elsewhere";

/** Every process that works in a memory, of any version, holds one of these locks. */
const LOCKS = ["worker.lock", "read.lock", "embed.lock"];

/** Files that are copied through SQLite. */
const LIVE_DATABASE = ["", "-wal", "-shm", "-journal"].map((suffix) => DATABASE_NAME + suffix);

const QUEUE = "queue";

/** Marks a draft to which everything was copied. */
const COPIED = "copied";

/**
 * Moves a memory that an older version made in the project's tree to the user's data directory: by renaming its files
 * or, across file systems and if `copies` allows it, by copying them. If it is interrupted, the next call continues.
 * Older versions find a memory by the id beside it, so the id is moved first: then they neither read nor create
 * anything in the tree. The memory is used only when all of it is there.
 */
function moveMemory(dirs: UserDirs, root: string, { copies }: { copies: boolean }): Moving {
  const id = findRecord(readRegistry(dirs.configDir), root)?.id ?? null;
  if (id === null || memoryOrigin(dirs, root) !== "unmoved") return "moved";
  const { directory } = memoryPaths(dirs.dataDir, id);
  for (const path of [dirs.dataDir, dirname(directory)]) ensurePrivateDir(path);
  const lockFile = `${directory}.lock`;
  const locks: (Lock | null)[] = [tryLock(lockFile)];
  if (locks.includes(null)) return "busy";
  try {
    if (memoryOrigin(dirs, root) !== "unmoved") return "moved";
    const tree = realPathIfExists(treeDirectory(root));
    if (tree !== null) {
      for (const name of LOCKS) locks.push(tryLock(join(tree, name)));
      if (locks.includes(null)) return "busy";
      if (!emptyTree(tree, draftDirectory(directory), copies)) return "elsewhere";
    }
    settleIn(root, id, directory);
    rmSync(lockFile, { force: true });
    return "moved";
  } finally {
    for (const lock of locks) lock?.release();
  }
}

/** Moves everything from the tree to the draft. Returns false where only copying would work and `copies` forbids it. */
function emptyTree(tree: string, draft: string, copies: boolean): boolean {
  if (statIfExists(join(draft, COPIED))) clear(tree);
  else if (statIfExists(oldIdFile(draft)) || startRenaming(tree, draft)) renameAll(tree, draft);
  else if (copies) copyAll(tree, draft);
  else return false;
  return true;
}

/** Moves the id out of the tree. Returns false when the draft is on another file system. */
function startRenaming(tree: string, draft: string): boolean {
  SYSTEM.remove(draft);
  ensurePrivateDir(draft);
  try {
    SYSTEM.rename(oldIdFile(tree), oldIdFile(draft));
    return true;
  } catch (error) {
    if (systemCode(error) === "EXDEV") return false;
    throw ioError(error, `move ${tree} to ${dirname(draft)}`);
  }
}

/** Files in the draft were moved before an interruption and are not replaced. */
function renameAll(tree: string, draft: string): void {
  for (const name of entriesOf(tree)) {
    if (lstatSync(join(draft, name), { throwIfNoEntry: false })) continue;
    try {
      SYSTEM.rename(join(tree, name), join(draft, name));
    } catch (error) {
      throw ioError(error, `move ${join(tree, name)} to ${dirname(draft)}`);
    }
  }
}

/** Older versions work in the tree until the copy is complete. Nothing writes to the database in the meantime. */
function copyAll(tree: string, draft: string): void {
  for (const name of entriesOf(tree))
    if (!LIVE_DATABASE.includes(name))
      cpSync(join(tree, name), join(draft, name), { recursive: true, verbatimSymlinks: true });
  const complete = () => {
    writeAtomic(join(draft, COPIED), "", { mode: 0o600 });
    rmSync(oldIdFile(tree), { force: true });
  };
  const database = join(tree, DATABASE_NAME);
  if (statIfExists(database))
    copyDatabase(database, join(draft, DATABASE_NAME), BUSY_TIMEOUT_MS.command, complete);
  else complete();
  clear(tree);
}

/** Deletes what was copied, the id first. */
function clear(tree: string): void {
  rmSync(oldIdFile(tree), { force: true });
  for (const name of entriesOf(tree)) SYSTEM.remove(join(tree, name));
}

/** Tells whether a file is a lock, or a file of SQLite beside it. */
function isLock(name: string): boolean {
  return LOCKS.some((lock) => name === lock || name === `${lock}-journal`);
}

/**
 * Lists the files of a memory, the database first. Without the queue: a pull could have added files to it, and
 * transcripts are found without it. Without links: their targets must not be moved or closed to others.
 */
function entriesOf(tree: string): string[] {
  const isPart = (name: string) =>
    !STAYS_IN_TREE.includes(name) &&
    name !== QUEUE &&
    !isLock(name) &&
    !lstatSync(join(tree, name)).isSymbolicLink() &&
    !isNotice(join(tree, name));
  const names = readdirSync(tree).filter(isPart);
  const isDatabase = (name: string) => name.startsWith(DATABASE_NAME);
  return [...names.filter(isDatabase).sort(), ...names.filter((name) => !isDatabase(name))];
}

/** Puts the draft in the memory's place. Transcripts that an older version queued meanwhile are found by a search. */
function settleIn(root: string, id: string, directory: string): void {
  const tree = treeDirectory(root);
  const draft = draftDirectory(directory);
  if (makeTree(tree)) {
    for (const name of readdirSync(tree).filter((name) => isLock(name) || name === QUEUE))
      SYSTEM.remove(join(tree, name));
    writeMovedNotice(tree, directory);
    writePointer(root, { id, directory });
  }
  enqueueSearch(draft);
  SYSTEM.rename(draft, directory);
  for (const name of [COPIED, basename(oldIdFile(directory))]) rmSync(join(directory, name), { force: true });
}
