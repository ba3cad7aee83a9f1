import { basename } from "node:path";
import { TEAM_SYNC } from "../../constants.ts";
import { MementorError, toMementorError } from "../../errors.ts";
import { fixedTime } from "../../host.ts";
import { tryLock } from "../../io/lock.ts";
import { besideDatabase } from "../../project/memory.ts";
import { noteSyncDue, SYNC_LOCK } from "../../project/queue.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { Exclusions, Retention } from "../../store/team.ts";
import type { FolderResult } from "../../sync/folder/sync.ts";
import type { Surroundings } from "../../sync/team/open.ts";
import type { TeamSettings } from "../../sync/team/settings.ts";
import type { SyncResult } from "../../sync/team/sync.ts";
import { knownExclusions } from "../config-problems.ts";
import { lockWhenFree } from "../ingest.ts";

/** Returns the id of the project's memory. Throws `usage` for a database that was named with `--db`. */
export function memoryId({ memory }: Runtime): string {
  if (memory.directory !== null) return basename(memory.directory);
  throw new MementorError("usage", "A database that is named with --db belongs to no team.", {
    hint: "Run the command in a project, without --db.",
  });
}

/** Returns the team of the memory; null without one. */
export async function memoryTeam(runtime: Runtime): Promise<TeamSettings | null> {
  if (runtime.memory.directory === null) return null;
  const { readTeam } = await import("../../sync/team/settings.ts");
  return readTeam(runtime.paths.configDir, memoryId(runtime));
}

/** Returns the team of the memory. Throws `not_found` without one. */
export async function requireTeam(runtime: Runtime): Promise<TeamSettings> {
  memoryId(runtime);
  const team = await memoryTeam(runtime);
  if (team !== null) return team;
  throw new MementorError("not_found", "This project's memory belongs to no team.", {
    hint: "Join one: mementor team join postgres://you@host/database",
  });
}

/** Returns the environment that a connection needs. */
export function surroundings({ host }: Runtime, signal?: AbortSignal): Surroundings {
  return { env: host.env, home: host.homeDir, signal };
}

/** Returns the time (ISO 8601) for `Exclusions.openSince`: a session in which nothing was said since then is finished. */
export function openSince({ host }: Runtime): string {
  return new Date(host.now().getTime() - TEAM_SYNC.finishedAfterMs).toISOString();
}

/** Returns the exclusions that apply whatever is shared. Rejects with `config_invalid` if they cannot be read. */
export async function exclusionsOf(runtime: Runtime): Promise<Exclusions> {
  const { globTest } = await import("../../ingest/exclude.ts");
  const exclude = await knownExclusions(runtime);
  return {
    isPathExcluded: globTest(exclude.paths),
    isProjectExcluded: globTest(exclude.projects)(runtime.project.root),
    openSince: openSince(runtime),
  };
}

const DAY_MS = 86_400_000;

/**
 * Returns the limits for colleagues' turns, with a day of tolerance for clock differences; without time limits if `MEMENTOR_NOW`
 * fixes the clock.
 */
export async function readRetention(runtime: Runtime): Promise<Retention> {
  const { keepDays, keepTurns } = (await runtime.config()).config.team;
  const { env, now } = runtime.host;
  const inDays = (days: number) => new Date(now().getTime() + days * DAY_MS).toISOString();
  if (fixedTime(env) !== null) return { from: null, until: null, maxTurns: keepTurns };
  return { from: keepDays === 0 ? null : inDays(-keepDays), until: inDays(1), maxTurns: keepTurns };
}

/** Runs a step that writes to the memory, one process at a time; null when it is interrupted before. */
export function lockedStep(runtime: Runtime, signal: AbortSignal) {
  const file = besideDatabase(runtime.memory, "read.lock");
  return async <Result>(step: () => Promise<Result>): Promise<Result | null> => {
    using lock = await lockWhenFree(file, true, signal);
    return lock === null ? null : await step();
  };
}

/** Syncs the memory with its team and records the result. Rejects as the sync did. */
export async function syncTeam(
  store: SqliteStore,
  team: TeamSettings,
  runtime: Runtime,
  signal: AbortSignal,
  patience: Pick<Surroundings, "connectTimeoutMs"> = {},
): Promise<SyncResult> {
  const { openTeamServer } = await import("../../sync/team/open.ts");
  const { syncMemory } = await import("../../sync/team/sync.ts");
  const alone = tryLock(besideDatabase(runtime.memory, SYNC_LOCK));
  try {
    await storeHookCalls(store, runtime);
    const active = await store.models.active();
    const world = { ...surroundings(runtime, signal), ...patience };
    const server = await openTeamServer(team, world, active?.id ?? null);
    try {
      const result = await syncMemory({
        store: store.team,
        server,
        exclusions: await exclusionsOf(runtime),
        keep: await readRetention(runtime),
        isAlone: alone !== null,
        locked: lockedStep(runtime, signal),
        onRemoval: () => deleteTraces(runtime),
        signal,
      });
      await record(store, runtime, result);
      return result;
    } finally {
      await server.close();
    }
  } catch (error) {
    const problem = toMementorError(error);
    if (!signal.aborted) await record(store, runtime, problem);
    throw problem;
  } finally {
    alone?.release();
  }
}

/** Stores the recorded answers of hooks, which may quote turns that a sync removes. */
export async function storeHookCalls(store: SqliteStore, { memory, paths }: Runtime): Promise<void> {
  if (memory.directory === null) return;
  const { takeHookCalls } = await import("../../project/hook-calls.ts");
  const place = { directory: memory.directory, dataDir: paths.dataDir };
  await takeHookCalls(place, (call) => store.journal.recordHookCall(call));
}

/** Deletes the report and the log, which may quote removed turns. */
export async function deleteTraces({ memory }: Runtime): Promise<void> {
  if (memory.directory === null) return;
  const { deleteLog, deleteReport } = await import("../../project/leftovers.ts");
  deleteReport(memory.directory);
  deleteLog(memory.directory);
}

/** Records how a sync went, after how the one before did. */
export async function recordSync(
  store: SqliteStore,
  runtime: Runtime,
  outcome: SyncResult | FolderResult | MementorError,
  { last, save }: { last: string | null; save: (state: string) => Promise<void> },
): Promise<void> {
  const { nextSyncState, parseSyncState } = await import("../../sync/backoff.ts");
  await save(JSON.stringify(nextSyncState(parseSyncState(last), runtime.host.now().toISOString(), outcome)));
  await noteNextSync(store, runtime);
}

async function record(store: SqliteStore, runtime: Runtime, outcome: SyncResult | MementorError) {
  const { team } = store;
  await recordSync(store, runtime, outcome, {
    last: await team.lastSync(),
    save: (state) => team.saveLastSync(state),
  });
}

/** Records for hooks when the next sync with the team or through a folder is due; clears the record if none is. */
export async function noteNextSync({ team, folder }: SqliteStore, runtime: Runtime): Promise<void> {
  const { directory } = runtime.memory;
  if (directory === null) return;
  const { dueAfter, parseSyncState } = await import("../../sync/backoff.ts");
  const since = openSince(runtime);
  const self = await folder.self();
  const states = [
    (await team.membership()) !== null && {
      state: parseSyncState(await team.lastSync()),
      waiting: (await team.counts(since)).waiting,
    },
    self?.isActive && { state: parseSyncState(self.lastSync), waiting: (await folder.counts(since)).waiting },
  ];
  const due = states.flatMap((each) =>
    each ? ((each.state && dueAfter(each.state, each.waiting > 0)) ?? []) : [],
  );
  noteSyncDue(directory, due.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null);
}
