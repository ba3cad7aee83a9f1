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
  /** The roots of other projects whose history this one takes over now. */
  taken: readonly string[];
  /** Returns the directories in which the session of a source began and ended; null when unknown. */
  endsOf: (path: string) => { first: string | null; last: string | null };
}

/**
 * Returns a function that finds the root of the other project to which a turn belongs by where it was said; null when it belongs to
 * this project. What was said in no project stays with the one in which its session began. Of a session that began elsewhere and
 * ended here a project also gets what was said in directories around it, and in those that are gone, as after a rename.
 */
export function otherProjects(
  project: Project,
  { isRegistered, taken, endsOf }: Surroundings,
): (cwd: string, path: string) => string | null {
  const belongs = projectMatcher(project);
  // Where something is at a recorded root again, that may be somebody else's.
  const roots = [...worktreesOf({ ...project, recordedRoots: [] }), ...taken];
  const others = remembered((cwd: string) =>
    belongs(cwd) || roots.some((root) => SYSTEM.isWithin(cwd, root)) ? null : findProject(cwd),
  );
  const claims = remembered((path: string): "began" | "ended" | "neither" => {
    const { first, last } = endsOf(path);
    if (first === null || belongs(first)) return "began";
    return last !== null && belongs(last) ? "ended" : "neither";
  });
  const isOurs = ({ kind, isGit, root }: Project, path: string) => {
    if (kind === "missing") return claims(path) !== "neither";
    if (isRegistered(root)) return false;
    return (
      claims(path) === "began" || (claims(path) === "ended" && !isGit && SYSTEM.isWithin(project.root, root))
    );
  };
  return (cwd, path) => {
    const other = others(cwd);
    return other === null || isOurs(other, path) ? null : other.root;
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
