import { exclusionProblem } from "../../../config/config.ts";
import { toMementorError } from "../../../errors.ts";
import { globTest } from "../../../ingest/exclude.ts";
import { currentBranch, isTracked } from "../../../io/git/project.ts";
import { isLocked } from "../../../io/lock.ts";
import { statIfExists } from "../../../io/read.ts";
import { pendingHookCalls } from "../../../project/hook-calls.ts";
import { besideDatabase, databaseBytes } from "../../../project/memory.ts";
import { PAUSED_LOCK, queuedCount, readingNow, SYNC_LOCK, WORKER_LOCK } from "../../../project/queue.ts";
import { memoryRefusal, notEnabled } from "../../../project/refusal.ts";
import { isRegistryClosed } from "../../../project/registry.ts";
import { memoryOrigin, projectTrust } from "../../../project/trust.ts";
import { relatedStates } from "../../../recall/across/related.ts";
import { findCalibration } from "../../../recall/calibration.ts";
import { nextModelOf } from "../../../recall/next-model.ts";
import type { Runtime } from "../../../runtime.ts";
import { agentState } from "../../../setup/hooks/install.ts";
import { agentTargets } from "../../../setup/hooks/targets.ts";
import { mcpTargets, startedServers } from "../../../setup/mcp.ts";
import { installedProgram } from "../../../setup/program/install-program.ts";
import { readHooksState } from "../../../setup/settings/hooks-state.ts";
import { permissionState } from "../../../setup/settings/permission.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { configProblems } from "../../config-problems.ts";
import { countUnread } from "../../ingest.ts";
import { settingsContext } from "../../settings-context.ts";
import { folderSeen } from "../../sync/folder.ts";
import { openSince } from "../../sync/team.ts";

/** What `status` shows. */
export type Status = Awaited<ReturnType<typeof collectStatus>>;

/** What a database says of itself. */
export type DatabaseContent = Awaited<ReturnType<typeof contentOf>>;

/** Collects what `status` shows. If the database cannot be read, the result says so in `problem`. */
export async function collectStatus(runtime: Runtime) {
  const { host, memory, paths, project } = runtime;
  const { root, worktreeRoot, kind } = project;
  const directory = memory.directory !== null && (await runtime.origin()) === "own" ? memory.directory : null;
  const context = settingsContext(runtime);
  const hooks = readHooksState(project, context);
  const database = await databaseStatus(directory, runtime);
  const refusal =
    memoryRefusal(paths, root) ??
    (paths.refused === undefined && !isRegistryClosed(paths.configDir) ? null : notEnabled(paths, root));
  const isInstalled = hooks.some(({ events }) => events.length > 0);
  return {
    project: { root, worktreeRoot, kind, branch: currentBranch(project) },
    trust: projectTrust(paths, root),
    origin: memoryOrigin(paths, root),
    // Why the memory is not read, and what to do; null when it was made here, or there is none.
    refusal: refusal && { message: refusal.message, hint: refusal.hint ?? "" },
    // Where variables have the memories, which were made elsewhere; null for nowhere.
    ignoredDataDir: paths.ignoredDataDir,
    dataDir: paths.dataDir,
    database: database && { file: memory.databaseFile, ...database },
    queued: directory === null ? 0 : queuedCount(directory),
    isPaused: directory !== null && isLocked(besideDatabase(memory, PAUSED_LOCK)),
    hooks,
    agents: agentTargets(host).map((target) => agentState(target, context)),
    servers: startedServers(mcpTargets(host, installedProgram(host))),
    isProgramMissing: isInstalled && context.program != null && statIfExists(context.program) === null,
    // In an interactive session, Claude Code calls hooks only after the user has trusted the folder.
    neverCalled: isInstalled && (database?.content?.hookCalls ?? []).length === 0,
    related: await relatedStates(runtime),
    configProblems: (await configProblems(runtime)).length,
    exclusionProblem: exclusionProblem(await runtime.config()),
    excludedBy: await excludedBy(runtime),
    leave: await permissionState(project, context, (file) => isTracked(file, host.env)),
  };
}

async function databaseStatus(directory: string | null, runtime: Runtime) {
  const bytes = databaseBytes(runtime.memory.databaseFile);
  if (bytes === null) return null;
  try {
    await using store = await runtime.openStore("readonly");
    return { bytes, content: await contentOf(store, directory, runtime), problem: null };
  } catch (error) {
    return { bytes, content: null, problem: toMementorError(error).message };
  }
}

const CALLS_SHOWN = 10;

/** What a database says of itself, with the hook calls that wait for the worker: all are newer than those in it. */
async function contentOf(store: SqliteStore, directory: string | null, runtime: Runtime) {
  const { status } = store;
  const noted = directory === null ? [] : pendingHookCalls(directory);
  const calls = [...noted.toReversed(), ...(await status.lastHookCalls(CALLS_SHOWN))];
  const id = (await store.models.active())?.id ?? null;
  return {
    ...(await store.search.totals()),
    vectors: await store.ingest.vectorsReady(),
    lastIngest: await status.lastIngest(),
    skippedLines: await status.skippedLines(),
    hookCalls: calls.slice(0, CALLS_SHOWN),
    lastTold: noted.findLast(({ decision }) => decision === "told") ?? (await status.lastTold()),
    reading: await readingSeen(store, runtime),
    model: { id, isCalibrated: findCalibration(id) !== null, next: await nextModelOf(store) },
    team: await teamSeen(store, runtime),
    folder: await folderSeen(store, runtime),
  };
}

/** Counts which of the transcripts that a worker has taken, or is about to, are read to their end; null where none works. */
async function readingSeen({ ingest }: SqliteStore, { memory }: Runtime) {
  if (memory.directory === null || !isLocked(besideDatabase(memory, WORKER_LOCK))) return null;
  const paths = readingNow(memory.directory);
  return { read: paths.length - (await countUnread(paths, ingest)), total: paths.length };
}

async function teamSeen({ team }: SqliteStore, runtime: Runtime) {
  const membership = await team.membership();
  if (membership === null) return null;
  const { project, author } = membership;
  const { waiting } = await team.counts(openSince(runtime));
  const isSyncing = isLocked(besideDatabase(runtime.memory, SYNC_LOCK));
  return { project, author, waiting, lastSync: await team.lastSync(), isSyncing };
}

/** Paths of which a pattern that matches all of them leaves nothing. */
const ANY = ["any/file", "file.txt"];

/** Returns the file or variable whose `exclude` leaves out the project, or all of its files; null where nothing does. */
async function excludedBy(runtime: Runtime): Promise<string | null> {
  const { config, origins } = await runtime.config();
  const { projects, paths } = config.exclude;
  if (globTest(projects)(runtime.project.root)) return origins["exclude.projects"] ?? null;
  return ANY.every(globTest(paths)) ? (origins["exclude.paths"] ?? null) : null;
}
