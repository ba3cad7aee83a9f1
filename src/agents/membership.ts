import { linkedWorktrees } from "../io/git/gitdir.ts";
import { findProject, type Project } from "../io/git/project.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";

/** Returns the roots of a project's worktrees: the primary one, the current one, then the recorded ones. */
export function worktreesOf({ root, worktreeRoot, isGit, recordedRoots = [] }: Project): string[] {
  return [
    ...new Set([root, worktreeRoot, ...(isGit ? linkedWorktrees(worktreeRoot) : []), ...recordedRoots]),
  ];
}

/**
 * Returns a test for whether a working directory belongs to a project. A missing directory belongs to the worktree around it, if
 * that still exists or was seen once.
 */
export function projectMatcher(project: Project): (cwd: string) => boolean {
  const known = new Map<string, boolean>();
  const { recordedRoots = [] } = project;
  const roots = worktreesOf(project);
  const isBelow = (cwd: string) => roots.some((root) => SYSTEM.isWithin(cwd, root));
  return (cwd) => {
    const before = known.get(cwd);
    if (before !== undefined) return before;
    const found = findProject(cwd);
    const isOurs = found.root === project.root || (isGone(found, cwd, recordedRoots) && isBelow(cwd));
    known.set(cwd, isOurs);
    return isOurs;
  };
}

/**
 * Tells whether nothing is left at a directory. The surroundings of a recorded root do not count, because they may be another
 * project.
 */
function isGone(found: Project, cwd: string, recordedRoots: readonly string[]): boolean {
  if (found.kind === "missing") return true;
  return recordedRoots.some((recorded) => SYSTEM.isWithin(cwd, recorded) && !statIfExists(recorded));
}
