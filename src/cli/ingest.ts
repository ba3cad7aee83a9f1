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
  /** Other projects whose turns are wanted, too: `"any"` where the user named the transcripts. */
  alsoFrom?: readonly string[] | "any" | undefined;
  /** False returns at once when another process holds the lock. */
  waits: boolean;
  signal?: AbortSignal | undefined;
  hooks?: Pick<IngestDeps, "onStage" | "onProgress" | "onNoEmbedder" | "isSparing">;
}

/**
 * Runs an ingest into the runtime's memory. Shared by commands, `enable` and the background worker. Rejects with
 * `config_invalid` where it is not known what is to be left out.
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
  const others = alsoFrom === "any" ? null : new Elsewhere(runtime, alsoFrom);
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
 * Tells which turns were said in another project than this one and those that it takes over. A session in which the user changed
 * between projects is named by neither end to those in its middle, so the memories of these are told of it.
 */
class Elsewhere {
  readonly #registry: Registry;
  readonly #dataDir: string;
  readonly #rootOf: (cwd: string, path: string) => string | null;
  /** The directories of memories, and for each the sources in which something is theirs. */
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
    // Of other agents' sessions no other project looks for its part.
    if (!mayMove(path)) return false;
    const root = this.#rootOf(cwd, path);
    const record = root === null ? null : findRecord(this.#registry, root);
    // A disabled project reads it once it is enabled again.
    if (record !== null && record.id !== null) {
      const { directory } = memoryPaths(this.#dataDir, record.id);
      this.#found.set(directory, (this.#found.get(directory) ?? new Set()).add(path));
    }
    return root !== null;
  }

  /** Queues what belongs to other memories for their next workers. */
  tell(): void {
    for (const [directory, paths] of this.#found)
      if (statIfExists(directory) !== null) for (const path of paths) enqueue(directory, path);
  }
}

/**
 * Returns the roots that paths of a session may start with. A recorded root of the project, which is gone, is one of
 * them.
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
