import { cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MementorError } from "../errors.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import {
  countTombstones,
  type DatabaseSummary,
  describeDatabase,
  vacuumInto,
} from "../store/sqlite/file/copy.ts";
import type { Adoptable } from "./adoptable.ts";
import { DATABASE_NAME, deleteMemory, ensureMemory, memoryPaths, newId, type UserDirs } from "./memory.ts";
import { KEY_FILE } from "./tombstone-key.ts";

/** A memory to adopt: its place, and its content if that can be counted. */
export interface AdoptRequest {
  from: string;
  /** The project's former place; null when it is unknown or has not changed. */
  formerRoot: string | null;
  holds: DatabaseSummary | null;
}

/** Describes what would be adopted. Opens the database, so call this only if the user asked to adopt it. */
export function describeTaking(adoptable: Adoptable): AdoptRequest {
  if (adoptable.kind === "copy")
    return { from: adoptable.file, formerRoot: adoptable.root, holds: describeDatabase(adoptable.file) };
  if (adoptable.kind === "database")
    return { from: adoptable.file, formerRoot: null, holds: describeDatabase(adoptable.file) };
  const { directory } = adoptable;
  const databaseFile = join(directory, DATABASE_NAME);
  const holds = statIfExists(databaseFile) ? describeDatabase(databaseFile) : null;
  return { from: directory, formerRoot: adoptable.kind === "memory" ? adoptable.formerRoot : null, holds };
}

/**
 * Adopts a memory and returns its id. Copies a database in the tree. Does not register the memory.
 *
 * @throws `io` or `not_writable` if the memory's directory cannot be created, and SQLite's own error if the database cannot be
 * copied; the directory is then removed again.
 */
export function takeOver({ dataDir }: UserDirs, adoptable: Adoptable): string {
  if (adoptable.kind === "memory") return adoptable.id;
  const id = adoptable.kind === "elsewhere" ? adoptable.id : newId();
  const { directory, databaseFile } = memoryPaths(dataDir, id);
  ensureMemory(dataDir, id);
  try {
    if (adoptable.kind === "elsewhere") {
      requireReadableTombstones(adoptable.directory, dataDir);
      copyBeside(adoptable.directory, { directory, dataDir });
    }
    vacuumInto(
      adoptable.kind === "elsewhere" ? join(adoptable.directory, DATABASE_NAME) : adoptable.file,
      databaseFile,
    );
  } catch (error) {
    deleteMemory(directory);
    throw error;
  }
  return id;
}

/** What lies beside a memory's database and goes along: its settings, and what hooks have noted. */
const BESIDE = ["config.json", "queue"];

/**
 * Throws `db_foreign` if the memory forgot something under another key than that of the data directory. What it forgot would come
 * back, because its hashes would match nothing.
 */
function requireReadableTombstones(from: string, dataDir: string): void {
  const [theirs, ours] = [keyBeside(from), join(dataDir, KEY_FILE)];
  if (!statIfExists(theirs) || !statIfExists(ours) || readFileSync(theirs).equals(readFileSync(ours))) return;
  if (countTombstones(join(from, DATABASE_NAME)) === 0) return;
  throw new MementorError(
    "db_foreign",
    `${from} cannot be taken along: what was forgotten in it could come back`,
    {
      hint: "Go on using it where it is: set the variables again that named that place, such as XDG_DATA_HOME.",
    },
  );
}

/** The key of what was forgotten, in the data directory of a memory's directory. */
function keyBeside(directory: string): string {
  return join(dirname(dirname(directory)), KEY_FILE);
}

/** Copies what lies beside a memory's database, and the key of what was forgotten, where there is none yet. */
function copyBeside(from: string, { directory, dataDir }: { directory: string; dataDir: string }): void {
  for (const name of BESIDE)
    if (statIfExists(join(from, name))) cpSync(join(from, name), join(directory, name), { recursive: true });
  const key = keyBeside(from);
  if (statIfExists(key) && !statIfExists(join(dataDir, KEY_FILE))) cpSync(key, join(dataDir, KEY_FILE));
}

/** Deletes what was copied: it must not keep what is forgotten later. */
export function deleteAdopted(adoptable: Adoptable): void {
  if (adoptable.kind === "elsewhere") deleteMemory(adoptable.directory);
  if (adoptable.kind !== "database") return;
  for (const suffix of ["", "-wal", "-shm", "-journal"]) SYSTEM.remove(adoptable.file + suffix);
}
