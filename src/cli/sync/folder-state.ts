import type { Runtime } from "../../runtime.ts";
import type { DeviceState, FolderCounts, FolderWriter } from "../../store/folder.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import type { FolderMembership } from "../../sync/folder/settings.ts";
import { folderOf } from "./folder.ts";
import { openSince } from "./team.ts";

/** How a memory and its folder stand. */
export interface FolderState extends FolderCounts {
  directory: string;
  project: string;
  devices: DeviceState[];
  /** How the last sync went, as JSON; null before the first. */
  lastSync: string | null;
}

/** Returns how the memory and its folder stand; null when it syncs through none. */
export async function folderSeen(store: SqliteStore, runtime: Runtime): Promise<FolderState | null> {
  const membership = await folderOf(runtime);
  return membership && folderState(store, membership, runtime);
}

export async function folderState(
  { folder }: Pick<SqliteStore, "folder">,
  { directory, project, device }: FolderMembership,
  runtime: Runtime,
): Promise<FolderState> {
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
