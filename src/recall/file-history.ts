import { join } from "node:path";
import { CHANGING_TOOLS } from "../constants.ts";
import { rootsOf } from "../io/git/project.ts";
import { statIfExists } from "../io/read.ts";
import type { FileTouch } from "../store/browse.ts";
import { type Filter, type PathFilter, readPath } from "../store/filter.ts";
import type { BrowseStore } from "../store/store.ts";
import { compareTimes } from "../text/when.ts";

/** Maximum number of files of the same name whose histories are merged. */
const MAX_PATHS = 10;

/** One use of a file whose history was requested. */
export interface PathTouch extends FileTouch {
  path: string;
}

/** The files that a typed path matches. */
export interface NamedFiles {
  /** Paths as the memory has them, at most ten. */
  paths: readonly string[];
  /** The directories that it names: each holds files that the memory knows. Empty for a file. */
  directories: readonly string[];
}

/**
 * Finds the files that a typed path matches: the one with exactly this path, or all whose paths end in it. A mere name that
 * is no file of the project now does not hide files of the same name in other directories: a turn may have named it so. A
 * path with known files below it is a directory, also where a turn searched it by that path.
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

/** Those of the directories, each with its final `/`, that hold files which the memory knows. */
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
  return [cwd, ...rootsOf(cwd)].some((directory) => statIfExists(join(directory, name)) !== null);
}

/**
 * Returns the turns that touched these files, newest first: those that changed a file before the others, unless
 * `byTime`.
 */
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

/** Reads a path that was typed in `cwd`. A path inside its project also matches relative to the project. */
export function typedPath(typed: string, cwd: string): PathFilter {
  return readPath(typed, cwd, rootsOf(cwd));
}
