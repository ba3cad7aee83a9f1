import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { MementorError } from "../../errors.ts";
import { ioError } from "../../io/errors.ts";
import { readIfExists, realPathIfExists, statIfExists } from "../../io/read.ts";
import { SYSTEM } from "../../io/system.ts";
import { writeAtomic } from "../../io/write.ts";
import type { HookEntry } from "./hook-entries.ts";
import { addRules, findKeptRules, invalid, listRules, removeRules } from "./json-edit.ts";
import { addHooks, findHooks, findKept, type IsOwn, removeHooks } from "./settings-hooks.ts";
import { backUp, backupHome, hash, readUndo, removeUndo, type Undo, writeUndo } from "./settings-record.ts";

const BOM = "\ufeff";

export interface SettingsPlace {
  file: string;
  /** Private directory of the user for backups. Created when needed. */
  backupDir: string;
  isOwn: IsOwn;
  /** The directory that must contain the file after resolving links, because the project's files may include a link. */
  within: string | null;
}

/** Throws `not_writable` when the settings file is a link to nothing or out of the project. */
export function checkLinks({ file, within }: Pick<SettingsPlace, "file" | "within">): void {
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const target = realPathIfExists(file);
  const place = target ?? realPathIfExists(dirname(file));
  const isDangling = link && target === null;
  const top = within === null ? null : realPathIfExists(within);
  const isOutside = top !== null && place !== null && !SYSTEM.isWithin(place, top);
  if (!isDangling && !isOutside) return;
  throw new MementorError(
    "not_writable",
    `${file} is a link ${isDangling ? "to nothing" : "out of the project"}`,
    {
      hint: "Replace the link with a regular file, or choose other settings with --scope.",
    },
  );
}

/**
 * Tells whether a settings file already has these entries, so that `installHooks` would change nothing. Throws
 * `settings_invalid`.
 */
export function hasHooks({ file, isOwn }: SettingsPlace, entries: readonly HookEntry[]): boolean {
  const current = readSettings(file);
  if (isBlank(current)) return false;
  const { text } = splitBom(current);
  return addHooks(text, entries, isOwn, file) === text;
}

/** Lists the rules of a kind in a settings file; empty without a file. Throws `settings_invalid`. */
export function installedRules(
  { file }: Pick<SettingsPlace, "file">,
  kind: "allow" | "ask" | "deny",
): string[] {
  const current = readSettings(file);
  return isBlank(current) ? [] : listRules(splitBom(current).text, kind, file);
}

/** Returns whether anything of mementor's is in a settings file. Throws `settings_invalid`. */
export function isEdited(place: SettingsPlace): boolean {
  if (installedHooks(place).length > 0) return true;
  const added = readUndo(backupHome(place))?.rules ?? [];
  return added.length > 0 && installedRules(place, "allow").some((rule) => added.includes(rule));
}

/** The effect of an edit on a settings file. */
export type SettingsChange = "created" | "changed" | "unchanged" | "removed";

/**
 * Adds mementor's entries to a settings file, and creates the file if it does not exist. Keeps everything else in it, and keeps
 * the previous text in `backupDir`. Throws `settings_invalid` for a file that it cannot parse, and does not change it. Also adds
 * `rules` to the allow list; an empty list removes earlier ones, and null leaves them unchanged.
 */
export function installHooks(
  place: SettingsPlace,
  entries: readonly HookEntry[],
  rules: readonly string[] | null = null,
): SettingsChange {
  const { file, isOwn } = place;
  checkLinks(place);
  const current = readSettings(file);
  const { bom, text } = splitBom(isBlank(current) ? "{}\n" : current);
  const backup = backupHome(place);
  const undo = readUndo(backup);
  const ours = undo?.rules ?? [];
  const hooked = addHooks(text, entries, isOwn, file);
  const isTakenOut = rules?.length === 0;
  const edited = bom + (isTakenOut ? removeRules(hooked, ours, file) : addRules(hooked, rules ?? [], file));
  if (edited === current || (current === null && edited.trim() === "{}")) return "unchanged";
  const isNewDirectory = makeDirectory(dirname(file));
  const there = isBlank(current) ? [] : listRules(text, "allow", file);
  const added = (rules ?? []).filter((rule) => !there.includes(rule));
  const original = withoutHooks(place, current, undo);
  backUp(backup, file, current);
  const madeDirectory = undo?.madeDirectory ?? isNewDirectory;
  // Written before the settings. If the process ends in between, the hash does not match and nothing is restored.
  writeUndo(backup, {
    file,
    original,
    madeDirectory,
    written: hash(edited),
    rules: isTakenOut ? [] : [...new Set([...ours, ...added])],
  });
  writeAtomic(file, edited);
  return current === null ? "created" : "changed";
}

