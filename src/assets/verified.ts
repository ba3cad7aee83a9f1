import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { readIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import type { AssetProblem } from "./assets.ts";
import { looksWhole, statsOf } from "./directory.ts";
import { sha256OfFile } from "./sha256.ts";

/** Suffix of the note beside a file that records which state of the file was hashed. */
export const VERIFIED = ".verified";

/**
 * Returns whether a file has the expected content. Each state of the file is hashed once: a note beside it records the
 * inode, size and times that were hashed, so a later start only compares these.
 *
 * This check matters because loading a damaged library crashes the process, and no code can catch that. The note holds
 * the change time because, unlike the modification time, a program cannot set it.
 */
export async function isVerified(path: string, expected: Expected, uid: number | null): Promise<boolean> {
  if (!looksWhole(path, expected.size, uid)) return false;
  const note = noteOf(path, expected);
  if (isNoted(path, note)) return true;
  if ((await sha256OfFile(path)) !== expected.sha256) return false;
  noteVerified(path, note);
  return true;
}

/** Records that a file has the expected content, because it was just written. */
export function markVerified(path: string, expected: Expected): void {
  noteVerified(path, noteOf(path, expected));
}

function isNoted(path: string, note: string): boolean {
  try {
    return readIfExists(path + VERIFIED) === note;
  } catch {
    return false;
  }
}

function noteOf(path: string, { sha256 }: Expected): string {
  const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs} ${sha256}`;
}

function noteVerified(path: string, note: string): void {
  try {
    writeAtomic(path + VERIFIED, note, { mode: 0o600, replace: true, sync: false });
  } catch {
    // Without the note, the next start hashes the file again.
  }
}

/** The expected size and hash of a file on disk. */
interface Expected {
  size: number;
  sha256: string;
}

/** Compares a file on disk with the expected size and hash. A file that does not exist yet is not a problem. */
export async function fileProblem(
  path: string,
  expected: Expected,
  uid: number | null,
): Promise<AssetProblem[]> {
  const found = statsOf(path);
  if (found === null) return [];
  const file = basename(path);
  if (!looksWhole(path, found.size, uid)) return [{ file, problem: "unsafe" }];
  const same = found.size === expected.size && (await sha256OfFile(path)) === expected.sha256;
  return same ? [] : [{ file, problem: "changed" }];
}
