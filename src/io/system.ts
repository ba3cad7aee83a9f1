import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, posix, win32 } from "node:path";

/** File operations that differ between operating systems. Tests simulate other systems. */
export interface System {
  isAbsolute(path: string): boolean;
  /** Tells whether a path is a directory or below it. On Windows, ignores case and treats `/` as `\\`. */
  isWithin(path: string, directory: string): boolean;
  /** Renames a file or directory. */
  rename(from: string, to: string): void;
  /** Renames a file over another one. On Windows, first moves a running program out of the way. */
  replace(from: string, to: string): void;
  /** Removes a file, or a directory with everything in it. Does nothing when it is missing. */
  remove(path: string): void;
  /**
   * Removes a path like `remove`. On Windows, moves a file that is running or open elsewhere into the first of the directories
   * that accepts it. Returns the new paths of such files.
   */
  retire(path: string, directories: readonly string[]): string[];
  /** Creates an empty file that only this user can read. Throws `EEXIST` when it exists. */
  create(path: string): void;
}

/** Errors of Windows while another process has the file open. */
const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);
/** Delays between attempts. Virus scanners and indexers close a file within milliseconds. */
const PAUSES_MS = [5, 10, 20, 40, 80, 160];

/** Low-level operations of the machine. */
interface Actions extends Pick<System, "rename" | "remove" | "create"> {
  pause(ms: number): void;
}

const ACTIONS: Actions = {
  rename: renameSync,
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  // An existing file must not be opened: closing it would release this process's locks on it (POSIX).
  create: (path) => closeSync(openSync(path, "wx", 0o600)),
  pause: Bun.sleepSync,
};

/**
 * Returns the file operations of a platform. Only Windows refuses to rename, replace or remove a file that somebody has open; the
 * work is then repeated for a third of a second.
 */
export function createSystem(platform: NodeJS.Platform, actions: Actions = ACTIONS): System {
  const isWindows = platform === "win32";
  const paths = isWindows ? win32 : posix;
  const patiently = (work: () => void) => (isWindows ? whileInUse(work, actions.pause) : work());
  return {
    isAbsolute: (path) => paths.isAbsolute(path),
    isWithin(path, directory) {
      const way = paths.relative(directory, path);
      return way === "" || !(way === ".." || way.startsWith(`..${paths.sep}`) || paths.isAbsolute(way));
    },
    rename: (from, to) => patiently(() => actions.rename(from, to)),
    replace(from, to) {
      if (isWindows) replaceOnWindows(from, to, actions);
      else actions.rename(from, to);
    },
    remove: (path) => patiently(() => actions.remove(path)),
    retire(path, directories) {
      if (isWindows) return retireOnWindows(path, directories, actions);
      actions.remove(path);
      return [];
    },
    create: (path) => patiently(() => actions.create(path)),
  };
}

/** The file operations of this machine. */
export const SYSTEM = createSystem(process.platform);

/** Repeats work while a file is in use, and throws the error of the last attempt. */
function whileInUse(work: () => void, pause: Actions["pause"]): void {
  for (const ms of PAUSES_MS) {
    try {
      work();
      return;
    } catch (error) {
      if (!isInUse(error)) throw error;
      pause(ms);
    }
  }
  work();
}

function replaceOnWindows(from: string, to: string, { rename, pause }: Actions): void {
  try {
    whileInUse(() => rename(from, to), pause);
    return;
  } catch (error) {
    if (!isInUse(error)) throw error;
  }
  // A running program cannot be replaced, but it can be renamed.
  const aside = temporaryName(to);
  rename(to, aside);
  try {
    rename(from, to);
  } catch (error) {
    rename(aside, to);
    throw error;
  }
}

/** Moves files that cannot be removed. A running program cannot be deleted, but it can be renamed within its drive. */
function retireOnWindows(path: string, directories: readonly string[], actions: Actions): string[] {
  const { remove, rename, pause } = actions;
  const tryWhile = (work: () => void) => {
    try {
      whileInUse(work, pause);
      return null;
    } catch (error) {
      if (isInUse(error)) return error;
      throw error;
    }
  };
  if (tryWhile(() => remove(path)) === null) return [];
  const moved: string[] = [];
  for (const file of filesBelow(path)) {
    const failure = tryWhile(() => remove(file));
    if (failure === null) continue;
    const place = directories
      .map((directory) => temporaryName(join(directory, basename(file))))
      .find((to) => mayRename(file, to, rename));
    if (place === undefined) throw failure;
    moved.push(place);
  }
  whileInUse(() => remove(path), pause);
  return moved;
}

/** Tells whether a file can be renamed: not across drives, nor while another program has it open without sharing. */
function mayRename(from: string, to: string, rename: Actions["rename"]): boolean {
  try {
    rename(from, to);
    return true;
  } catch {
    return false;
  }
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && IN_USE.has(String(error.code));
}

/** The host properties that `openFile` needs. */
interface Desktop {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens a file with the desktop's default program and returns at once. Returns false without a desktop or a program that opens
 * files.
 */
export function openFile(path: string, { platform, env }: Desktop): boolean {
  const hasScreen = platform === "win32" || platform === "darwin" || hasDisplay(env);
  if (!hasScreen) return false;
  try {
    const child = Bun.spawn([...openerOf(platform), path], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      env: { ...env },
    });
    child.unref();
    return true;
  } catch {
    return false;
  }
}

function hasDisplay(env: Desktop["env"]): boolean {
  return [env.DISPLAY, env.WAYLAND_DISPLAY, env.WSL_DISTRO_NAME].some(
    (value) => value !== undefined && value !== "",
  );
}

function openerOf(platform: NodeJS.Platform): string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["explorer.exe"] : ["xdg-open"];
}

/** Suffix of files that are being written. A killed process leaves its file behind. */
export const TEMPORARY_SUFFIX = ".tmp";

/** Returns a name beside `path` that no other process uses. */
export function temporaryName(path: string): string {
  return `${path}.${crypto.randomUUID().slice(0, 8)}${TEMPORARY_SUFFIX}`;
}
