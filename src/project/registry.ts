import { join } from "node:path";
import * as v from "valibot";
import { ensurePrivateDir } from "../io/directory.ts";
import { withLock } from "../io/lock.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { writeAtomic } from "../io/write.ts";
import { isId } from "./memory.ts";

/** How long a change of the project registry waits for another change, in ms. A change takes a few ms. */
const REGISTRY_LOCK_MS = 5_000;

const RecordSchema = v.object({
  /** Real path of the project. */
  root: v.string(),
  /** The random id of its memory in the user's data directory; null when it has none. */
  id: v.nullable(v.pipe(v.string(), v.check(isId))),
  /** ISO 8601. */
  since: v.string(),
  /** False when the user disabled this project although all projects are enabled. */
  enabled: v.boolean(),
  /** Settings files with hooks for this project. */
  settings: v.array(v.string()),
  /** Where the project was before it was moved, the latest last. */
  former: v.optional(v.array(v.string())),
  /** What tells its repository wherever it lies. */
  repository: v.optional(
    v.object({
      /** Hashes of the commits without parents; empty when they are not known. */
      rootCommits: v.array(v.string()),
      /** Where it was cloned from; null for nowhere. */
      remote: v.nullable(v.string()),
    }),
  ),
});

const RegistrySchema = v.object({
  version: v.literal(1),
  /** Whether projects that the user never named are enabled when they are used. */
  allProjects: v.boolean(),
  projects: v.array(RecordSchema),
  /** What the user refused at a question of `enable`, such as the hooks of an agent, by id. Absent when empty. */
  declined: v.optional(v.array(v.string())),
});

export type ProjectRecord = v.InferOutput<typeof RecordSchema>;
export type Registry = v.InferOutput<typeof RegistrySchema>;

const EMPTY: Registry = { version: 1, allProjects: false, projects: [] };

/** Returns the path of the registry in the user's configuration directory. */
export function registryFileOf(configDir: string): string {
  return join(configDir, "projects.json");
}

/** Reads the registry. A missing or invalid registry counts as empty. Never throws. */
export function readRegistry(configDir: string): Registry {
  return parseRegistry(configDir) ?? EMPTY;
}

/** Whether the registry exists but cannot be read. */
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

/** Changes the registry, one process at a time. Sets a broken registry aside first. */
export function updateRegistry(configDir: string, change: (registry: Registry) => Registry): Registry {
  ensurePrivateDir(configDir);
  const file = registryFileOf(configDir);
  return withLock(`${file}.lock`, REGISTRY_LOCK_MS, () => {
    if (isRegistryBroken(configDir)) SYSTEM.rename(file, `${file}.broken`);
    const changed = change(readRegistry(configDir));
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
  const { former, repository } = recordOf(registry, record.root) ?? {};
  const kept = { ...(former && { former }), ...(repository && { repository }) };
  return { ...registry, projects: [...others, { ...kept, ...record }] };
}

export function recordOf(registry: Registry, root: string): ProjectRecord | null {
  return registry.projects.find((record) => record.root === root) ?? null;
}
