import { CHANGING_TOOLS } from "../constants.ts";
import type { Filter } from "../filter/filter.ts";
import type { FileTouch } from "../store/browse/types.ts";
import type { BrowseStore } from "../store/store.ts";
import { typedPath } from "./typed-path.ts";

/** How many files of the same name have their histories merged. */
const MAX_PATHS = 10;

/** A touch of one of the files whose history was asked for. */
export interface PathTouch extends FileTouch {
  path: string;
}

/** The files that a typed path names. */
export interface NamedFiles {
  /** Paths as the memory has them, at most ten. */
  paths: readonly string[];
  /** What the path is called if it is a directory; empty where it is a file's full path. */
  directories: readonly string[];
}

/** Finds the files that a path names: one that was typed in full, else all that end in it. */
export async function namedFiles(
  typed: string,
  cwd: string,
  browse: Pick<BrowseStore, "findPaths">,
): Promise<NamedFiles> {
  const named = typedPath(typed, cwd);
  const paths = await browse.findPaths(named);
  const isFile = paths.some((path) => named.exact.includes(path));
  return { paths: paths.slice(0, MAX_PATHS), directories: isFile ? [] : named.below };
}

/** Returns the turns that touched one of these files: those that changed it first, newer before older. */
export async function fileHistory(
  paths: readonly string[],
  wanted: { limit: number; filter: Filter },
  browse: Pick<BrowseStore, "fileHistory">,
): Promise<PathTouch[]> {
  const histories = await Promise.all(
    paths.map(async (path) => (await browse.fileHistory(path, wanted)).map((touch) => ({ ...touch, path }))),
  );
  const [only = [], ...others] = histories;
  return others.length === 0 ? only : histories.flat().sort(changedThenNewest).slice(0, wanted.limit);
}

function changedThenNewest(a: PathTouch, b: PathTouch): number {
  return (
    Number(isChange(b)) - Number(isChange(a)) ||
    (b.createdAt ?? "").localeCompare(a.createdAt ?? "") ||
    b.turnId - a.turnId
  );
}

function isChange({ toolNames }: PathTouch): boolean {
  return CHANGING_TOOLS.some((tool) => toolNames.includes(tool));
}
