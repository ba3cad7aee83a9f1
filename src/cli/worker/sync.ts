import { hasQueued } from "../../project/queue.ts";
import { isDue, syncState } from "../../sync/backoff.ts";
import { memoryFolder, syncMemory } from "../sync/folder.ts";
import { memoryTeam, noteNextSync, openSince, syncTeam } from "../sync/team.ts";
import { readQueued, type WorkContext } from "./queued.ts";

/** How often new transcripts are looked for while a server is waited for, ms. */
const POLL_MS = 500;
/** How long a connection may take: a server whose every answer takes 10 s needs half a minute for the login. */
const CONNECT_MS = 60_000;

/**
 * Syncs with the team when it is time for that: after a change, or a while after the last sync; later and later after
 * failures, which the memory records. What hooks queue meanwhile is read meanwhile, however slow the server is.
 */
export async function syncInBackground(work: WorkContext): Promise<void> {
  const { runtime, store, signal } = work;
  const log = await runtime.log();
  try {
    const team = await memoryTeam(runtime);
    if (signal.aborted) return;
    if (team === null || (await store.team.membership()) === null) return await noteNextSync(store, runtime);
    const { waiting } = await store.team.counts(openSince(runtime));
    const state = syncState(await store.team.lastSync());
    if (!isDue(state, waiting > 0, runtime.host.now())) return await noteNextSync(store, runtime);
    const syncing = syncTeam(store, team, runtime, signal, { connectTimeoutMs: CONNECT_MS });
    const result = await whileReading(work, syncing);
    log.info("sync", { ...result });
  } catch (error) {
    log.warn("sync", { error });
  }
}

/**
 * Syncs through a folder when it is time for that, as with a team. A project that was enabled since its user chose a
 * folder for all of them joins it here.
 */
export async function syncThroughFolder(work: WorkContext): Promise<void> {
  const { runtime, store, signal } = work;
  const log = await runtime.log();
  try {
    const membership = await memoryFolder(runtime);
    if (membership === null || signal.aborted) return;
    const self = await store.folder.self();
    const { waiting } = await store.folder.counts(openSince(runtime));
    const state = self?.isActive ? syncState(self.lastSync) : null;
    if (!isDue(state, waiting > 0, runtime.host.now())) return await noteNextSync(store, runtime);
    const result = await whileReading(work, syncMemory(store, membership, runtime, signal, { waits: false }));
    log.info("sync through a folder", { ...result });
  } catch (error) {
    log.warn("sync through a folder", { error });
  }
}

/** The sync ends before this does: the store is closed afterwards. */
async function whileReading<Result>(work: WorkContext, syncing: Promise<Result>): Promise<Result> {
  const done = syncing.then(
    () => true,
    () => true,
  );
  try {
    while (!(await Promise.race([done, Bun.sleep(POLL_MS).then(() => false)])))
      if (hasQueued(work.directory)) await readQueued(work);
  } finally {
    await done;
  }
  return syncing;
}
