import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { readUntrusted, realPathIfExists, statIfExists } from "../read.ts";
import { UNTRUSTED } from "../untrusted.ts";

/** A worktree or a bare repository according to its files. All paths are real paths. */
export interface GitLocation {
  /** The directory that contains `.git`; for a bare repository, the repository itself. */
  top: string;
  /** The directory with this worktree's `HEAD`. */
  gitDir: string;
  /** The directory that all worktrees share; equals `gitDir` except in a linked worktree. */
  commonDir: string;
  /**
   * True when the commits belong to this directory: they are inside it, or their repository names it. Any directory can point to
   * another repository's commits in its `.git`.
   */
  isOwn: boolean;
}

/** A directory whose `.git` is a symbolic link, or contains links instead of git's files. It counts as outside git. */
interface LinkedTop {
  top: string;
  gitDir: null;
}

/** Finds the repository around a real directory by walking up, as git does; null outside repositories. */
export function locateGit(directory: string): GitLocation | null {
  const found = locateTop(directory);
  return found === null || found.gitDir === null ? null : found;
}

/** Finds the repository like `locateGit`, but also reports a directory whose `.git` does not count because it is a link. */
export function locateTop(directory: string): GitLocation | LinkedTop | null {
  for (let top = directory; ; top = dirname(top)) {
    const found = readTop(top);
    if (found) return found;
    if (dirname(top) === top) return null;
  }
}

/** Returns the repository with this real directory as its top; null when it is not one. */
export function openRepository(top: string): GitLocation | null {
  const found = readTop(top);
  return found === null || found.gitDir === null ? null : found;
}

export function readTop(top: string): GitLocation | LinkedTop | null {
  const dotGit = join(top, ".git");
  const stats = linkStats(dotGit);
  if (stats?.isSymbolicLink()) return statIfExists(dotGit) === null ? null : { top, gitDir: null };
  if (stats?.isDirectory() && isGitDir(dotGit)) return directoryAt(top, dotGit);
  if (stats?.isFile()) return fromGitFile(top, dotGit);
  return isGitDir(top) ? directoryAt(top, top) : null;
}

/** Follows the `commondir` file of a git directory to the shared one. Git writes that file only for linked worktrees. */
function directoryAt(top: string, gitDir: string): GitLocation | LinkedTop {
  if (GIT_FILES.some((name) => linkStats(join(gitDir, name))?.isSymbolicLink())) return { top, gitDir: null };
  return { top, gitDir, commonDir: gitDir, isOwn: linkStats(join(gitDir, "commondir")) === null };
}

/** Reads a `.git` file, `gitdir: <path>`. Linked worktrees, submodules and separated git directories have one. */
function fromGitFile(top: string, gitFile: string): GitLocation | null {
  const target = /^gitdir: (.+?)\r?\n?$/s.exec(readQuietly(gitFile) ?? "")?.[1];
  const gitDir = target === undefined ? null : realPathIfExists(resolve(top, target));
  if (gitDir === null) return null;
  const shared = readQuietly(join(gitDir, "commondir"))?.trim();
  if (shared === undefined) return isGitDir(gitDir) ? separatedAt(top, gitDir) : null;
  const commonDir = realPathIfExists(resolve(gitDir, shared));
  const isConfirmed =
    commonDir !== null &&
    isGitDir(commonDir) &&
    isBelow(gitDir, commonDir) &&
    pointsBack(gitDir, gitFile) &&
    haveOneOwner(gitFile, commonDir);
  return isConfirmed ? { top, gitDir, commonDir, isOwn: true } : null;
}

/** Locates a worktree with its git directory elsewhere, as in a submodule: `core.worktree` there must name the worktree. */
function separatedAt(top: string, gitDir: string): GitLocation {
  const named = configValue(gitDir, "worktree");
  const isNamed = named !== null && realPathIfExists(resolve(gitDir, named)) === top;
  return { top, gitDir, commonDir: gitDir, isOwn: isNamed || gitDir.startsWith(top + sep) };
}

/**
 * Tells whether a worktree's `gitDir` is where git puts it. Without this check, any directory could claim someone else's
 * repository.
 */
function isBelow(gitDir: string, commonDir: string): boolean {
  return dirname(gitDir) === join(commonDir, "worktrees");
}

/**
 * Tells whether a linked worktree's administrative files name this very worktree. Without this check, any directory could claim
 * to be a worktree of another project by its `.git` file, and so share that project's memory.
 */
function pointsBack(gitDir: string, gitFile: string): boolean {
  const backLink = readQuietly(join(gitDir, "gitdir"))?.trim();
  if (!backLink) return false;
  const named = resolve(gitDir, backLink);
  // The file is compared by its own name, since a link to it from another directory is another file.
  return basename(named) === basename(gitFile) && realPathIfExists(dirname(named)) === dirname(gitFile);
}

