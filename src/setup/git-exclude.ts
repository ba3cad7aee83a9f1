import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkStats, locateGit } from "../io/git/gitdir.ts";
import type { Project } from "../io/git/project.ts";
import { readIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";

/** The settings of Claude Code that only their user sees, as git's exclude file names them. */
const PATTERN = "/.claude/settings.local.json";
/** Stands above the pattern, so that only a line that this program wrote is taken out. */
const NOTE = '# mementor: taken out again by "mementor disable"';
const ENTRY = `${NOTE}\n${PATTERN}\n`;
/** The same after a line that had no end, with the line break that it got. */
const ENTRY_AND_BREAK = `\n${NOTE}, with the line break above\n${PATTERN}\n`;

/**
 * Returns git's exclude file of this clone; null outside git, and if it is elsewhere, because an archive's `.git` can name
 * another repository, or have a link in place of `info`.
 */
export function excludeFile({ root }: Pick<Project, "root">): string | null {
  const found = locateGit(root);
  if (found === null || !found.isOwn) return null;
  const info = join(found.gitDir, "info");
  const stats = linkStats(info);
  return stats === null || stats.isDirectory() ? join(info, "exclude") : null;
}

/** Tells whether git's exclude file has the settings already, by whoever. Never throws. */
export function isExcluded(project: Pick<Project, "root">): boolean {
  const file = excludeFile(project);
  return file !== null && textOf(file)?.split(/\r?\n/).includes(PATTERN) === true;
}

/**
 * Adds the settings to git's exclude file. Returns the file if it changed. Never throws, because otherwise git only shows one
 * more file.
 */
export function excludeSettings(project: Pick<Project, "root">): string | null {
  const file = excludeFile(project);
  if (file === null || isExcluded(project)) return null;
  return written(file, (text) =>
    text === "" || text.endsWith("\n") ? `${text}${ENTRY}` : `${text}${ENTRY_AND_BREAK}`,
  );
}

/** Takes out what `excludeSettings` wrote. Returns the file if it was changed. Never throws. */
export function includeSettings(project: Pick<Project, "root">): string | null {
  const file = fileWithEntry(project);
  return file && written(file, withoutEntry);
}

/** Text added below the entry keeps its preceding line break. */
function withoutEntry(text: string): string {
  if (text.endsWith(ENTRY_AND_BREAK)) return text.slice(0, -ENTRY_AND_BREAK.length);
  return text.replace(ENTRY_AND_BREAK, "\n").replace(ENTRY, "");
}

/** Returns git's exclude file where it has what `excludeSettings` wrote; null elsewhere. Never throws. */
export function fileWithEntry(project: Pick<Project, "root">): string | null {
  const file = excludeFile(project);
  const text = (file !== null && textOf(file)) || "";
  return text.includes(ENTRY) || text.includes(ENTRY_AND_BREAK) ? file : null;
}

/** Returns the text of a regular file; null if it is missing or a link, which is not followed. */
function textOf(file: string): string | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readIfExists(file) : null;
  } catch {
    return null;
  }
}

function written(file: string, change: (text: string) => string): string | null {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) return null;
    const text = change(textOf(file) ?? "");
    if (text === "") removeEmpty(file);
    else {
      mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
      writeAtomic(file, text, { mode: stats === undefined ? 0o644 : stats.mode & 0o777, replace: true });
    }
    return file;
  } catch {
    return null;
  }
}

/** Removes a file that was created for the entry, and its directory if that becomes empty. */
function removeEmpty(file: string): void {
  rmSync(file);
  if (readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file));
}
