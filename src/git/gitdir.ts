import { dirname, join, resolve } from "node:path";
import { readUntrusted, realPathIfExists, statIfExists } from "../io/read.ts";

/** A worktree, or a bare repository, as its files describe it. All paths are real paths. */
export interface GitLocation {
  /** The directory that holds `.git`; for a bare repository the repository itself. */
  top: string;
  /** Holds this worktree's `HEAD`. */
  gitDir: string;
  /** Holds what all worktrees share; equals `gitDir` except in a linked worktree. */
  commonDir: string;
}

/** Finds the repository that contains a real directory by walking up, as git does; null outside of repositories. */
export function locateGit(directory: string): GitLocation | null {
  for (let top = directory; ; top = dirname(top)) {
    const found = repositoryAt(top);
    if (found) return found;
    if (dirname(top) === top) return null;
  }
}

/** Returns the repository whose top is this real directory; null if it is not the top of a repository. */
export function repositoryAt(top: string): GitLocation | null {
  const dotGit = join(top, ".git");
  const stats = statIfExists(dotGit);
  if (stats?.isDirectory() && isGitDir(dotGit)) {
    const gitDir = realPathIfExists(dotGit) ?? dotGit;
    return { top, gitDir, commonDir: gitDir };
  }
  if (stats?.isFile()) return fromGitFile(top, dotGit);
  return isGitDir(top) ? { top, gitDir: top, commonDir: top } : null;
}

/** Reads a `.git` file, `gitdir: <path>`. Linked worktrees, submodules and separated git directories have one. */
function fromGitFile(top: string, gitFile: string): GitLocation | null {
  const target = /^gitdir: (.+?)\r?\n?$/s.exec(readQuietly(gitFile) ?? "")?.[1];
  const gitDir = target === undefined ? null : realPathIfExists(resolve(top, target));
  if (gitDir === null) return null;
  const shared = readQuietly(join(gitDir, "commondir"))?.trim();
  if (shared === undefined) return isGitDir(gitDir) ? { top, gitDir, commonDir: gitDir } : null;
  const commonDir = realPathIfExists(resolve(gitDir, shared));
  const isConfirmed =
    commonDir !== null && isGitDir(commonDir) && isBelow(gitDir, commonDir) && pointsBack(gitDir, gitFile);
  return isConfirmed ? { top, gitDir, commonDir } : null;
}

/** Whether a worktree's `gitDir` is where git puts it. Otherwise any directory could claim someone else's repository. */
function isBelow(gitDir: string, commonDir: string): boolean {
  return dirname(gitDir) === join(commonDir, "worktrees");
}

/**
 * Whether a linked worktree's administrative files name this very worktree. Without this check any directory could
 * claim to be a worktree of another project by its `.git` file, and so share that project's memory.
 */
function pointsBack(gitDir: string, gitFile: string): boolean {
  const backLink = readQuietly(join(gitDir, "gitdir"))?.trim();
  if (!backLink) return false;
  return realPathIfExists(resolve(gitDir, backLink)) === realPathIfExists(gitFile);
}

/** Whether git would accept this as a repository directory. */
function isGitDir(path: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => statIfExists(join(path, name)) !== null);
}

/** Like `readUntrusted`, but returns null for a file that cannot be read. */
export function readQuietly(path: string): string | null {
  try {
    return readUntrusted(path);
  } catch {
    return null;
  }
}
