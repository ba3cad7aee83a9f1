import { join } from "node:path";
import { CHANGING_TOOLS } from "../constants.ts";
import { projectRoots } from "../io/git/project.ts";
import { statIfExists } from "../io/read.ts";
import type { FileTouch } from "../store/browse.ts";
import { type Filter, type PathFilter, readPath } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import { compareTimes } from "../text/when.ts";

/** Maximum files of the same name whose histories are merged. */
const MAX_PATHS = 10;

/** A touch of a file in a requested history. */
export interface PathTouch extends FileTouch {
  path: string;
}

/** The files that a typed path matches. */
export interface NamedFiles {
  /** Stored paths, at most ten. */
  paths: readonly string[];
  /** Directories with known files that it names. Empty for a file. */
  directories: readonly string[];
}

/**
 * Finds the files that a typed path matches: the one with exactly this path, or all whose paths end in it. A bare name that is
 * not a current file of the project does not hide same-named files in other directories, because a turn may have shortened their
 * names. A path with known files below it is a directory, even if a turn searched it by that path.
 */
export async function filesNamed(
  typed: string,
  cwd: string,
  browse: Pick<BrowseStore, "findPaths" | "files">,
): Promise<NamedFiles> {
  const named = typedPath(typed, cwd);
  const known = await browse.findPaths(named);
  const isExact = known.some((path) => named.exact.includes(path));
  const isLoose = isExact && !/[\\/]/.test(typed) && !isThere(typed, cwd);
  const paths = (isLoose ? await browse.findPaths({ ...named, exact: [] }) : known).slice(0, MAX_PATHS);
  const below = await holdingFiles(named.below, browse);
  if (below.length > 0 || isExact) return { paths, directories: below };
  const ends = await holdingFiles(
    paths.map((path) => `${path}/`),
    browse,
  );
  return { paths, directories: ends.length === paths.length ? ends : [] };
}

/** Returns those of the directories, each with a trailing `/`, that contain known files. */
async function holdingFiles(
  directories: readonly string[],
  browse: Pick<BrowseStore, "files">,
): Promise<string[]> {
  const holding: string[] = [];
  for (const below of directories)
    if ((await browse.files({ limit: 1, below })).length > 0) holding.push(below);
  return holding;
}

function isThere(name: string, cwd: string): boolean {
  return [cwd, ...projectRoots(cwd)].some((directory) => statIfExists(join(directory, name)) !== null);
}

/** Returns the turns that touched these files, newest first. Turns that changed a file come before others, unless `byTime`. */
export async function fileHistory(
  paths: readonly string[],
  wanted: { limit: number; filter: Filter; byTime?: boolean },
  browse: Pick<BrowseStore, "fileHistory">,
): Promise<PathTouch[]> {
  const histories = await Promise.all(
    paths.map(async (path) => (await browse.fileHistory(path, wanted)).map((touch) => ({ ...touch, path }))),
  );
  const [only = [], ...others] = histories;
  return others.length === 0
    ? only
    : histories
        .flat()
        .sort(wanted.byTime ? newest : changedThenNewest)
        .slice(0, wanted.limit);
}

function newest(a: PathTouch, b: PathTouch): number {
  return compareTimes(b.createdAt, a.createdAt) || b.turnId - a.turnId;
}

function changedThenNewest(a: PathTouch, b: PathTouch): number {
  return Number(isChange(b)) - Number(isChange(a)) || newest(a, b);
}

function isChange({ toolNames }: PathTouch): boolean {
  return CHANGING_TOOLS.some((tool) => toolNames.includes(tool));
}

/** Parses a path typed in `cwd`. A path inside its project also matches relative to the project. */
export function typedPath(typed: string, cwd: string): PathFilter {
  return readPath(typed, cwd, projectRoots(cwd));
}
