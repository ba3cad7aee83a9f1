import { readStamp, startDirectory } from "../agents/list.ts";
import { elsewhereMatcher } from "../agents/membership.ts";
import type { LostSession } from "../ingest/lost-sessions.ts";
import type { IngestReport } from "../ingest/report.ts";
import type { IngestDeps } from "../ingest/run.ts";
import { projectRoots } from "../io/git/project.ts";
import { type Lock, tryLock } from "../io/lock.ts";
import { statIfExists } from "../io/read.ts";
import { SYSTEM } from "../io/system.ts";
import { withRecordedRoots } from "../project/histories.ts";
import { besideDatabase } from "../project/memory.ts";
import { findRecord, readRegistry } from "../project/registry.ts";
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
  const deps: IngestDeps = {
    store: store.ingest,
    models: store.models,
    lock: (stage) => lockWhenFree(besideDatabase(runtime.memory, `${stage}.lock`), waits, signal),
    openTokenizer: () => runtime.openTokenizer(),
    openEmbedder: (modelId) => runtime.openEmbedder("ingest", modelId),
    rootsOf: rootsIn(runtime),
    redact: cleanText,
    excludes,
    isElsewhere: alsoFrom === "any" ? undefined : elsewhere(runtime, alsoFrom),
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
  return runIngest(paths, deps, { textOnly });
}

/** Returns a test for whether a turn was said in another project than this one and those that it takes over. */
function elsewhere({ project, paths }: Runtime, alsoFrom: readonly string[]) {
  const registry = readRegistry(paths.configDir);
  const known = withRecordedRoots(project, registry);
  const recordedRoots = [...(known.recordedRoots ?? []), ...alsoFrom];
  return elsewhereMatcher(
    { ...known, recordedRoots },
    { isRegistered: (root) => findRecord(registry, root) !== null, startedIn: startDirectory },
  );
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
