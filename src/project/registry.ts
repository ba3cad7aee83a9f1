import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../io/errors.ts";
import { withLock } from "../io/lock.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { ensurePrivateDir, writeAtomic } from "../io/write.ts";
import { isId } from "./memory.ts";

/** How long a change of the project registry waits for another change, in ms. A change takes a few ms. */
const REGISTRY_LOCK_MS = 5_000;

/** What the registry knows of a project. */
export interface ProjectRecord {
  /** Real path of the project. */
  root: string;
  /** The random id of its memory in the user's data directory; null when it has none. */
  id: string | null;
  /** ISO 8601. */
  since: string;
  /** False when the user disabled this project although all projects are enabled. */
  enabled: boolean;
  /** Settings files with hooks for this project. */
  settings: string[];
  /** Configurations of agents that start the MCP server for this project. */
  servers?: string[];
  /** Where the project was before it was moved, the latest last. */
  former?: string[];
  /** Its linked worktrees outside of it, as they were seen while they were there, the latest last. */
  worktrees?: string[];
  /** Its name for the user's other machines and for colleagues, confirmed by the user. */
  name?: string;
  /** What tells its repository wherever it lies. */
  repository?: {
    /** Hashes of the commits without parents; empty when they are not known. */
    rootCommits: string[];
    /** Where it was cloned from; null for nowhere. */
    remote: string | null;
  };
}

export interface Registry {
  version: 1;
  /** True if projects that the user never named are enabled when they are used. */
  allProjects: boolean;
  projects: ProjectRecord[];
  /** What the user refused at a question of `enable`, such as the hooks of an agent, by id. Absent when empty. */
  declined?: string[];
  /** The mark of the directory that the registry was last written in. */
  madeIn?: string;
  /** Where the memories were made, from the directory of the registry; absent from one of an older version. */
  dataDir?: string;
}

const EMPTY: Registry = { version: 1, allProjects: false, projects: [] };

/** Returns the path of the registry in the user's configuration directory. */
export function registryPath(configDir: string): string {
  return join(configDir, "projects.json");
}

/** Reads the registry. A missing or invalid registry counts as empty. Never throws. */
export function readRegistry(configDir: string): Registry {
  return parseRegistry(configDir) ?? EMPTY;
}

/** Tells whether a directory contains a registry that was created elsewhere: a copy keeps the mark of its original directory. */
export function isMadeElsewhere(configDir: string): boolean {
  const registry = parseRegistry(configDir);
  // An unreadable registry lists no projects.
  return registry !== null && registry.madeIn !== directoryMark(configDir);
}

/** Whether there is a registry in a directory that says that it was made in this very one. */
export function isMadeHere(configDir: string): boolean {
  return (
    statIfExists(registryPath(configDir)) !== null &&
    !isRegistryBroken(configDir) &&
    !isMadeElsewhere(configDir)
  );
}

/** Returns a mark that distinguishes a directory from its copies: its inode and creation time. */
function directoryMark(directory: string): string {
  const stats = statIfExists(directory);
  return `${stats?.ino}-${stats?.birthtimeMs}`;
}

/** Tells whether the registry exists but cannot be read. */
export function isRegistryBroken(configDir: string): boolean {
  return statIfExists(registryPath(configDir)) !== null && parseRegistry(configDir) === null;
}

/** Whether this user may not read the registry: it is another's, as in a container in which users have other numbers. */
export function isRegistryClosed(configDir: string): boolean {
  try {
    accessSync(registryPath(configDir), constants.R_OK);
    return false;
  } catch (error) {
    return systemCode(error) === "EACCES";
  }
}

function parseRegistry(configDir: string): Registry | null {
  try {
    const value: unknown = JSON.parse(readIfExists(registryPath(configDir)) ?? "null");
    return isRegistry(value) ? value : null;
  } catch {
    return null;
  }
}

// Checked without valibot: each hook reads the registry, and to load and run a schema takes a tenth of a small hook's time.
function isRegistry(value: unknown): value is Registry {
  if (!isObject(value)) return false;
  const { version, allProjects, projects, declined, madeIn, dataDir } = value;
  return (
    version === 1 &&
    typeof allProjects === "boolean" &&
    Array.isArray(projects) &&
    projects.every(isRecord) &&
    (declined === undefined || isTexts(declined)) &&
    (madeIn === undefined || typeof madeIn === "string") &&
    (dataDir === undefined || typeof dataDir === "string")
  );
}

function isRecord(value: unknown): value is ProjectRecord {
  if (!isObject(value)) return false;
  const { root, id, since, enabled, settings, servers, former, worktrees, name, repository } = value;
  return (
    typeof root === "string" &&
    (id === null || (typeof id === "string" && isId(id))) &&
    typeof since === "string" &&
    typeof enabled === "boolean" &&
    isTexts(settings) &&
    (servers === undefined || isTexts(servers)) &&
    (former === undefined || isTexts(former)) &&
    (worktrees === undefined || isTexts(worktrees)) &&
    (name === undefined || typeof name === "string") &&
    (repository === undefined || isRepository(repository))
  );
}

function isRepository(value: unknown): value is ProjectRecord["repository"] {
  if (!isObject(value)) return false;
  const { rootCommits, remote } = value;
  return isTexts(rootCommits) && (remote === null || typeof remote === "string");
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Changes the registry, one process at a time. Sets a broken registry aside first. */
export function updateRegistry(configDir: string, change: (registry: Registry) => Registry): Registry {
  ensurePrivateDir(configDir);
  const file = registryPath(configDir);
  return withLock(`${file}.lock`, REGISTRY_LOCK_MS, () => {
    if (isRegistryBroken(configDir)) SYSTEM.rename(file, `${file}.broken`);
    const changed = { ...change(readRegistry(configDir)), madeIn: directoryMark(configDir) };
    writeAtomic(file, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
    return changed;
  });
}

/**
 * Adds a project's record, and replaces an older one with the same root. What the older one knows of the project's place and
 * repository stays, unless the new one knows better.
 */
export function withRecord(registry: Registry, record: ProjectRecord): Registry {
  const others = registry.projects.filter(({ root }) => root !== record.root);
  const known = findRecord(registry, record.root);
  return { ...registry, projects: [...others, { ...known, ...record }] };
}

export function findRecord(registry: Registry, root: string): ProjectRecord | null {
  return registry.projects.find((record) => record.root === root) ?? null;
}

/** Returns the ids that the user refused at a question of `enable`. They are not offered again. */
export function declinedIds(configDir: string): readonly string[] {
  return readRegistry(configDir).declined ?? [];
}

/** Remembers that the user refused these. */
export function declineMemories(configDir: string, ids: readonly string[]): void {
  change(configDir, (before) => [...before, ...ids.filter((id) => !before.includes(id))]);
}

/** Forgets refusals, since the user has asked for these by name. */
export function withdrawRefusal(configDir: string, ids: readonly string[]): void {
  change(configDir, (before) => before.filter((id) => !ids.includes(id)));
}

function change(configDir: string, edit: (before: readonly string[]) => string[]): void {
  const before = declinedIds(configDir);
  if (edit(before).length === before.length) return;
  updateRegistry(configDir, ({ declined = [], ...registry }) => {
    const ids = edit(declined);
    return ids.length === 0 ? registry : { ...registry, declined: ids };
  });
}
