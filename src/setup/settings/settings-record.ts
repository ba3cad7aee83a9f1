import { rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as v from "valibot";
import { readIfExists, realPathIfExists } from "../../io/read.ts";
import { ensurePrivateDir, writeAtomic } from "../../io/write.ts";

const UNDO_FILE = "undo.json";

/**
 * The state of a settings file before mementor's entries were added. Kept in the user's directory while the entries
 * are in the file.
 */
const UndoSchema = v.object({
  file: v.string(),
  /** Its text including its BOM; null when there was no file. */
  original: v.nullable(v.string()),
  /** True if its directory was created for it. */
  madeDirectory: v.boolean(),
  /** SHA-256 of the written text. While it matches, `original` can be restored. */
  written: v.string(),
  /** The rules that were added, and were not there before. */
  rules: v.optional(v.array(v.string()), []),
});

export type Undo = v.InferOutput<typeof UndoSchema>;

/** Paths of a settings file's record and its last text. */
interface Backup {
  /** The private directory of all of them. */
  root: string;
  /** The directory for this settings file. */
  home: string;
}

export function backupHome({ file, backupDir }: { file: string; backupDir: string }): Backup {
  const directory = realPathIfExists(dirname(file)) ?? resolve(dirname(file));
  return { root: backupDir, home: join(backupDir, hash(join(directory, basename(file))).slice(0, 16)) };
}

function makeBackupHome({ root, home }: Backup): void {
  ensurePrivateDir(root);
  ensurePrivateDir(home);
}

/** Keeps the text that a settings file has before it is changed. */
export function backUp(backup: Backup, file: string, content: string | null): void {
  makeBackupHome(backup);
  if (content !== null) writeAtomic(join(backup.home, basename(file)), content, { mode: 0o600 });
}

/** Returns the record of a settings file; null if there is none that this version can read. */
export function readUndo({ home }: Backup): Undo | null {
  try {
    const parsed = v.safeParse(UndoSchema, JSON.parse(readIfExists(join(home, UNDO_FILE)) ?? "null"));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

export function writeUndo(backup: Backup, undo: Undo): void {
  makeBackupHome(backup);
  writeAtomic(join(backup.home, UNDO_FILE), `${JSON.stringify(undo, null, 2)}\n`, { mode: 0o600 });
}

export function removeUndo({ home }: Backup): void {
  rmSync(join(home, UNDO_FILE), { force: true });
}

export function hash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
