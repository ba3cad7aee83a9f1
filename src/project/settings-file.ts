import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { ensurePrivateDir } from "../io/directory.ts";
import { ioError } from "../io/errors.ts";
import { readIfExists, realPathIfExists, statIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import type { HookEntry } from "./hook-entries.ts";
import { invalid } from "./json-edit.ts";
import { addHooks, findHooks, type IsOwn, keptOf, removeHooks } from "./settings-hooks.ts";

const BOM = "\ufeff";
const UNDO_FILE = "undo.json";

/** What a settings file was without us; kept in the user's directory for as long as our entries are in it. */
const UndoSchema = v.object({
  file: v.string(),
  /** Its text, a BOM included; null when there was none. */
  original: v.nullable(v.string()),
  /** Whether its directory was made for it. */
  madeDirectory: v.boolean(),
  /** SHA-256 of what was written: while it still holds, `original` can be put back as it was. */
  written: v.string(),
});

type Undo = v.InferOutput<typeof UndoSchema>;

export interface SettingsPlace {
  file: string;
  /** Private directory of the user for backups; made when needed. */
  backupDir: string;
  isOwn: IsOwn;
  /** The directory that the file must really be in: whoever made the project's files may have put a link there. */
  within: string | null;
}

/** Throws `not_writable` for settings that are a link to nothing, or out of the project. */
export function checkLinks({ file, within }: Pick<SettingsPlace, "file" | "within">): void {
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const target = realPathIfExists(file);
  const place = target ?? realPathIfExists(dirname(file));
  const isDangling = link && target === null;
  const top = within === null ? null : realPathIfExists(within);
  const isOutside = top !== null && place !== null && !`${place}/`.startsWith(`${top}/`);
  if (!isDangling && !isOutside) return;
  throw new MementorError(
    "not_writable",
    `${file} is a link ${isDangling ? "to nothing" : "out of the project"}`,
    {
      hint: "Replace it by a file of its own, or choose other settings with --scope.",
    },
  );
}

/** What an edit did to a settings file. */
export type SettingsChange = "created" | "changed" | "unchanged" | "removed";

/**
 * Puts our entries into a settings file, made when it is not there, and keeps everything else in it. What was there
 * before is kept in `backupDir`. Throws `settings_invalid`, and leaves alone what it cannot parse.
 */
export function installHooks(place: SettingsPlace, entries: readonly HookEntry[]): SettingsChange {
  const { file, isOwn } = place;
  checkLinks(place);
  const current = readSettings(file);
  const { bom, text } = splitBom(isBlank(current) ? "{}\n" : current);
  const edited = bom + addHooks(text, entries, isOwn, file);
  if (edited === current) return "unchanged";
  const isNewDirectory = makeDirectory(dirname(file));
  const backup = backupHome(place);
  const undo = readUndo(backup);
  const original = withoutHooks(place, current, undo);
  backUp(backup, file, current);
  const madeDirectory = undo?.madeDirectory ?? isNewDirectory;
  // Written before the settings: when we are stopped in between, the hash does not match and nothing is undone.
  writeUndo(backup, { file, original, madeDirectory, written: hash(edited) });
  writeAtomic(file, edited);
  return current === null ? "created" : "changed";
}

/**
 * Takes our entries out of a settings file. When nobody touched it since they were put in, it is again what it was,
 * byte for byte, or gone when it was made for them; otherwise exactly our entries go.
 */
export function uninstallHooks(place: SettingsPlace): SettingsChange {
  const { file } = place;
  const backup = backupHome(place);
  const undo = readUndo(backup);
  const current = readSettings(file);
  const restored = withoutHooks(place, current, undo);
  if (restored !== current) {
    backUp(backup, file, current);
    if (restored === null) removeFile(file, undo?.madeDirectory ?? false);
    else writeAtomic(file, restored);
  }
  rmSync(join(backup.home, UNDO_FILE), { force: true });
  if (restored === current) return "unchanged";
  return restored === null ? "removed" : "changed";
}

/** Remembers what a file was before another program was asked to change it, and what it is since. */
export function rememberEdit(place: SettingsPlace, original: string | null): void {
  const written = readSettings(place.file);
  if (written === null || written === original) return;
  const backup = backupHome(place);
  const before = readUndo(backup)?.original ?? original;
  backUp(backup, place.file, original);
  writeUndo(backup, { file: place.file, original: before, madeDirectory: false, written: hash(written) });
}

/** Puts a file back as it was before the remembered change; where it was edited since, `remove` says what goes. */
export function restoreEdit(place: SettingsPlace, remove: (text: string) => string): SettingsChange {
  const { file } = place;
  const undo = readUndo(backupHome(place));
  const current = readSettings(file);
  if (current === null) return "unchanged";
  const restored = undo && hash(current) === undo.written ? undo.original : remove(current);
  if (restored === current) return "unchanged";
  backUp(backupHome(place), file, current);
  if (restored === null) removeFile(file, false);
  else writeAtomic(file, restored);
  return restored === null ? "removed" : "changed";
}

/** Forgets what a file was before. */
export function forgetEdit(place: SettingsPlace): void {
  rmSync(join(backupHome(place).home, UNDO_FILE), { force: true });
}

/** Lists our entries in a settings file, as event and command; none where there is no file. Throws `settings_invalid`. */
export function installedHooks({ file, isOwn }: Pick<SettingsPlace, "file" | "isOwn">) {
  const current = readSettings(file);
  return isBlank(current) ? [] : findHooks(splitBom(current).text, isOwn, file);
}

/** The content of a settings file without our entries; null when it would not be there. */
function withoutHooks(
  { file, isOwn }: SettingsPlace,
  current: string | null,
  undo: Undo | null,
): string | null {
  if (isBlank(current)) return current;
  if (undo && hash(current) === undo.written) return undo.original;
  const { bom, text } = splitBom(current);
  const original = undo?.original ?? null;
  const kept = isBlank(original) ? undefined : keptOf(splitBom(original).text, file);
  const edited = removeHooks(text, isOwn, file, kept);
  const isOursAlone = undo?.original === null && edited !== text && /^\s*\{\s*\}\s*$/.test(edited);
  return isOursAlone ? null : bom + edited;
}

/** True where there is no content: no file, or white space alone. */
function isBlank(text: string | null): text is null | "" {
  return text === null || splitBom(text).text.trim() === "";
}

function splitBom(text: string): { bom: string; text: string } {
  return text.startsWith(BOM) ? { bom: BOM, text: text.slice(1) } : { bom: "", text };
}

/** Reads a settings file; one that is not UTF-8 is refused, since writing it back would change it. */
function readSettings(file: string): string | null {
  const stats = statIfExists(file);
  // Opening a pipe would wait for its writer.
  if (stats && !stats.isFile()) throw invalid(file, "it is not a regular file");
  const text = readIfExists(file);
  if (text?.includes("\ufffd") && !Buffer.from(text, "utf8").equals(readFileSync(file)))
    throw invalid(file, "it is not UTF-8");
  return text;
}

function removeFile(file: string, withDirectory: boolean): void {
  rmSync(realPathIfExists(file) ?? file, { force: true });
  if (!withDirectory) return;
  try {
    rmdirSync(dirname(file));
  } catch {
    // Something else lives there by now.
  }
}

/** Returns whether it was not there before. */
function makeDirectory(path: string): boolean {
  try {
    return mkdirSync(path, { recursive: true }) !== undefined;
  } catch (error) {
    throw ioError(error, `make ${path}`);
  }
}

interface Backup {
  root: string;
  /** One directory for each settings file. */
  home: string;
}

function backupHome({ file, backupDir }: SettingsPlace): Backup {
  const directory = realPathIfExists(dirname(file)) ?? resolve(dirname(file));
  return { root: backupDir, home: join(backupDir, hash(join(directory, basename(file))).slice(0, 16)) };
}

function makeBackupHome({ root, home }: Backup): void {
  ensurePrivateDir(root);
  ensurePrivateDir(home);
}

function backUp(backup: Backup, file: string, content: string | null): void {
  makeBackupHome(backup);
  if (content !== null) writeAtomic(join(backup.home, basename(file)), content, { mode: 0o600 });
}

function readUndo({ home }: Backup): Undo | null {
  try {
    const parsed = v.safeParse(UndoSchema, JSON.parse(readIfExists(join(home, UNDO_FILE)) ?? "null"));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

function writeUndo(backup: Backup, undo: Undo): void {
  makeBackupHome(backup);
  writeAtomic(join(backup.home, UNDO_FILE), `${JSON.stringify(undo, null, 2)}\n`, { mode: 0o600 });
}

function hash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
