import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { realPathIfExists, statIfExists } from "../read.ts";
import { UNTRUSTED } from "../untrusted.ts";
import { linkStats, locateGit, readQuietly, repositoryAt } from "./gitdir.ts";

/** Lists the roots of a project's linked worktrees that are there and name this repository as theirs, as git spells them. */
export function linkedWorktrees(worktreeRoot: string): string[] {
  return entriesOf(worktreeRoot).flatMap(({ gitDir, root }) => {
    const real = realPathIfExists(root);
    return real !== null && repositoryAt(real)?.gitDir === realPathIfExists(gitDir) ? [root] : [];
  });
}

/**
 * Lists the roots of linked worktrees that are gone, as this repository's files say. That proves nothing: whoever packs an
 * archive can name any directory.
 */
export function claimedWorktrees(worktreeRoot: string): string[] {
  return entriesOf(worktreeRoot).flatMap(({ root }) => (statIfExists(root) === null ? [root] : []));
}

/** What is recorded of each linked worktree: its directory of git's files, and its root. */
function entriesOf(worktreeRoot: string): { gitDir: string; root: string }[] {
  const commonDir = locateGit(worktreeRoot)?.commonDir;
  if (commonDir === undefined) return [];
  return namesIn(join(commonDir, "worktrees")).flatMap((name) => {
    const gitDir = join(commonDir, "worktrees", name);
    const gitFile = linkStats(gitDir)?.isDirectory() ? readQuietly(join(gitDir, "gitdir"))?.trim() : null;
    const root = gitFile ? dirname(resolve(gitDir, gitFile)) : null;
    return root !== null && isAbsolute(root) ? [{ gitDir, root }] : [];
  });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort().slice(0, UNTRUSTED.worktrees);
  } catch {
    return [];
  }
}