/**
 * Tells whether two paths have the same owner. After a worktree was deleted, another user may have made a directory that looks
 * like it.
 */
function haveOneOwner(a: string, b: string): boolean {
  return statIfExists(a)?.uid === statIfExists(b)?.uid;
}

/** The minimum contents of a repository directory. */
const GIT_PARTS = ["HEAD", "objects", "refs"];
/** Files that locate a repository, link it to others, and name its commits. */
const GIT_FILES = [...GIT_PARTS, "commondir", "gitdir", "config", "packed-refs", "reftable", "worktrees"];

/** Tells whether git would accept this as a repository directory. */
function isGitDir(path: string): boolean {
  return GIT_PARTS.every((name) => statIfExists(join(path, name)) !== null);
}

/** Returns a value from git's `[core]` section. `config.worktree` takes precedence over `config`. */
export function configValue(commonDir: string, key: string): string | null {
  for (const name of ["config.worktree", "config"]) {
    const text = readQuietly(join(commonDir, name), UNTRUSTED.fileBytes) ?? "";
    const core = /^[ \t]*\[core\]([^[]*)/im.exec(text)?.[1] ?? "";
    // White space is matched within a line and trimmed later: a backtracking pattern would take minutes on a crafted file.
    const value = new RegExp(`^[ \\t]*${key}[ \\t]*=(.*)$`, "im").exec(core)?.[1]?.trim();
    if (value !== undefined) return value.replace(/^"(.*)"$/, "$1").replaceAll("\\\\", "\\");
  }
  return null;
}

/**
 * Reads one of git's files, which contains a name or a path unless `maxBytes` allows more. Returns null for a link or an
 * unreadable file; otherwise works like `readUntrusted`.
 */
export function readQuietly(path: string, maxBytes: number = UNTRUSTED.gitLineBytes): string | null {
  try {
    return linkStats(path)?.isSymbolicLink() ? null : readUntrusted(path, "no links", maxBytes);
  } catch {
    return null;
  }
}

/** Returns the stats of a path without following links; null when nothing is there. */
export function linkStats(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns the normalised address that a repository was cloned from: `github.com/ada/app` for both `git@github.com:ada/app.git`
 * and `https://ada@github.com/ada/app`. Null without a remote named `origin`. Reads files without running git.
 */
export function remoteUrl(directory: string): string | null {
  const commonDir = locateGit(directory)?.commonDir;
  const text = commonDir === undefined ? null : readQuietly(join(commonDir, "config"), UNTRUSTED.fileBytes);
  const section = /^[ \t]*\[remote[ \t]+"origin"\]([^[]*)/im.exec(text ?? "")?.[1] ?? "";
  const url = /^[ \t]*url[ \t]*=(.*)$/im
    .exec(section)?.[1]
    ?.trim()
    .replace(/^"(.*)"$/, "$1");
  return url ? normalisedRemote(url) : null;
}

/** Normalises a remote's address: removes scheme, user, password, default port and `.git`, and lower-cases the host. */
export function normalisedRemote(url: string): string {
  const bare = url
    .trim()
    .replace(/(?<![/\\])[/\\]+$/, "")
    .replace(/\.git$/i, "");
  const [, host, path] =
    /^[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?([^/]+)\/(.*)$/is.exec(bare) ??
    /^(?:[^/@:]+@)?([^/:]{2,}):(?!\/\/)(.*)$/s.exec(bare) ??
    [];
  if (host === undefined || path === undefined) return bare.replace(/^file:\/\//i, "");
  return `${host.toLowerCase().replace(/:(?:22|80|443|9418)$/, "")}/${path.replace(/^\/+/, "").replace(/\/{2,}/g, "/")}`;
}

/** Lists the roots of a project's linked worktrees that exist and name this repository, as git spells them. */
export function linkedWorktrees(worktreeRoot: string): string[] {
  return entriesOf(worktreeRoot).flatMap(({ gitDir, root }) => {
    const real = realPathIfExists(root);
    return real !== null && openRepository(real)?.gitDir === realPathIfExists(gitDir) ? [root] : [];
  });
}

/**
 * Lists the roots of missing linked worktrees according to the repository's files. This is only a claim: whoever packs an archive
 * can name any directory.
 */
export function claimedWorktrees(worktreeRoot: string): string[] {
  return entriesOf(worktreeRoot).flatMap(({ root }) => (statIfExists(root) === null ? [root] : []));
}

/** Returns the record of each linked worktree: its git directory and its root. */
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
