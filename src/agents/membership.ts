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
  return cached((cwd) => {
    const found = findProject(cwd);
    return found.root === project.root || (isGone(found, cwd, recordedRoots) && isBelow(cwd));
  });
}

/** Facts about directories and sources outside the project. */
interface Surroundings {
  /** Tells whether the user has made a directory a project. */
  isRegistered: (root: string) => boolean;
  /** The roots of other projects whose history this one takes over now. */
  taken: readonly string[];
  /** Returns the directories in which the session of a source began and ended; null when unknown. */
  endsOf: (path: string) => { first: string | null; last: string | null };
}

/**
 * Returns a function that finds the root of another project to which a turn belongs by its directory; null if it belongs to this
 * project. A turn outside all projects belongs to the project in which its session began. If a session began elsewhere and ended
 * here, its turns in enclosing or deleted directories (as after a rename) belong here, too.
 */
export function otherProjects(
  project: Project,
  { isRegistered, taken, endsOf }: Surroundings,
): (cwd: string, path: string) => string | null {
  const belongs = projectMatcher(project);
  // A recorded root that exists again may be somebody else's.
  const roots = [...worktreesOf({ ...project, recordedRoots: [] }), ...taken];
  const others = cached((cwd: string) =>
    belongs(cwd) || roots.some((root) => SYSTEM.isWithin(cwd, root)) ? null : findProject(cwd),
  );
  const claims = cached((path: string): "began" | "ended" | "neither" => {
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

/** Returns a function that caches results by text, because every turn of a transcript asks for the same. */
function cached<Value>(find: (text: string) => Value): (text: string) => Value {
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
