import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HookPayload } from "../agents/hook-payload.ts";
import type { MementorError } from "../errors.ts";
import type { Host } from "../host.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { claimMemory } from "../project/claim.ts";
import type { QueuePlace } from "../project/note-hook-call.ts";
import { dropUntrustedVariables } from "../project/planted.ts";
import { startWorker } from "../project/queue.ts";
import { findRecord, isRegistryClosed } from "../project/registry.ts";
import { tombstoneKey } from "../project/tombstone-key.ts";
import { projectTrust, type Trust } from "../project/trust.ts";
import { Runtime } from "../runtime.ts";
import type { OpenMode } from "../store/sqlite/file/open.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { hookTimes } from "./hook.ts";
import { CLAUDE_CODE } from "./payload.ts";

/**
 * Returns the runtime of the project that a hook is called for. Null when the project is not enabled, is excluded, or
 * its memory is not trusted.
 */
export async function findMemory(host: Host, payload: HookPayload): Promise<Runtime | null> {
  const runtime = await hookRuntime(host, payload);
  return (await isReadable(runtime)) ? runtime : null;
}

/** Tells whether a project is enabled and not excluded, and its memory is trusted. */
export async function isReadable(runtime: Runtime): Promise<boolean> {
  return (await settledTrust(runtime)) === "trusted" && !(await isExcluded(runtime));
}

/** Like `findMemory`, but creates the memory of an enabled project that has none yet. */
export async function memoryToWrite(host: Host, payload: HookPayload): Promise<Runtime | null> {
  const runtime = await hookRuntime(host, payload);
  const { root } = runtime.project;
  const trust = await settledTrust(runtime);
  if ((trust !== "trusted" && trust !== "new") || (await isExcluded(runtime))) return null;
  if (trust === "trusted") return runtime;
  claimMemory(runtime.paths, root, host.now());
  return projectTrust(runtime.paths, root) === "trusted" ? runtime.renewed() : null;
}

/** Variables that name another registry of projects. */
const OF_REGISTRY = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME"];

/**
 * Returns why hooks say nothing in a project that its user may well have enabled: nobody confirmed where the memories lie, or
 * variables that would name another registry do not count, or the registry is another user's. Null in any other project.
 */
export async function reasonOfSilence({ paths, project, registry }: Runtime): Promise<MementorError | null> {
  const record = findRecord(registry, project.root);
  const mayBeEnabled = paths.isUnconfirmed
    ? (record?.enabled ?? registry.allProjects)
    : (record === null && (paths.refused ?? []).some((name) => OF_REGISTRY.includes(name))) ||
      isRegistryClosed(paths.configDir);
  if (!mayBeEnabled) return null;
  const { notEnabled } = await import("../project/refusal.ts");
  return notEnabled(paths, project.root);
}

/**
 * Returns the project's trust after an older version's memory was moved. When moving takes too long for a hook, the
 * worker does it.
 */
async function settledTrust(runtime: Runtime): Promise<Trust> {
  const { host, paths, project } = runtime;
  const trust = projectTrust(paths, project.root, runtime.registry);
  if (trust !== "unmoved") return trust;
  if (await runtime.settleMemory(0)) return projectTrust(paths, project.root);
  startWorker(host, project.root);
  return trust;
}

/** Opens the database again for writing, runs `work` and closes it. */
export type WriteMemory = (work: (store: SqliteStore) => Promise<void>) => Promise<void>;

/** Tells whether the memory has a database yet. */
export function hasDatabase({ memory }: Runtime): boolean {
  return statIfExists(memory.databaseFile) !== null;
}

/**
 * Opens the memory's database for reading, runs `work` and closes it. Resolves to null when there is no database yet.
 *
 * To write, `work` calls `write` while the reader is still open. The last connection to close, if it may write,
 * copies the write-ahead log into the database and waits for the disk. That takes several times as long as the hook
 * itself.
 */
