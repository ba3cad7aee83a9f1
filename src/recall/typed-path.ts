import { rootsOf } from "../io/git/project.ts";
import { type PathFilter, readPath } from "../store/filter-path.ts";

/** Reads a path that was typed in `cwd`. A path inside its project also matches relative to the project. */
export function typedPath(typed: string, cwd: string): PathFilter {
  return readPath(typed, cwd, rootsOf(cwd));
}
