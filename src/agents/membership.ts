import { findProject, type Project } from "../git/project.ts";
import { linkedWorktrees } from "../git/worktrees.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";

/** Returns the roots of a project's worktrees, the primary one first, then where the project was before. */
export function worktreesOf({ root, worktreeRoot, isGit, formerRoots = [] }: Project): string[] {
  return [...new Set([root, worktreeRoot, ...(isGit ? linkedWorktrees(worktreeRoot) : []), ...formerRoots])];
}

/**
 * Returns a test for whether a working directory belongs to a project. A directory that is gone belongs to the
 * worktree around it.
 */
export function membership(project: Project): (cwd: string) => boolean {
  const known = new Map<string, boolean>();
  const { formerRoots = [] } = project;
  const roots = worktreesOf(project);
  const isBelow = (cwd: string) => roots.some((root) => SYSTEM.isWithin(cwd, root));
  return (cwd) => {
    const before = known.get(cwd);
    if (before !== undefined) return before;
    const found = findProject(cwd);
    const isOurs = found.root === project.root || (isGone(found, cwd, formerRoots) && isBelow(cwd));
    known.set(cwd, isOurs);
    return isOurs;
  };
}

/** Whether nothing is at a directory any more. What is around a former root does not count: it may be another project. */
function isGone(found: Project, cwd: string, formerRoots: readonly string[]): boolean {
  if (found.kind === "missing") return true;
  return formerRoots.some((former) => SYSTEM.isWithin(cwd, former) && !statIfExists(former));
}
