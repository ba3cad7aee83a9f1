import { BUSY_TIMEOUT_MS, HOOK_LIMITS } from "../constants.ts";
import type { Host } from "../host.ts";
import { statIfExists } from "../io/read.ts";
import { claimMemory } from "../project/claim.ts";
import { type Trust, trustOf } from "../project/trust.ts";
import { startWorker } from "../project/worker.ts";
import { Runtime } from "../runtime.ts";
import type { OpenMode } from "../store/file/open.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { CLAUDE_CODE } from "./client.ts";
import type { HookPayload } from "./payload.ts";

/** Opens the runtime of the project that a hook is called for; null where the user did not enable it, or it is not ours. */
export async function memoryOf(host: Host, payload: HookPayload): Promise<Runtime | null> {
  const runtime = runtimeOf(host, payload);
  if ((await settledTrust(runtime)) !== "trusted") return null;
  return (await isExcluded(runtime)) ? null : runtime;
}

/** The same, making the memory of a project that is enabled and has none yet. */
export async function memoryToWrite(host: Host, payload: HookPayload): Promise<Runtime | null> {
  const runtime = runtimeOf(host, payload);
  const { root } = runtime.project;
  const trust = await settledTrust(runtime);
  if ((trust !== "trusted" && trust !== "new") || (await isExcluded(runtime))) return null;
  if (trust === "trusted") return runtime;
  claimMemory(runtime.paths, root, host.now());
  return trustOf(runtime.paths, root) === "trusted" ? runtime.renewed() : null;
}

/** Trust after a memory of an older version was moved. What takes longer than a hook may is left to the worker. */
async function settledTrust(runtime: Runtime): Promise<Trust> {
  const { host, paths, project } = runtime;
  const trust = trustOf(paths, project.root);
  if (trust !== "unmoved") return trust;
  if (await runtime.settleMemory(0)) return trustOf(paths, project.root);
  startWorker(host, project.root);
  return trust;
}

/** Opens the database again for writing, does the work and closes it. */
export type Write = (work: (store: SqliteStore) => Promise<void>) => Promise<void>;

/**
 * Opens the memory's database for reading, does the work and closes it; null where there is no database yet. Writing
 * goes through `write`, while the reader is open: whoever closes a database last, and may write, writes its log back
 * into it and waits for the disk, which is several times what a hook takes.
 */
export async function reading<T>(
  memory: Runtime,
  work: (store: SqliteStore, write: Write) => Promise<T>,
): Promise<T | null> {
  if (!statIfExists(memory.memory.databaseFile)) return null;
  return using("readonly", memory, (store) => work(store, (change) => using("readwrite", memory, change)));
}

/**
 * Does one change where there is a database, and leaves it open: the process ends next, and to close as the last one
 * that may write would mean to wait for the disk.
 */
export async function writing(memory: Runtime, change: (store: SqliteStore) => Promise<void>): Promise<void> {
  if (!statIfExists(memory.memory.databaseFile)) return;
  await change(await memory.openStore("readwrite", limitsOf(memory)));
}

async function using<T>(
  mode: OpenMode,
  memory: Runtime,
  work: (store: SqliteStore) => Promise<T>,
): Promise<T> {
  const store = await memory.openStore(mode, limitsOf(memory));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A hook waits for nobody for long, and starts no statement when its time is over. */
function limitsOf({ host }: Runtime) {
  const isOver = () => host.elapsedMs() > HOOK_LIMITS.deadlineMs + HOOK_LIMITS.graceMs;
  return { busyTimeoutMs: BUSY_TIMEOUT_MS.hook, isOver };
}

/** Records what a hook did. A failure is only logged: the answer in hand is worth more. */
export async function recorded(memory: Runtime, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    (await memory.log()).warn("not recorded", { error });
  }
}

/**
 * Returns the runtime of the project that a hook is called for. Claude moves about: its `cwd` may be in a submodule or
 * elsewhere, while the session stays where it was started. Another agent may have this variable from the Claude that it
 * was started in.
 */
export function runtimeOf(host: Host, payload: HookPayload): Runtime {
  const { CLAUDE_PROJECT_DIR: startedIn } = host.env;
  const isOurs = payload.client === CLAUDE_CODE && startedIn?.startsWith("/");
  const cwd = isOurs && startedIn ? startedIn : (payload.cwd ?? host.cwd);
  return new Runtime(host, { cwd, mayUnpack: false });
}

async function isExcluded(runtime: Runtime): Promise<boolean> {
  const { projects } = (await runtime.config()).config.exclude;
  if (projects.length === 0) return false;
  const { globTest } = await import("../ingest/exclude.ts");
  return globTest(projects)(runtime.project.root);
}
