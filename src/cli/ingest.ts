import { endsOf, mayMove, readStamp } from "../agents/list.ts";
import { otherProjects } from "../agents/membership.ts";
import type { LostSession } from "../ingest/lost-sessions.ts";
import type { IngestReport } from "../ingest/report.ts";
import type { IngestDeps } from "../ingest/run.ts";
import { projectRoots } from "../io/git/project.ts";
import { type Lock, tryLock } from "../io/lock.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { withRecordedRoots } from "../project/histories.ts";
import { besideDatabase, memoryPaths } from "../project/memory.ts";
import { enqueue } from "../project/queue.ts";
import { findRecord, type Registry, readRegistry } from "../project/registry.ts";
import type { Runtime } from "../runtime.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import type { IngestStore } from "../store/store.ts";
import { knownExclusions } from "./config-problems.ts";

/** How often to retry a lock that another process holds, in ms. */
const LOCK_POLL_MS = 50;

interface IngestRunOptions {
  paths: AsyncIterable<string> | Iterable<string>;
  textOnly?: boolean;
  /** Sessions of which only an agent's list of prompts is left. */
  lost?: readonly LostSession[] | undefined;
  /** Other projects whose turns to include; `"any"` if the user named the transcripts. */
  alsoFrom?: readonly string[] | "any" | undefined;
  /** True to wait for a lock that another process holds; false to return at once. */
  waits: boolean;
  signal?: AbortSignal | undefined;
  hooks?: Pick<IngestDeps, "onStage" | "onProgress" | "onNoEmbedder" | "isSparing">;
}

/**
 * Runs an ingest into the runtime's memory. Shared by commands, `enable` and the background worker. Rejects with `config_invalid`
 * if the user's exclusions cannot be read.
 */
export async function ingestInto(
  store: SqliteStore,
  runtime: Runtime,
  { paths, textOnly = false, lost, alsoFrom = [], waits, signal, hooks = {} }: IngestRunOptions,
): Promise<IngestReport> {
  const { runIngest } = await import("../ingest/run.ts");
  const { cleanText } = await import("../redact/clean.ts");
  const excludes = await knownExclusions(runtime);
  const log = await runtime.log();
  const others = alsoFrom === "any" ? null : new OtherProjectSources(runtime, alsoFrom);
  const deps: IngestDeps = {
    store: store.ingest,
    models: store.models,
    lock: (stage) => lockWhenFree(besideDatabase(runtime.memory, `${stage}.lock`), waits, signal),
    openTokenizer: () => runtime.openTokenizer(),
    openEmbedder: (modelId) => runtime.openEmbedder("ingest", modelId),
    rootsOf: rootsIn(runtime),
    redact: cleanText,
    excludes,
    isElsewhere: others === null ? undefined : (cwd, path) => others.has(cwd, path),
    lost,
    elapsedMs: () => runtime.host.elapsedMs(),
    onSkip: ({ kind, path, lineIndex }) => log.debug("line skipped", { kind, path, lineIndex }),
    ...hooks,
    onNoEmbedder: (error) => {
      log.warn("embedder", { error });
      hooks.onNoEmbedder?.(error);
    },
    signal,
  };
  const report = await runIngest(paths, deps, { textOnly });
  others?.tell();
  return report;
}

/**
 * Finds the turns of other projects, except those whose history this one takes over. Also queues their sessions for the memories
 * of those projects, because a project in the middle of a session cannot find it by its first and last directories.
 */
class OtherProjectSources {
  readonly #registry: Registry;
  readonly #dataDir: string;
  readonly #rootOf: (cwd: string, path: string) => string | null;
  /** Sources with turns of other memories, by the memory's directory. */
  readonly #found = new Map<string, Set<string>>();

  constructor({ project, paths }: Runtime, alsoFrom: readonly string[]) {
    const registry = readRegistry(paths.configDir);
    this.#registry = registry;
    this.#dataDir = paths.dataDir;
    const isRegistered = (root: string) => findRecord(registry, root) !== null;
    const known = withRecordedRoots(project, registry);
    this.#rootOf = otherProjects(known, { isRegistered, taken: alsoFrom, endsOf });
  }

  has(cwd: string, path: string): boolean {
    // A session that stays in one directory belongs to one project as a whole.
    if (!mayMove(path)) return false;
    const root = this.#rootOf(cwd, path);
    const record = root === null ? null : findRecord(this.#registry, root);
    // A disabled project reads its sources when it is enabled again.
    if (record !== null && record.id !== null) {
      const { directory } = memoryPaths(this.#dataDir, record.id);
      this.#found.set(directory, (this.#found.get(directory) ?? new Set()).add(path));
    }
    return root !== null;
  }

  /** Queues these sources for the next workers of the other memories. */
  tell(): void {
    for (const [directory, paths] of this.#found)
      if (statIfExists(directory) !== null) for (const path of paths) enqueue(directory, path);
  }
}

/**
 * Returns a function that finds the possible roots of a session's paths, including the project's recorded roots that no longer
 * exist.
 */
function rootsIn({ project, paths }: Runtime): (cwd: string) => readonly string[] {
  const { recordedRoots = [] } = withRecordedRoots(project, readRegistry(paths.configDir));
  if (recordedRoots.length === 0) return projectRoots;
  return (cwd) => {
    const gone = recordedRoots.filter((root) => SYSTEM.isWithin(cwd, root) && !statIfExists(root));
    return gone.length === 0 ? projectRoots(cwd) : gone;
  };
}

/** Takes a lock on a file. Waits for it if `waits` is set. Null when the lock is not available. */
export async function lockWhenFree(
  file: string,
  waits: boolean,
  signal: AbortSignal | undefined,
): Promise<Lock | null> {
  for (;;) {
    const lock = tryLock(file);
    if (lock || !waits || signal?.aborted) return lock;
    await Bun.sleep(LOCK_POLL_MS);
  }
}

/** Counts which of these transcripts are not read to their end. */
export async function countUnread(
  paths: readonly string[],
  store: Pick<IngestStore, "source">,
): Promise<number> {
  let unread = 0;
  for (const path of paths) {
    const source = await store.source(path);
    if (source === null || source.size !== readStamp(path)?.size) unread += 1;
  }
  return unread;
}
