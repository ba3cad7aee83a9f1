import { relative, sep } from "node:path";
import { findProject } from "../git/project.ts";
import { statIfExists } from "../io/read.ts";
import type { ProjectMemory } from "../project/memories.ts";

/** A relative path with more steps up than this is harder to read than the whole path. */
const MAX_STEPS_UP = 2;

/**
 * Returns the options that name a memory on a command line in `cwd`; empty for the memory of `cwd` itself. The memory of
 * a project that is gone from its place is named by its file.
 */
export function namedFrom(cwd: string, { root, databaseFile }: ProjectMemory): string[] {
  if (!statIfExists(root)?.isDirectory() || findProject(root).root !== root) return ["--db", databaseFile];
  return findProject(cwd).root === root ? [] : ["-C", shortPath(cwd, root)];
}

function shortPath(cwd: string, path: string): string {
  const way = relative(cwd, path) || ".";
  const stepsUp = way.split(sep).filter((name) => name === "..").length;
  const short = stepsUp <= MAX_STEPS_UP && way.length < path.length ? way : path;
  return short.startsWith("-") ? `./${short}` : short;
}
