import { join } from "node:path";
import { CHANGING_TOOLS } from "../constants.ts";
import type { Filter } from "../filter/filter.ts";
import { rootsOf } from "../git/project.ts";
import { statIfExists } from "../io/read.ts";
import type { BrowseStore } from "../store/contract/store.ts";
import type { FileTouch } from "../store/contract/types/browse.ts";
import { compareTimes } from "../text/times.ts";
import { typedPath } from "./typed-path.ts";

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
  /** The path as a directory. Empty when it is the full path of a file. */
  directories: readonly string[];
}

/**
 * Finds the files that a typed path matches: the one with exactly this path, or all whose paths end in it. A mere name that
 * is no file of the project now does not hide files of the same name in other directories: a turn may have named it so.
 */
export async function namedFiles(
  typed: string,
  cwd: string,
  browse: Pick<BrowseStore, "findPaths">,
): Promise<NamedFiles> {
  const named = typedPath(typed, cwd);
  const known = await browse.findPaths(named);
  const isFile = known.some((path) => named.exact.includes(path));
  const isLoose = isFile && !/[\\/]/.test(typed) && !isThere(typed, cwd);
  const paths = isLoose ? await browse.findPaths({ ...named, exact: [] }) : known;
  return { paths: paths.slice(0, MAX_PATHS), directories: isFile ? [] : named.below };
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
