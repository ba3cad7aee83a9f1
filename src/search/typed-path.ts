import { type PathFilter, readPath } from "../filter/path.ts";
import { rootsOf } from "../git/project.ts";

/** Reads a path that was typed in `cwd`. Paths inside its project also match relative to the project. */
export function typedPath(typed: string, cwd: string): PathFilter {
  return readPath(typed, cwd, rootsOf(cwd));
}
