import { renameSync } from "node:fs";
import { posix, win32 } from "node:path";
import { temporaryName } from "./temporary-name.ts";

/** What files and paths do differently on each system. Tests make that of another system than their own. */
export interface System {
  isAbsolute(path: string): boolean;
  /** Whether a path is a directory or below it. Windows reads `/` as `\`, and capitals as small letters. */
  isWithin(path: string, directory: string): boolean;
  /** Renames a file over another one. Where a program runs from that, it is moved out of the way first. */
  replace(from: string, to: string): void;
}

/** What Windows answers while another process has the file open. */
const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);
/** Virus scanners and indexers close a file again within milliseconds. */
const PAUSES_MS = [5, 10, 20, 40, 80, 160];

/** What a system needs of the machine. */
interface Actions {
  rename(from: string, to: string): void;
  pause(ms: number): void;
}

const ACTIONS: Actions = { rename: renameSync, pause: Bun.sleepSync };

/** Returns the rules of a platform. */
export function systemOf(platform: NodeJS.Platform, actions: Actions = ACTIONS): System {
  const paths = platform === "win32" ? win32 : posix;
  return {
    isAbsolute: (path) => paths.isAbsolute(path),
    isWithin(path, directory) {
      const way = paths.relative(directory, path);
      return way === "" || !(way === ".." || way.startsWith(`..${paths.sep}`) || paths.isAbsolute(way));
    },
    replace(from, to) {
      if (platform === "win32") replaceOnWindows(from, to, actions);
      else actions.rename(from, to);
    },
  };
}

/** The rules of this machine. */
export const SYSTEM = systemOf(process.platform);

function replaceOnWindows(from: string, to: string, { rename, pause }: Actions): void {
  for (const ms of PAUSES_MS) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!isInUse(error)) throw error;
      pause(ms);
    }
  }
  // A program that runs cannot be replaced, but it can be renamed.
  const aside = temporaryName(to);
  rename(to, aside);
  try {
    rename(from, to);
  } catch (error) {
    rename(aside, to);
    throw error;
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && IN_USE.has(String(error.code));
}
