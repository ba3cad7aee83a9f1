import { lstat, readFile } from "node:fs/promises";
import { writeAtomic } from "../io/write.ts";
import { looksWhole } from "./directory.ts";
import { sha256OfFile } from "./sha256.ts";
import type { Expected } from "./verify.ts";

/** Suffix of the note beside a file that says which state of it was hashed. */
export const VERIFIED = ".verified";

/**
 * Returns whether a file has the expected content. Its hash is computed once for each state of the file: a note beside
 * it names the inode, size and times that were hashed, so that a later start only asks the file system.
 *
 * A library that is damaged or replaced ends the process while it is loaded, where nothing can catch it; and the change
 * time, unlike the modification time, cannot be set back by who changes a file.
 */
export async function isVerified(path: string, expected: Expected, uid: number | null): Promise<boolean> {
  if (!(await looksWhole(path, expected.size, uid))) return false;
  const note = await noteOf(path, expected);
  if ((await readFile(path + VERIFIED, "utf8").catch(() => null)) === note) return true;
  if ((await sha256OfFile(path)) !== expected.sha256) return false;
  noteVerified(path, note);
  return true;
}

/** Notes that a file has the expected content, because it was just written with it. */
export async function markVerified(path: string, expected: Expected): Promise<void> {
  noteVerified(path, await noteOf(path, expected));
}

async function noteOf(path: string, { sha256 }: Expected): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs} ${sha256}`;
}

function noteVerified(path: string, note: string): void {
  try {
    writeAtomic(path + VERIFIED, note, { mode: 0o600, replace: true, sync: false });
  } catch {
    // Without the note the next start hashes the file again.
  }
}
