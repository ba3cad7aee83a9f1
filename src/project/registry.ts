import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { REGISTRY_LOCK_MS } from "../constants.ts";
import { ensurePrivateDir } from "../io/directory.ts";
import { ioError, systemCode } from "../io/errors.ts";
import { withLock } from "../io/lock.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import { ensureMemory, giveIdentity, identityOf, memoryAt } from "./memory.ts";

const RecordSchema = v.object({
  /** Real path of the project. */
  root: v.string(),
  /** The name of its memory, as in `.mementor/id`; null while it has none. */
  id: v.nullable(v.string()),
  /** ISO 8601. */
  since: v.string(),
  /** False where the user switched it off although all projects are on. */
  enabled: v.boolean(),
  /** Settings files that got our hooks for it. */
  settings: v.array(v.string()),
});

const RegistrySchema = v.object({
  version: v.literal(1),
  /** Whether projects that the user never named are enabled too, as they are used. */
  allProjects: v.boolean(),
  projects: v.array(RecordSchema),
});

export type ProjectRecord = v.InferOutput<typeof RecordSchema>;
export type Registry = v.InferOutput<typeof RegistrySchema>;

const EMPTY: Registry = { version: 1, allProjects: false, projects: [] };

/** Where the registry is in the user's configuration directory. */
export function registryFileOf(configDir: string): string {
  return join(configDir, "projects.json");
}

/** Reads the registry; one that is missing or makes no sense names no project. Never throws. */
export function readRegistry(configDir: string): Registry {
  return parseRegistry(configDir) ?? EMPTY;
}

/** Whether there is a registry that cannot be read. */
export function isRegistryBroken(configDir: string): boolean {
  return statIfExists(registryFileOf(configDir)) !== null && parseRegistry(configDir) === null;
}

function parseRegistry(configDir: string): Registry | null {
  try {
    const parsed = v.safeParse(RegistrySchema, JSON.parse(readIfExists(registryFileOf(configDir)) ?? "null"));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Changes the registry, one process at a time; a broken one is set aside first. */
export function updateRegistry(configDir: string, change: (registry: Registry) => Registry): Registry {
  ensurePrivateDir(configDir);
  const file = registryFileOf(configDir);
  return withLock(`${file}.lock`, REGISTRY_LOCK_MS, () => {
    if (isRegistryBroken(configDir)) renameSync(file, `${file}.broken`);
    const changed = change(readRegistry(configDir));
    writeAtomic(file, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
    return changed;
  });
}

/** Puts a project's record in, in place of an older one of the same root. */
export function withRecord(registry: Registry, record: ProjectRecord): Registry {
  const others = registry.projects.filter(({ root }) => root !== record.root);
  return { ...registry, projects: [...others, record] };
}

export function recordOf(registry: Registry, root: string): ProjectRecord | null {
  return registry.projects.find((record) => record.root === root) ?? null;
}

/**
 * What hooks may do in a project: `trusted`: use its memory; `new`: there is none yet, and `claimMemory` may make one;
 * `off`: the user did not enable it; `foreign`: there is a memory that was not made here.
 */
export type Trust = "trusted" | "new" | "off" | "foreign";

/**
 * Says whether hooks may use the memory of a project. A memory can put words into Claude's mouth, so one that came with
 * a cloned repository or an unpacked archive must not be read, even where all projects are enabled. A memory made here
 * has a random name in `.mementor/id`, which the registry in the user's own directory knows and nobody else can guess:
 * only a name that is registered is trusted, so neither another memory at a known path nor a known path alone will do.
 * It must also be registered for this root, or for one that no longer has it (the project was moved): a symbolic link
 * from a hostile repository to another project's memory is `foreign`. `root` is a real path. Reads two small files;
 * never throws.
 */
export function trustOf(configDir: string, root: string): Trust {
  const registry = readRegistry(configDir);
  const own = recordOf(registry, root);
  if (own?.enabled === false) return "off";
  const { state, record } = originIn(registry, root);
  if (state === "own") return record?.enabled ? "trusted" : "off";
  const isOn = own !== null || registry.allProjects || record?.enabled;
  if (!isOn) return "off";
  return state === "none" ? "new" : "foreign";
}

/** Where the memory of a project comes from: `own` was made here, switched on or not; `none`: there is none. */
export type MemoryOrigin = "none" | "own" | "foreign";

/** Tells whether the memory of a project was made here; see `trustOf`. Never throws. */
export function memoryOrigin(configDir: string, root: string): MemoryOrigin {
  return originIn(readRegistry(configDir), root).state;
}

function originIn(
  registry: Registry,
  root: string,
): { state: MemoryOrigin; record: ProjectRecord | undefined } {
  const { directory } = memoryAt(root);
  if (!statIfExists(directory)) return { state: "none", record: undefined };
  const id = identityOf(directory);
  const record = id === null ? undefined : registry.projects.find((known) => known.id === id);
  const isHere = record && (record.root === root || identityOf(memoryAt(record.root).directory) !== id);
  return { state: isHere ? "own" : "foreign", record };
}

/** Whether hooks may use the memory of a project; see `trustOf`. */
export function isTrusted(configDir: string, root: string): boolean {
  return trustOf(configDir, root) === "trusted";
}

/**
 * Makes the memory of a project that has none, and registers it. Returns false when one appeared in the meantime or
 * the project is not enabled. The name is registered last, so that what an interruption leaves is not trusted.
 */
export function claimMemory(configDir: string, root: string, now: Date): boolean {
  if (trustOf(configDir, root) !== "new" || !makeAlone(memoryAt(root).directory)) return false;
  registerMemory(configDir, root, { now, settings: [] });
  return true;
}

/** Makes a directory; false when somebody else just did. */
function makeAlone(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw ioError(error, `make ${directory}`);
  }
}

/**
 * Makes the memory where there is none, gives it a name and registers it: from now on it is trusted. With `enables`
 * false a project that the user switched off stays off.
 */
export function registerMemory(
  configDir: string,
  root: string,
  given: { now: Date; settings: string[]; enables?: boolean },
): void {
  const memory = memoryAt(root);
  ensureMemory(memory);
  updateRegistry(configDir, (registry) => {
    const known = recordOf(registry, root);
    const present = identityOf(memory.directory);
    const id = present !== null && present === known?.id ? present : giveIdentity(memory.directory);
    const settings = [...new Set([...(known?.settings ?? []), ...given.settings])];
    const since = known?.since ?? given.now.toISOString();
    const enabled = given.enables === false ? (known?.enabled ?? true) : true;
    return withRecord(registry, { root, id, since, enabled, settings });
  });
}
