import { dirname, join, relative, resolve } from "node:path";
import { MementorError } from "../errors.ts";
import { statIfExists } from "../io/read.ts";
import { memoryPaths, type UserDirs } from "./memory.ts";
import { type Registry, readRegistry, registryPath, updateRegistry } from "./registry.ts";

/** The directory of a registry's memories. */
export interface DataPlace {
  dataDir: string;
  /** True until the user confirms this place; until then it is neither read nor written. */
  isUnconfirmed: boolean;
  /** Another directory that the variables name and that is ignored; null for none. */
  ignored: string | null;
  /** Other directories in which memories of the registry may lie. */
  others: readonly string[];
}

/**
 * Returns where the memories of a registry lie: where they were made, whatever the variables name now. A variable that a project
 * sets would bring its own memory, or hide the user's, so that what was forgotten were read again. A registry of an older version
 * says nothing of that: then they lie in the usual place, unless the named one has some of them, too.
 *
 * Where that is gone, and where an older version may have used another place, nothing counts until the user runs `enable`; unless
 * the memories of the older version are only in the named place, and were made there when the registry says.
 *
 * @param named where the variables have it
 * @param usual where it is without any
 */
export function dataPlace(configDir: string, named: string, usual: string): DataPlace {
  const registry = readRegistry(configDir);
  const made = resolve(configDir, registry.dataDir ?? usual);
  const at = (dataDir: string) => ({
    ...{ dataDir, isUnconfirmed: false, ignored: null },
    others: [...new Set([made, named, usual])].filter((place) => place !== dataDir),
  });
  if (made === named || statIfExists(registryPath(configDir)) === null) return at(named);
  if (registry.dataDir === undefined) {
    const isMadeEmpty = !holdsMemory(made, registry);
    if (isMadeEmpty || holdsMemory(named, registry))
      return { ...at(named), isUnconfirmed: !(isMadeEmpty && isBirthplace(named, registry)) };
  } else if (statIfExists(join(made, "projects")) === null) return { ...at(named), isUnconfirmed: true };
  return { ...at(made), ignored: named };
}

function holdsMemory(dataDir: string, { projects }: Registry): boolean {
  return projects.some(({ id }) => id !== null && statIfExists(memoryPaths(dataDir, id).directory) !== null);
}

/** How far apart the times at which a project was registered and its memory was made may be, in ms. */
const MADE_WITHIN_MS = 10_000;

/**
 * Tells whether a directory contains a memory that was created there when its project was registered. Linux only: there, no
 * program can set a directory's creation time, so an archive or a copy is younger.
 */
function isBirthplace(dataDir: string, { projects }: Registry): boolean {
  if (process.platform !== "linux") return false;
  return projects.some(({ id, since }) => {
    const made = id === null ? null : statIfExists(memoryPaths(dataDir, id).directory);
    const age = (made?.birthtimeMs ?? 0) - Date.parse(since);
    return age > -MADE_WITHIN_MS && age < MADE_WITHIN_MS;
  });
}

/**
 * Returns the memories' place as the registry stores it: relative to its own directory, since the home may be mounted elsewhere.
 */
export function placeFrom({ configDir, dataDir }: Pick<UserDirs, "configDir" | "dataDir">): string {
  return relative(configDir, dataDir);
}

/** Records the memories' place in a registry of an older version. */
export function keepPlace(dirs: UserDirs): void {
  const { configDir } = dirs;
  if (statIfExists(registryPath(configDir)) === null) return;
  const known = readRegistry(configDir);
  if (known.dataDir === undefined && holdsMemory(dirs.dataDir, known))
    updateRegistry(configDir, (registry) => ({ dataDir: placeFrom(dirs), ...registry }));
}

/** Returns the error for memories whose place the user has not confirmed. */
export function unconfirmedPlaceError({ dataDir }: Pick<UserDirs, "dataDir">): MementorError {
  return new MementorError(
    "not_found",
    `It is not confirmed yet that your memories are in ${dirname(dataDir)}.`,
    {
      hint: 'If they are, run "mementor enable" in one of your projects; else unset XDG_DATA_HOME.',
    },
  );
}