/**
 * Removes mementor's entries from a settings file. If nobody has changed the file since, restores it byte for byte, or deletes it
 * if it was created for the entries. Otherwise removes only the entries. Changes nothing for a missing project: its settings may
 * have moved and still need the record of their original state.
 *
 * @throws `settings_invalid` for a file that cannot be edited, such as a directory.
 */
export function uninstallHooks(place: SettingsPlace): SettingsChange {
  const { file, within } = place;
  if (within !== null && statIfExists(within) === null) return "unchanged";
  const backup = backupHome(place);
  const undo = readUndo(backup);
  const current = readSettings(file);
  const restored = withoutHooks(place, current, undo);
  if (restored !== current) {
    backUp(backup, file, current);
    if (restored === null) removeFile(file, undo?.madeDirectory ?? false);
    else writeAtomic(file, restored);
  }
  removeUndo(backup);
  if (restored === current) return "unchanged";
  return restored === null ? "removed" : "changed";
}

/**
 * Records the content of a file before and after mementor changed it outside `installHooks`.
 *
 * @throws `settings_invalid` when it is no regular file.
 */
export function rememberEdit(place: SettingsPlace, original: string | null): void {
  const written = readSettings(place.file);
  if (written === null || written === original) return;
  const backup = backupHome(place);
  const before = readUndo(backup)?.original ?? original;
  backUp(backup, place.file, original);
  writeUndo(backup, {
    file: place.file,
    original: before,
    madeDirectory: false,
    written: hash(written),
    rules: [],
  });
}

/**
 * Restores a file to its state before the recorded change. If it was edited since, `remove` returns what stays.
 *
 * @throws `settings_invalid` when it is no regular file.
 */
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

/** Moves the record of an edit to the file's new path after its directory was moved. Keeps an existing record there. */
export function moveUndoRecord(from: SettingsPlace, to: SettingsPlace): void {
  const [before, after] = [backupHome(from), backupHome(to)];
  const undo = readUndo(before);
  if (undo === null || readUndo(after) !== null || statIfExists(to.file) === null) return;
  writeUndo(after, { ...undo, file: to.file });
  forgetEdit(from);
}

/** Removes the record of a change. */
export function forgetEdit(place: SettingsPlace): void {
  removeUndo(backupHome(place));
}

/**
 * Lists mementor's entries in a settings file, as event and command. Empty when there is no file. Throws
 * `settings_invalid`.
 */
export function installedHooks({ file, isOwn }: Pick<SettingsPlace, "file" | "isOwn">) {
  const current = readSettings(file);
  return isBlank(current) ? [] : findHooks(splitBom(current).text, isOwn, file);
}

/** Returns the content of a settings file without mementor's entries; null when the file would not exist. */
function withoutHooks(
  { file, isOwn }: SettingsPlace,
  current: string | null,
  undo: Undo | null,
): string | null {
  if (isBlank(current)) return current;
  if (undo && hash(current) === undo.written) return undo.original;
  const { bom, text } = splitBom(current);
  const original = undo?.original ?? null;
  const before = isBlank(original) ? null : splitBom(original).text;
  const hookless = removeHooks(text, isOwn, file, before === null ? undefined : findKept(before, file));
  const keptRules = before === null ? undefined : findKeptRules(before, file);
  const edited = removeRules(hookless, undo?.rules ?? [], file, keptRules);
  const isOursAlone =
    undo?.original === null && edited !== text && /^\s*\{\s*(?:"version"\s*:\s*1\s*)?\}\s*$/.test(edited);
  return isOursAlone ? null : bom + edited;
}

/** True when there is no content: no file, or only white space. */
function isBlank(text: string | null): text is null | "" {
  return text === null || splitBom(text).text.trim() === "";
}

function splitBom(text: string): { bom: string; text: string } {
  return text.startsWith(BOM) ? { bom: BOM, text: text.slice(1) } : { bom: "", text };
}

/** Reads a settings file. Rejects a file that is not UTF-8, since writing it back would change it. */
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
    // Something else is there now.
  }
}

/** Creates a directory. Returns false when it existed. */
function makeDirectory(path: string): boolean {
  try {
    return mkdirSync(path, { recursive: true, mode: 0o755 }) !== undefined;
  } catch (error) {
    throw ioError(error, `make ${path}`);
  }
}
