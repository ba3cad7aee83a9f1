import { readFileSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MementorError } from "../errors.ts";
import { tryLock } from "../io/lock.ts";
import { SYSTEM, temporaryName } from "../io/system.ts";
import { writeAtomic } from "../io/write.ts";
import type { AssetPlaces, AssetProblem } from "./catalog.ts";
import { fileProblem, isAsWritten, markVerified, sha256OfFile, VERIFIED_SUFFIX } from "./directory.ts";

/** Suffix of the record beside each derived file. It is replaced atomically when the file is generated again. */
const RECORD = ".made";
const DERIVED = ".derived";

interface MadeFile {
  file: string;
  size: number;
  sha256: string;
}

/**
 * Returns the path of a file generated on this machine. Generates it when it is missing, differs from its record, or was copied
 * here: no binary contains its hash, so anyone who can name the directory could supply another file with a matching record.
 *
 * The file name contains the file's hash: two versions of mementor never overwrite each other's file, and a process
 * that has mapped the old file keeps it.
 *
 * @throws `assets_packed` when the file would have to be made and this process must not unpack.
 */
export async function derivedFile(
  home: string,
  name: string,
  make: (path: string) => Promise<void>,
  places: Pick<AssetPlaces, "uid" | "mayUnpack">,
): Promise<string> {
  const { uid, mayUnpack } = places;
  const record = join(home, name + RECORD);
  let found = usableFile(home, record, uid);
  const isDone = async () => {
    found ??= usableFile(home, record, uid);
    return found !== null;
  };
  if (found !== null) return found;
  if (!mayUnpack) throw assetsPackedError(name);
  await onceAmongProcesses(join(home, name + LOCK_SUFFIX), isDone, async () => {
    found = await makeFile(home, name, record, make);
  });
  return found ?? derivedFile(home, name, make, places);
}

/** Returns the error for a file that would first have to be unpacked or generated. */
export function assetsPackedError(file: string): MementorError {
  return new MementorError("assets_packed", `${file} is not unpacked yet`, {
    hint: 'Run "mementor enable", or wait for the background process.',
  });
}

async function makeFile(
  home: string,
  name: string,
  record: string,
  make: (path: string) => Promise<void>,
): Promise<string> {
  const temporary = temporaryName(join(home, name));
  try {
    await make(temporary);
    await chmod(temporary, 0o600);
    const hash = await sha256OfFile(temporary);
    const made: MadeFile = {
      file: `${name}.${hash.slice(0, 16)}${DERIVED}`,
      size: Bun.file(temporary).size,
      sha256: hash,
    };
    SYSTEM.rename(temporary, join(home, made.file));
    markVerified(join(home, made.file), made);
    writeAtomic(record, JSON.stringify(made), { mode: 0o600, replace: true });
    return join(home, made.file);
  } finally {
    await rm(temporary, { force: true });
  }
}

function usableFile(home: string, record: string, uid: number | null): string | null {
  const made = readRecord(record);
  if (made === null) return null;
  const path = join(home, made.file);
  return isAsWritten(path, made, uid) ? path : null;
}

function readRecord(path: string): MadeFile | null {
  try {
    const { file, size, sha256 } = JSON.parse(readFileSync(path, "utf8"));
    const isRecord = typeof file === "string" && /^[\w.-]+$/.test(file) && typeof sha256 === "string";
    return isRecord && typeof size === "number" ? { file, size, sha256 } : null;
  } catch {
    return null;
  }
}

/** Tells whether a name belongs to a derived file or to its verification note. */
export function isDerived(name: string): boolean {
  return name.endsWith(DERIVED) || name.endsWith(DERIVED + VERIFIED_SUFFIX);
}

/** Returns the names of a directory's derived files in use and of their verification notes. */
export async function derivedFiles(home: string): Promise<string[]> {
  const made = (await records(home)).map((name) => readRecord(join(home, name)));
  return made.flatMap((record) => (record === null ? [] : [record.file, record.file + VERIFIED_SUFFIX]));
}

/** Checks the derived files of a directory against their recorded hashes. */
export async function derivedProblems(home: string, uid: number | null): Promise<AssetProblem[]> {
  const checks = (await records(home)).map(async (name): Promise<AssetProblem[]> => {
    const made = readRecord(join(home, name));
    return made === null
      ? [{ file: name, problem: "changed" }]
      : fileProblem(join(home, made.file), made, uid);
  });
  return (await Promise.all(checks)).flat();
}

/** Removes the derived files that differ from their records, and those records. */
export async function removeBrokenDerived(home: string, uid: number | null): Promise<void> {
  for (const name of await records(home)) {
    const made = readRecord(join(home, name));
    if (made !== null && (await fileProblem(join(home, made.file), made, uid)).length === 0) continue;
    await rm(join(home, name), { force: true });
    if (made !== null) await rm(join(home, made.file), { recursive: true, force: true });
  }
}

async function records(home: string): Promise<string[]> {
  return (await readdir(home)).filter((name) => name.endsWith(RECORD));
}

/** Suffix of lock files. They are empty and never removed. */
export const LOCK_SUFFIX = ".lock";

const POLL_MS = 20;

/**
 * Runs `work` unless `done()` is true. When several processes call it, one works and the others wait.
 *
 * The lock only avoids duplicate work. `work` must be safe to run in two processes at once, because some directories cannot hold
 * a lock file.
 */
export async function onceAmongProcesses(
  file: string,
  done: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  while (!(await done())) {
    using lock = tryLock(file);
    if (lock === null) {
      await sleep(POLL_MS);
      continue;
    }
    if (!(await done())) await work();
    return;
  }
}
