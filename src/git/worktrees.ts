import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { locateGit, readQuietly } from "./gitdir.ts";

/** Lists the roots of a project's linked worktrees as git records them, including deleted worktrees. */
export function linkedWorktrees(worktreeRoot: string): string[] {
  const commonDir = locateGit(worktreeRoot)?.commonDir;
  if (commonDir === undefined) return [];
  return entriesOf(join(commonDir, "worktrees")).flatMap((gitDir) => {
    const gitFile = readQuietly(join(gitDir, "gitdir"))?.trim();
    return gitFile ? [dirname(resolve(gitDir, gitFile))] : [];
  });
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
      .sort()
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}
