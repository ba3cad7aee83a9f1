import { MementorError, toMementorError } from "../../errors.ts";
import { besideDatabase } from "../../project/memory.ts";
import { FOLDER_LOCK } from "../../project/queue.ts";
import { confirmedName } from "../../project/trust.ts";
import type { Runtime } from "../../runtime.ts";
import type { DeviceState, FolderWriter } from "../../store/folder.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { FolderFiles } from "../../sync/folder/files.ts";
import type { FolderMembership } from "../../sync/folder/settings.ts";
import { listKeyTrees } from "../../sync/folder/settings.ts";
import type { FolderResult } from "../../sync/folder/sync.ts";
import { lockWhenFree } from "../ingest.ts";
import {
  deleteTraces,
  exclusionsOf,
  lockedStep,
  memoryId,
  openSince,
  recordSync,
  storeHookCalls,
} from "./team.ts";

/** Returns the folder through which the memory syncs; null without one. */
export async function memoryFolder(runtime: Runtime): Promise<FolderMembership | null> {
  const { paths, memory, project } = runtime;
  if (memory.directory === null) return null;
  const { findMembership, readFolders } = await import("../../sync/folder/settings.ts");
  const settings = readFolders(paths.configDir);
  return settings && findMembership(settings, memoryId(runtime), () => confirmedName(paths, project.root));
}

/** Options of one sync: the person's choices, and values that tests replace. */
export interface FolderPatience {
  /** True to wait while another process syncs. */
  waits: boolean;
  acceptsOlder?: boolean;
  /** The user named the folder now: one that was emptied is filled anew. */
  startsAnew?: boolean;
}

/** Clocks may differ by a day. */
const DAY_MS = 86_400_000;

/** Syncs the memory through its folder and records the result. Null when another process does. Rejects as the sync did. */
export async function syncMemory(
  store: SqliteStore,
  membership: FolderMembership,
  runtime: Runtime,
  signal: AbortSignal,
  { waits, acceptsOlder = false, startsAnew = false }: FolderPatience,
): Promise<FolderResult | null> {
  const { openFolder } = await import("../../sync/folder/files.ts");
  const { syncFolder } = await import("../../sync/folder/sync.ts");
  const { host, memory } = runtime;
  const alone = await lockWhenFree(besideDatabase(memory, FOLDER_LOCK), waits, signal);
  if (alone === null) return null;
  try {
    const locked = lockedStep(runtime, signal);
    if (!(await store.folder.self())?.isActive) await locked(() => store.folder.join());
    await storeHookCalls(store, runtime);
    const { directory, ...rest } = membership;
    const files = await openFolder(directory);
    if (!startsAnew) await refuseEmptied(directory, files, store);
    const result = await syncFolder({
      ...rest,
      store: store.folder,
      files,
      acceptsOlder,
      startsAnew,
      locked,
      signal,
      exclusions: await exclusionsOf(runtime),
      until: new Date(host.now().getTime() + DAY_MS).toISOString(),
      onRemoval: () => deleteTraces(runtime),
      now: () => host.now().toISOString(),
    });
    await record(store, runtime, result);
    return result;
  } catch (error) {
    const problem = toMementorError(error);
    if (!signal.aborted) await record(store, runtime, problem);
    throw problem;
  } finally {
    alone.release();
  }
}

/** Refuses an empty folder that this device has written to: where a disk is mounted otherwise, there is an empty directory. */
async function refuseEmptied(directory: string, files: FolderFiles, { folder }: SqliteStore): Promise<void> {
  const keyId = (await folder.self())?.keyId ?? "";
  if (keyId === "" || (await listKeyTrees(files)).length > 0) return;
  throw new MementorError("not_found", `nothing is in the folder any more: ${directory}`, {
    hint: `Is its disk mounted? If you emptied it, start anew: mementor sync ${directory}`,
  });
}

async function record(store: SqliteStore, runtime: Runtime, outcome: FolderResult | MementorError) {
  const { folder } = store;
  const last = (await folder.self())?.lastSync ?? null;
  await recordSync(store, runtime, outcome, { last, save: (state) => folder.saveLastSync(state) });
}

/** Returns how the memory and its folder stand; null when it syncs through none. */
export async function folderSeen(store: SqliteStore, runtime: Runtime) {
  const membership = await memoryFolder(runtime);
  return membership && folderState(store, membership, runtime);
}

export async function folderState(
  { folder }: Pick<SqliteStore, "folder">,
  { directory, project, device }: FolderMembership,
  runtime: Runtime,
) {
  const self = await folder.self();
  const segments = await folder.segments();
  const others = (await folder.writers()).filter(
    ({ isOver, isFormer, name }) => !isOver && !isFormer && name !== "",
  );
  const own: DeviceState = {
    id: device.id,
    name: device.name,
    isThis: true,
    writtenAt: null,
    seenAt: null,
    unaware: 0,
    problem: null,
    records: segments.reduce((sum, { live }) => sum + live, 0),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  return {
    directory,
    project,
    devices: [own, ...others.map(stateOf)],
    ...(await folder.counts(openSince(runtime))),
    lastSync: self?.lastSync ?? null,
  };
}

function stateOf({ deviceId, name, writtenAt, seenAt, records, bytes, ...of }: FolderWriter): DeviceState {
  const { unaware, problem } = of;
  return { id: deviceId, name, isThis: false, writtenAt, seenAt, records, bytes, unaware, problem };
}
