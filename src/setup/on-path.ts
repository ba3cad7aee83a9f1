import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { statIfExists } from "../io/read.ts";

/** Returns the path of the `mementor` that a shell finds with this `PATH`; null when there is none. */
export function mementorOnPath(path: string, platform: NodeJS.Platform): string | null {
  return programOnPath("mementor", path, platform);
}

/** Returns the program of this name that a shell finds with this `PATH`; null when there is none. */
export function programOnPath(program: string, path: string, platform: NodeJS.Platform): string | null {
  const name = platform === "win32" ? `${program}.exe` : program;
  const candidates = path.split(delimiter).filter((directory) => directory !== "");
  return candidates.map((directory) => join(directory, name)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statIfExists(file)?.isFile() ?? false;
  } catch {
    return false;
  }
}
