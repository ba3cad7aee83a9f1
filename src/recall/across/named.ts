import { relative, sep } from "node:path";
import { MementorError } from "../../errors.ts";
import { findProject } from "../../io/git/project.ts";
import { statIfExists } from "../../io/read.ts";
import type { ProjectMemory } from "../../project/memories.ts";
import type { Runtime } from "../../runtime.ts";

/** A relative path with more steps up than this is harder to read than the whole path. */
const MAX_STEPS_UP = 2;

/**
 * Returns the options that name a memory on the user's next command line; none for the memory of the directory where that is
 * typed. The memory of a project that is gone from its place is named by its file.
 */
export function namedFrom(
  { host: { cwd }, memoryOptions }: Pick<Runtime, "host" | "memoryOptions">,
  { root, databaseFile }: ProjectMemory,
): string[] {
  if (!statIfExists(root)?.isDirectory() || findProject(root).root !== root) return ["--db", databaseFile];
  // With -C, the next command line is typed elsewhere than in `cwd`.
  if (memoryOptions.length > 0) return ["-C", root];
  return findProject(cwd).root === root ? [] : ["-C", shortPath(cwd, root)];
}

/** @throws `usage` where the command line names a database, which is one memory, and asks for all. */
export function refuseDatabase({ memoryOptions }: Pick<Runtime, "memoryOptions">): void {
  if (memoryOptions[0] !== "--db") return;
  throw new MementorError("usage", "--db names one memory, and --all-projects reads those of all projects.", {
    hint: "Leave one of them out.",
  });
}

function shortPath(cwd: string, path: string): string {
  const way = relative(cwd, path) || ".";
  const stepsUp = way.split(sep).filter((name) => name === "..").length;
  const short = stepsUp <= MAX_STEPS_UP && way.length < path.length ? way : path;
  return short.startsWith("-") ? `./${short}` : short;
}
