import { findProject, type Project } from "../git/project.ts";
import { linkedWorktrees } from "../git/worktrees.ts";
import { SYSTEM } from "../io/system.ts";

/** Returns the roots of a project's worktrees, the primary one first. */
export function worktreesOf({ root, worktreeRoot, isGit }: Project): string[] {
  return [...new Set([root, worktreeRoot, ...(isGit ? linkedWorktrees(worktreeRoot) : [])])];
}

/**
 * Returns a test for whether a working directory belongs to a project. A directory that is gone belongs to the
 * worktree around it.
 */
export function membership(project: Project): (cwd: string) => boolean {
  const known = new Map<string, boolean>();
  const roots = worktreesOf(project);
  const isBelow = (cwd: string) => roots.some((root) => SYSTEM.isWithin(cwd, root));
  return (cwd) => {
    const before = known.get(cwd);
    if (before !== undefined) return before;
    const found = findProject(cwd);
    const isOurs = found.root === project.root || (found.kind === "missing" && isBelow(cwd));
    known.set(cwd, isOurs);
    return isOurs;
  };
}
