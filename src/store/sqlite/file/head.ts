import { closeSync, openSync, readSync } from "node:fs";
import { statIfExists } from "../../../io/read.ts";

/** "MMTR": marks databases of this program (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x4d4d5452;

/** The first bytes of every SQLite database. */
const MAGIC = "SQLite format 3\0";

const APPLICATION_ID_AT = 68;

const HEAD_BYTES = 100;

/** Tells whether a file starts like a SQLite database. Never throws. */
export function isDatabaseFile(file: string): boolean {
  return headOf(file)?.toString("latin1", 0, MAGIC.length) === MAGIC;
}

/** Tells whether the first bytes of a file mark a database of this program, damaged or not. Never throws. */
export function isOwnDatabaseFile(file: string): boolean {
  const head = headOf(file);
  if (head === null || head.toString("latin1", 0, MAGIC.length) !== MAGIC) return false;
  return head.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID;
}

function headOf(file: string): Buffer | null {
  // Opening a named pipe would wait for its other end.
  if (!statIfExists(file)?.isFile()) return null;
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const descriptor = openSync(file, "r");
    try {
      return readSync(descriptor, head) === HEAD_BYTES ? head : null;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
