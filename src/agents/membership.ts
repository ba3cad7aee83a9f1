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
  const { recordedRoots = [] } = project;
  const roots = worktreesOf(project);
  const isBelow = (cwd: string) => roots.some((root) => SYSTEM.isWithin(cwd, root));
  return remembered((cwd) => {
    const found = findProject(cwd);
    return found.root === project.root || (isGone(found, cwd, recordedRoots) && isBelow(cwd));
  });
}

/** What is known of directories and of sources besides the project. */
interface Surroundings {
  /** Tells whether the user has made a directory a project. */
  isRegistered: (root: string) => boolean;
  /** Returns the directory in which the session of a source was started; null when unknown. */
  startedIn: (path: string) => string | null;
}

/**
 * Returns a test for whether a turn of a project's session was said in another project, to which it belongs. What is said in none
 * stays with the project in which its session was started. Of a session that was started elsewhere a project gets what was said in
 * it and in directories around it, and what was said in directories that are gone, as after a rename.
 */
export function elsewhereMatcher(
  project: Project,
  { isRegistered, startedIn }: Surroundings,
): (cwd: string, path: string) => boolean {
  const belongs = projectMatcher(project);
  const roots = worktreesOf(project);
  const others = remembered((cwd: string): Project | null => {
    if (belongs(cwd) || roots.some((root) => SYSTEM.isWithin(cwd, root))) return null;
    const found = findProject(cwd);
    return found.kind === "missing" ? null : found;
  });
  const isFromElsewhere = remembered((path: string) => {
    const start = startedIn(path);
    return start !== null && !belongs(start);
  });
  return (cwd, path) => {
    const other = others(cwd);
    if (other === null) return false;
    if (isRegistered(other.root)) return true;
    return isFromElsewhere(path) && (other.isGit || !SYSTEM.isWithin(project.root, other.root));
  };
}

/** Maximum remembered texts, more than the directories that anyone works in. Bounds the memory that a hostile transcript can take. */
const MAX_REMEMBERED = 1_000;

/** Calls a function once for each text, since every turn of a transcript asks for the same. */
function remembered<Value>(find: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.has(text) ? (known.get(text) as Value) : find(text);
    if (known.size < MAX_REMEMBERED) known.set(text, value);
    return value;
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
