import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Host } from "../host.ts";
import { readTop } from "../io/git/gitdir.ts";
import { findProject, type Project } from "../io/git/project.ts";
import { PACKAGE_MANAGER_VARIABLES } from "../io/passed-on.ts";
import { realPathIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { commandFiles } from "./command-files.ts";
import { isMadeElsewhere } from "./registry.ts";

/** Variables that name where trusted files lie, or a program that is started. */
const PLACES: readonly string[] = [
  ...["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP", "SQLITE_TMPDIR"],
  ...["SystemRoot", "SYSTEMROOT"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...[
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_GIT_BASH_PATH",
    "CLAUDE_ENV_FILE",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CURSOR_CONFIG_DIR",
  ],
  ...["GEMINI_CLI_HOME", "QWEN_HOME", "QWEN_RUNTIME_DIR", "OPENCODE_DB"],
  ...["CLINE_DIR", "CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR"],
  ...["PGPASSFILE", "PGSSLROOTCERT", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["npm_config_cafile", "NPM_CONFIG_CAFILE"],
  ...["PNPM_HOME", "BUN_INSTALL", "SCOOP", "SCOOP_GLOBAL"],
  ...PACKAGE_MANAGER_VARIABLES,
  ...["EDITOR", "VISUAL", "PAGER", "BROWSER", "LESS", "LESSOPEN", "LESSCLOSE"],
  ...["LESSKEY", "LESSKEYIN", "LESSKEY_SYSTEM"],
];

const HOMES: readonly string[] = ["HOME", "USERPROFILE"];

/** Among them, those that hold a command. */
const COMMANDS = new Set(["EDITOR", "VISUAL", "PAGER", "BROWSER", "LESS", "LESSOPEN", "LESSCLOSE"]);

/** Lists of directories, of which those in the project are taken out. */
const LISTS = ["PATH", "Path", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS"];

/** Kernel paths to a process's open files, such as `/proc/self/cwd`, which may lead into any project. */
const OF_PROCESS = /^\/(?:proc|dev\/fd)(?:\/|$)/;

/** Maximum path length on any system. A longer path is in the same project as its start. */
const PATH_CHARS = 4_096;

/**
 * Removes environment variables that point into a directory's project, and records them as refused. A repository can set
 * variables for its agent, and could so plant a memory or a program among its files. Also removes variables that point into an
 * enclosing repository (unless it contains the user's home directory), to a registry or a package manager's files from the same
 * archive as the project, and to another user's registry. Drops relative and in-project entries of `PATH`-like lists silently. Runs for the process's directory
 * and, before a memory is opened, for the working directory.
 */
export async function dropUntrustedVariables(host: Host, directory: string): Promise<void> {
  const near = directory.length <= PATH_CHARS ? directory : dirname(directory.slice(0, PATH_CHARS));
  const refused = await refusedIn(host.env, { directory: near, cwd: host.cwd, uid: host.uid });
  if (refused.length > 0) host.refused = [...(host.refused ?? []), ...refused];
}

/** A path that a variable names, and what decides whether it was planted. */
interface Place {
  name: string;
  path: string;
  project: Project;
  rootOf: (directory: string) => string | null;
  uid: number | null;
}

/** What the account says: its home directory, and whether that is in the project, which then has the usual places. */
interface Account {
  home: string | null;
  isAtHome: boolean;
}

const isOfProcess = ({ path }: Place) => OF_PROCESS.test(path);
const isInside = ({ path, project, rootOf }: Place) => leadsInto(path, project, rootOf);

/** Why a path may have been planted, and how the account refutes that. */
const DOUBTS: readonly {
  isSo: (place: Place) => boolean;
  isRefuted: (place: Place, account: Account) => boolean;
}[] = [
  { isSo: isOfProcess, isRefuted: () => false },
  { isSo: isInside, isRefuted: (_, { isAtHome }) => isAtHome },
  {
    isSo: ({ path, project, rootOf }) => project.isGit && surrounds(path, project.root, rootOf),
    isRefuted: ({ path, rootOf }, { home }) => home !== null && rootOf(realOf(path)) === rootOf(realOf(home)),
  },
  {
    isSo({ name, path, project }) {
      // Programs, and settings that say what is installed: an archive may bring them beside the project.
      if (PACKAGE_MANAGER_VARIABLES.includes(name)) return sharesArchive(path, project.root);
      const registry = registryIn(name, path);
      return registry !== null && sharesArchive(registry, project.root) && isMadeElsewhere(registry);
    },
    isRefuted: ({ path, project }, { home }) => holdsHome(path, project.root, home),
  },
  {
    isSo({ name, path, uid }) {
      const registry = registryIn(name, path);
      const owner = uid === null || registry === null ? undefined : statIfExists(registry)?.uid;
      return owner !== undefined && owner !== uid;
    },
    isRefuted: ({ path }, { home }) => path === home,
  },
];

async function refusedIn(
  env: Record<string, string | undefined>,
  { directory, cwd, uid }: { directory: string; cwd: string; uid: number | null },
): Promise<string[]> {
  const project = findProject(directory);
  const rootOf = rootFinder();
  const placeAt = (name: string, path: string): Place => ({
    name,
    path: resolve(cwd, path),
    project,
    rootOf,
    uid,
  });
  const doubted = PLACES.flatMap((name) => placesOf(name, env[name], cwd).map((path) => placeAt(name, path)))
    .map((place) => ({ place, doubts: DOUBTS.filter(({ isSo }) => isSo(place)) }))
    .filter(({ doubts }) => doubts.length > 0);
  // Loaded only where it decides: this runs at the start of every hook.
  const account = doubted.length === 0 ? null : await import("../io/account.ts");
  const home = account?.accountHome() ?? null;
  const isHomeDoubted = doubted.some(({ place }) => HOMES.includes(place.name));
  const isAtHome = isHomeDoubted && home !== null && SYSTEM.isWithin(home, project.root);
  const planted = doubted.filter(({ place, doubts }) =>
    doubts.some(({ isRefuted }) => !isRefuted(place, { home, isAtHome })),
  );
  const refused = [...new Set(planted.map(({ place }) => place.name))];
  for (const name of refused) delete env[name];
  account?.unsetVariables(refused);
  const isPlanted = (place: Place) => isOfProcess(place) || (!isAtHome && isInside(place));
  for (const name of LISTS) {
    const path = env[name];
    if (path === undefined) continue;
    // A relative entry means a different directory in each working directory.
    const kept = path
      .split(delimiter)
      .filter((each) => SYSTEM.isAbsolute(each) && !isPlanted(placeAt(name, each)));
    if (kept.join(delimiter) !== path) env[name] = kept.join(delimiter);
  }
  return refused;
}

/**
 * Returns the paths in a variable's value. An empty home directory means the current directory. OpenCode resolves a relative path
 * below its own data, so that is none.
 */
function placesOf(name: string, value: string | undefined, cwd: string): string[] {
  if (value === undefined) return [];
  if (COMMANDS.has(name)) return commandFiles(value, cwd);
  if (name === "OPENCODE_DB") return SYSTEM.isAbsolute(value) ? [value] : [];
  return value !== "" || HOMES.includes(name) ? [value] : [];
}

/** Tells whether a path lies in a project or any of its worktrees. */
function leadsInto(
  path: string,
  { root, worktreeRoot, isGit }: Project,
  rootOf: (directory: string) => string | null,
): boolean {
  const real = realOf(path);
  if ([root, worktreeRoot].some((top) => SYSTEM.isWithin(real, top))) return true;
  return isGit && rootOf(real) === root;
}

/** Tells whether a path is in a repository that encloses this one. */
function surrounds(path: string, root: string, rootOf: (directory: string) => string | null): boolean {
  const around = rootOf(realOf(path));
  return around !== null && around !== root && SYSTEM.isWithin(root, around);
}

/** The directory of the registry of projects that a variable leads to; null for one that names another place. */
function registryIn(name: string, path: string): string | null {
  if (HOMES.includes(name)) return join(path, ".config/mementor");
  return name === "XDG_CONFIG_HOME" ? join(path, "mementor") : null;
}

/** Tells whether a path and a project may come from one archive: the user can write to the directory that contains both. */
function sharesArchive(path: string, root: string): boolean {
  const shared = sharedBy(realOf(path), root);
  if (dirname(shared) === shared) return false;
  try {
    accessSync(shared, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells whether the directory that contains a path and a project also contains the home directory, so that no archive brought it.
 */
function holdsHome(path: string, root: string, home: string | null): boolean {
  return home !== null && SYSTEM.isWithin(realOf(home), sharedBy(realOf(path), root));
}

/** The deepest directory that holds a path and a project. */
function sharedBy(path: string, root: string): string {
  return SYSTEM.isWithin(path, root) || dirname(root) === root ? root : sharedBy(path, dirname(root));
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
      readTop(directory) !== null ? findProject(directory).root : above === directory ? null : rootOf(above);
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
