import { hasQueued } from "../../project/queue.ts";
import { isDue, parseSyncState } from "../../sync/backoff.ts";
import { memoryFolder, syncMemory } from "../sync/folder.ts";
import { memoryTeam, noteNextSync, openSince, syncTeam } from "../sync/team.ts";
import { ingestQueue, type WorkContext } from "./queued.ts";

/** Interval of checks for new transcripts during a sync, in ms. */
const POLL_MS = 500;
/** Maximum time to connect, in ms. If every answer of a server takes 10 s, the login takes half a minute. */
const CONNECT_MS = 60_000;

/**
 * Syncs with the team when due: after a change, some time after the last sync, or after a growing pause following failures. Reads
 * newly queued transcripts meanwhile, however slow the server is.
 */
export async function syncInBackground(work: WorkContext): Promise<void> {
  const { runtime, store, signal } = work;
  const log = await runtime.log();
  try {
    const team = await memoryTeam(runtime);
    if (signal.aborted) return;
    if (team === null || (await store.team.membership()) === null) return await noteNextSync(store, runtime);
    const { waiting } = await store.team.counts(openSince(runtime));
    const state = parseSyncState(await store.team.lastSync());
    if (!isDue(state, waiting > 0, runtime.host.now())) return await noteNextSync(store, runtime);
    const syncing = syncTeam(store, team, runtime, signal, { connectTimeoutMs: CONNECT_MS });
    const result = await whileReading(work, syncing);
    log.info("sync", { ...result });
  } catch (error) {
    log.warn("sync", { error });
  }
}

/**
 * Syncs through a folder when it is due, as with a team. A project that was enabled after the user chose a folder for all
 * projects joins it here.
 */
export async function syncThroughFolder(work: WorkContext): Promise<void> {
  const { runtime, store, signal } = work;
  const log = await runtime.log();
  try {
    const membership = await memoryFolder(runtime);
    if (membership === null || signal.aborted) return;
    const self = await store.folder.self();
    const { waiting } = await store.folder.counts(openSince(runtime));
    const state = self?.isActive ? parseSyncState(self.lastSync) : null;
    if (!isDue(state, waiting > 0, runtime.host.now())) return await noteNextSync(store, runtime);
    const result = await whileReading(work, syncMemory(store, membership, runtime, signal, { waits: false }));
    log.info("sync through a folder", { ...result });
  } catch (error) {
    log.warn("sync through a folder", { error });
  }
}

/** Reads queued transcripts until a sync ends. Never ends before it, because the caller then closes the store. */
async function whileReading<Result>(work: WorkContext, syncing: Promise<Result>): Promise<Result> {
  const done = syncing.then(
    () => true,
    () => true,
  );
  try {
    while (!(await Promise.race([done, Bun.sleep(POLL_MS).then(() => false)])))
      if (hasQueued(work.directory)) await ingestQueue(work);
  } finally {
    await done;
  }
  return syncing;
}
