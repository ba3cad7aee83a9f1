import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { realPathIfExists, statIfExists } from "../read.ts";
import { UNTRUSTED } from "../untrusted.ts";
import { configValue, type GitLocation, locateTop, openRepository, readQuietly } from "./gitdir.ts";
import { runGit } from "./run.ts";

/**
 * Kind of a project directory: `primary` in a repository's main worktree, `linked` in a worktree made by `git worktree add`,
 * `submodule`, `bare` in a bare repository, `directory` outside git, `missing` if it does not exist.
 */
type ProjectKind = "primary" | "linked" | "submodule" | "bare" | "directory" | "missing";

export interface Project {
  /** The directory of the memory: the root of the main worktree or, outside git, the directory itself. A real path. */
  root: string;
  /** The root of the worktree around the directory; equals `root` except in a linked worktree. A real path. */
  worktreeRoot: string;
  kind: ProjectKind;
  isGit: boolean;
  /** The directory with `HEAD`; null outside git. */
  gitDir: string | null;
  /**
   * Earlier roots of the project, before its user moved it, and worktrees that were seen once. Sessions there belong to the
   * project unless something else is there now.
   */
  recordedRoots?: readonly string[];
}

/**
 * Finds the project of a directory by reading files, without running git. Never throws.
 *
 * A deleted directory belongs to the repository around its nearest existing parent. Without one, and for a path from another
 * operating system, the directory is its own project. A bare repository in a hidden directory (`.bare`, `.git`) has its parent
 * directory as root.
 */
export function findProject(cwd: string): Project {
  const real = realPathIfExists(cwd);
  const found =
    isAbsolute(cwd) && cwd.length <= UNTRUSTED.projectPathChars
      ? locateTop(real ?? nearestExisting(cwd))
      : null;
  if (found && found.gitDir !== null) return describe(found);
  const root = real === null ? cwd : (found?.top ?? real);
  return {
    root,
    worktreeRoot: root,
    kind: real === null ? "missing" : "directory",
    isGit: false,
    gitDir: null,
  };
}

function nearestExisting(path: string): string {
  const real = realPathIfExists(path);
  return real !== null || dirname(path) === path ? (real ?? path) : nearestExisting(dirname(path));
}

function describe(location: GitLocation): Project {
  const { top, gitDir, commonDir } = location;
  const project = (root: string, worktreeRoot: string, kind: ProjectKind): Project => ({
    root,
    worktreeRoot,
    kind,
    isGit: true,
    gitDir,
  });
  if (gitDir !== commonDir) return project(primaryRoot(commonDir), top, "linked");
  if (gitDir === top) {
    const root = primaryRoot(commonDir);
    return project(root, root, isInsideDotGit(location) ? "primary" : "bare");
  }
  if (isBare(commonDir)) return project(top, top, "bare");
  return project(top, top, isModule(gitDir) ? "submodule" : "primary");
}

/**
 * Returns the root that all worktrees of a repository share. A configured worktree counts only if its `.git` points back to this
 * repository. Without this check, a cloned repository could claim to be any project and read that project's memory.
 */
function primaryRoot(commonDir: string): string {
  const configured = isBare(commonDir) ? null : configValue(commonDir, "worktree");
  const worktree = configured === null ? null : realPathIfExists(resolve(commonDir, configured));
  if (worktree !== null && openRepository(worktree)?.commonDir === commonDir) return worktree;
  return basename(commonDir).startsWith(".") ? dirname(commonDir) : commonDir;
}

/** Tells whether a directory is a repository's `.git` directory itself. */
function isInsideDotGit({ top, commonDir }: GitLocation): boolean {
  return top === commonDir && basename(commonDir) === ".git" && !isBare(commonDir);
}

function isModule(gitDir: string): boolean {
  return /[\\/]modules[\\/]/.test(gitDir);
}

