import { delimiter, dirname, resolve } from "node:path";
import { topAt } from "../io/git/gitdir.ts";
import { findProject, type Project } from "../io/git/project.ts";
import { realPathIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";

/** Variables that name where trusted files lie, or a program that is started. */
export const PLACES: readonly string[] = [
  ...["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP", "SQLITE_TMPDIR"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_GIT_BASH_PATH", "CODEX_HOME", "COPILOT_HOME", "CURSOR_CONFIG_DIR"],
  ...["GEMINI_CLI_HOME", "QWEN_HOME", "QWEN_RUNTIME_DIR", "OPENCODE_DB"],
  ...["CLINE_DIR", "CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR"],
  ...["PGPASSFILE", "PGSSLROOTCERT", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["EDITOR", "VISUAL", "PAGER"],
];

const HOMES: readonly string[] = ["HOME", "USERPROFILE"];

/** Among them, those that hold a command: its name alone is looked for in PATH. */
const COMMANDS = new Set(["EDITOR", "VISUAL", "PAGER"]);

/** The kernel's names for what a process has open, such as `/proc/self/cwd`: they lead into whatever project it is in. */
const OF_PROCESS = /^\/(?:proc|dev\/fd)(?:\/|$)/;

/**
 * Takes out of an environment what leads into the project of a directory, and returns the variables that were refused: a
 * repository can set variables for its agent, and would plant a memory, or a program, among its own files. Directories of
 * PATH in the project go silently.
 */
export async function refusePlanted(env: Record<string, string | undefined>, cwd: string): Promise<string[]> {
  const project = findProject(cwd);
  const rootOf = rootFinder();
  const isOfProcess = (path: string) => OF_PROCESS.test(resolve(cwd, path));
  const isInside = (path: string) => leadsInto(resolve(cwd, path), project, rootOf);
  const places = (name: string) => placesOf(name, env[name]);
  const leading = PLACES.filter((name) => places(name).some((path) => isOfProcess(path) || isInside(path)));
  // Loaded only where it decides: this runs at the start of every hook.
  const account = leading.length === 0 ? null : await import("../io/account.ts");
  const home = HOMES.some((name) => leading.includes(name)) ? (account?.accountHome() ?? null) : null;
  // Whose home directory is in the project has the usual places there.
  const isAtHome = home !== null && SYSTEM.isWithin(home, project.root);
  const isPlanted = (path: string) => isOfProcess(path) || (!isAtHome && isInside(path));
  const refused = leading.filter((name) => places(name).some(isPlanted));
  for (const name of refused) delete env[name];
  account?.unset(refused);
  for (const name of ["PATH", "Path"]) {
    const path = env[name];
    if (path === undefined) continue;
    const kept = path.split(delimiter).filter((each) => !isPlanted(each));
    if (kept.join(delimiter) !== path) env[name] = kept.join(delimiter);
  }
  return refused;
}

/**
 * The paths that a variable's value names: of a command each word that is one, as a shell takes words. An empty value is a path as
 * a home directory, which would be where one is, and a relative one is none for OpenCode, which looks for it among its own data.
 */
function placesOf(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  if (COMMANDS.has(name)) return shellWords(value).filter((word) => /[/\\]/.test(word));
  if (name === "OPENCODE_DB") return SYSTEM.isAbsolute(value) ? [value] : [];
  return value !== "" || HOMES.includes(name) ? [value] : [];
}

/** The words of a command line, without their quotes. */
function shellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** Whether a path lies in a project or any of its worktrees. */
function leadsInto(
  path: string,
  { root, worktreeRoot, isGit }: Project,
  rootOf: (directory: string) => string | null,
): boolean {
  const real = realOf(path);
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
