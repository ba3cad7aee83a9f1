import { delimiter, dirname, resolve } from "node:path";
import { topAt } from "../git/gitdir.ts";
import { findProject, type Project } from "../git/project.ts";
import { realPathIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { lazily } from "../lazily.ts";

/** Variables that name where trusted files lie, or a program that is started. */
export const PLACES: readonly string[] = [
  ...["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP", "SQLITE_TMPDIR"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_GIT_BASH_PATH", "CODEX_HOME", "COPILOT_HOME", "CURSOR_CONFIG_DIR"],
  ...["GEMINI_CLI_HOME", "QWEN_HOME", "QWEN_RUNTIME_DIR", "OPENCODE_DB"],
  ...["CLINE_DIR", "CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR"],
  ...["PGPASSFILE", "PGSSLROOTCERT", "EDITOR", "VISUAL", "PAGER"],
];

/** The kernel's names for what a process has open, such as `/proc/self/cwd`: they lead into whatever project it is in. */
const OF_PROCESS = /^\/(?:proc|dev\/fd)(?:\/|$)/;

/**
 * Takes out of an environment what leads into the project of a directory, and returns the variables that were refused: a
 * repository can set variables for its agent, and would plant a memory, or a program, among its own files. Directories of
 * PATH in the project go silently.
 */
export function refusePlanted(env: Record<string, string | undefined>, cwd: string): string[] {
  const project = findProject(cwd);
  const rootOf = rootFinder();
  // Whose home directory is in the project has the usual places there.
  const isAtHome = lazily(() => SYSTEM.isWithin(accountHome(), project.root));
  const isPlanted = (name: string, path: string) =>
    OF_PROCESS.test(path) || (leadsInto(path, project, name === "HOME", rootOf) && !isAtHome());
  const refused = PLACES.filter((name) => {
    const path = env[name] ?? "";
    return SYSTEM.isAbsolute(path) && isPlanted(name, path);
  });
  for (const name of refused) delete env[name];
  for (const name of ["PATH", "Path"]) {
    const path = env[name];
    if (path === undefined) continue;
    const kept = path.split(delimiter).filter((each) => !isPlanted(name, resolve(cwd, each)));
    if (kept.join(delimiter) !== path) env[name] = kept.join(delimiter);
  }
  return refused;
}

/** Whether a path lies in a project or any of its worktrees. `isHome`: the project may be the whole of a home directory. */
function leadsInto(
  path: string,
  { root, worktreeRoot, isGit }: Project,
  isHome: boolean,
  rootOf: (directory: string) => string | null,
): boolean {
  const real = realOf(path);
  if (isHome && real === root) return false;
  if ([root, worktreeRoot].some((top) => SYSTEM.isWithin(real, top))) return true;
  return isGit && rootOf(real) === root;
}

/**
 * Returns a function that finds the root of the repository around a real directory. Directories of PATH share those above
 * them, and each is looked at once: this runs at the start of every hook.
 */
function rootFinder(): (directory: string) => string | null {
  const known = new Map<string, string | null>();
  const rootOf = (directory: string): string | null => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const above = dirname(directory);
    const root =
      topAt(directory) !== null ? findProject(directory).root : above === directory ? null : rootOf(above);
    known.set(directory, root);
    return root;
  };
  return rootOf;
}

/** The real path of what is there, or of the nearest directory above it. */
function realOf(path: string): string {
  const real = realPathIfExists(path);
  return real !== null || dirname(path) === path ? (real ?? path) : realOf(dirname(path));
}

/** The home directory that the system's accounts name, whatever HOME says. */
function accountHome(): string {
  try {
    // Loaded only where it decides: this runs at the start of every hook.
    return process.getBuiltinModule("node:os").userInfo().homedir;
  } catch {
    return "/";
  }
}