export async function readMemory<T>(
  memory: Runtime,
  work: (store: SqliteStore, write: WriteMemory) => Promise<T>,
): Promise<T | null> {
  if (!hasDatabase(memory)) return null;
  return using("readonly", memory, (store) => work(store, (change) => using("readwrite", memory, change)));
}

/** Makes one change if there is a database. */
export async function changeMemory(
  memory: Runtime,
  change: (store: SqliteStore) => Promise<void>,
): Promise<void> {
  if (!hasDatabase(memory)) return;
  const store = await memory.openStore("readwrite", hookLimits(memory));
  try {
    await change(store);
  } finally {
    await store.closeQuickly();
  }
}

async function using<T>(
  mode: OpenMode,
  memory: Runtime,
  work: (store: SqliteStore) => Promise<T>,
): Promise<T> {
  await using store = await memory.openStore(mode, hookLimits(memory));
  return await work(store);
}

/**
 * Returns the limits of a hook's database access: it waits only briefly for other processes, and starts no statement after its
 * deadline.
 */
export function hookLimits({ host }: Runtime) {
  const { busyMs, endMs } = hookTimes(host.env);
  return { busyTimeoutMs: busyMs, isOver: () => host.elapsedMs() > endMs };
}

/** Records what a hook did. Only logs a failure: the answer matters more than its record. */
export async function recordSafely(memory: Runtime, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    (await memory.log()).warn("not recorded", { error });
  }
}

/**
 * Returns the runtime of the project that a hook is called for. A session's `cwd` can change, for example into a submodule, so
 * the directory counts in which the session was started: Claude Code passes it in `CLAUDE_PROJECT_DIR`. Ignores that variable for
 * other agents, which may have inherited it from a Claude Code session.
 */
export async function hookRuntime(host: Host, payload: HookPayload): Promise<Runtime> {
  const { CLAUDE_PROJECT_DIR: startedIn } = host.env;
  const isOurs = payload.client === CLAUDE_CODE && startedIn !== undefined && SYSTEM.isAbsolute(startedIn);
  const cwd = isOurs && startedIn ? startedIn : (payload.cwd ?? host.cwd);
  if (cwd !== host.cwd) await dropUntrustedVariables(host, cwd);
  return new Runtime(host, { cwd, mayUnpack: false });
}

async function isExcluded(runtime: Runtime): Promise<boolean> {
  const { projects } = (await runtime.config()).config.exclude;
  if (projects.length === 0) return false;
  const { globTest } = await import("../ingest/exclude.ts");
  return globTest(projects)(runtime.project.root);
}

/** Maximum time between runs of a hook that an agent finds in several settings, in ms. */
const SAME_PROMPT_MS = 20_000;

/**
 * Returns whether this call is the first one for its prompt. An agent may find mementor's hook in its own settings, in those of
 * the project and in those of Claude Code, and run it each time. A later worker deletes the marks. Their names are keyed hashes,
 * so that a file name does not reveal a prompt.
 */
export function claimPrompt({ directory, dataDir }: QueuePlace, payload: HookPayload, now: Date): boolean {
  const { session_id: session, prompt, turn_id: turn } = payload;
  const key = JSON.stringify([session, typeof turn === "string" ? turn : null, prompt]);
  const queue = join(directory, "queue");
  try {
    const hash = new Bun.CryptoHasher("sha256", tombstoneKey(dataDir)).update(key).digest("hex").slice(0, 32);
    const mark = join(queue, `${hash}.prompt.done`);
    mkdirSync(queue, { recursive: true, mode: 0o700 });
    const made = statIfExists(mark)?.mtimeMs;
    if (made !== undefined && now.getTime() - made > SAME_PROMPT_MS) rmSync(mark, { force: true });
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    // If no mark can be made, a repeated answer is better than none.
    return !(error instanceof Error && "code" in error && error.code === "EEXIST");
  }
}