function isBare(commonDir: string): boolean {
  const value = configValue(commonDir, "bare");
  return value === "true" || (value === null && !hasDotGitName(commonDir));
}

function hasDotGitName(commonDir: string): boolean {
  return basename(commonDir) === ".git" || isModule(commonDir);
}

/**
 * Lists the directories that may begin the absolute paths in a transcript of this directory: the roots of its worktree and of the
 * main worktree, each as a real path and as `cwd` spells it (through symbolic links). Longest first, unique. A caller that knows
 * the directory's project passes it.
 */
export function projectRoots(cwd: string, project: Project = findProject(cwd)): string[] {
  const { root, worktreeRoot } = project;
  // A root is a real path, which has no other spelling.
  const isSpelled = isAbsolute(cwd) && cwd !== worktreeRoot;
  const spelled = isSpelled ? [...parents(resolve(cwd))].filter(isOneOf([root, worktreeRoot])) : [];
  return [...new Set([worktreeRoot, root, ...spelled])].sort((a, b) => b.length - a.length);
}

function* parents(path: string): Iterable<string> {
  yield path;
  if (dirname(path) !== path) yield* parents(dirname(path));
}

function isOneOf(roots: readonly string[]): (path: string) => boolean {
  return (path) => {
    const real = realPathIfExists(path);
    return real !== null && roots.includes(real);
  };
}

/** Returns the checked-out branch; null outside git, with a detached `HEAD`, or when `HEAD` cannot be read. */
export function currentBranch({ gitDir }: Pick<Project, "gitDir">): string | null {
  if (gitDir === null || statIfExists(join(gitDir, "HEAD")) === null) return null;
  const name = /^ref: refs\/heads\/(.*\S)\s*$/.exec(readQuietly(join(gitDir, "HEAD")) ?? "")?.[1];
  return name === undefined || name === ".invalid" ? null : name;
}

/** Tells whether git tracks a file, so that others may get it. False without git or a repository. */
export async function isTracked(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const words = ["ls-files", "--error-unmatch", "--", basename(file)];
  return (await runGit(dirname(file), words, env)) !== null;
}

/** A change of HEAD from one branch to another. */
interface Move {
  seconds: number;
  from: string;
  to: string;
}

const MOVE = /^\S+ \S+ .*? (\d+) [+-]\d{4}\tcheckout: moving from (\S+) to (\S+)$/;
const FIRST = /^\S+ \S+ .*? (\d+) [+-]\d{4}\t/;
/** A commit instead of a branch, in a detached HEAD. */
const DETACHED = /^[\da-f]{7,40}$/;

/**
 * Returns a function from a time (ISO 8601) to the branch that was checked out in a directory then, by git's log of HEAD. For
 * agents that do not record the branch. It returns null for a time before that log, outside git, in an unknown directory, and
 * with a detached HEAD.
 */
export function branchReader(cwd: string | null): (time: string | null) => string | null {
  const project = cwd === null ? null : findProject(cwd);
  const log =
    project?.gitDir == null ? null : readQuietly(join(project.gitDir, "logs", "HEAD"), UNTRUSTED.fileBytes);
  if (project === null || log === null) return () => null;
  const lines = log.split("\n");
  const moves = lines.flatMap((line) => moveOf(line) ?? []);
  const since = Number(FIRST.exec(lines[0] ?? "")?.[1] ?? Number.POSITIVE_INFINITY);
  return (time) => {
    const seconds = time === null ? Number.NaN : Date.parse(time) / 1000;
    if (!(seconds >= since)) return null;
    const last = moves.findLast((move) => move.seconds <= seconds);
    const name = last?.to ?? moves[0]?.from ?? currentBranch(project);
    return name === null || DETACHED.test(name) ? null : name;
  };
}

function moveOf(line: string): Move | null {
  const [, seconds, from, to] = MOVE.exec(line) ?? [];
  return from === undefined || to === undefined ? null : { seconds: Number(seconds), from, to };
}
