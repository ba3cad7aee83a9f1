import { toMementorError } from "../../errors.ts";
import { openFolder } from "../../folder/files.ts";
import { otherTrees } from "../../folder/trees.ts";
import { type FolderStatus, renderDevices, renderFolderStatus } from "../../render/folder/status.ts";
import { renderResult } from "../../render/result.ts";
import type { Runtime } from "../../runtime.ts";
import { syncState } from "../../team/backoff.ts";
import { folderState } from "../shared/folder-state.ts";
import { requireFolder } from "./memories.ts";
import type { SyncAction } from "./options.ts";

/** Shows the folder, the devices and how the last sync went. */
export const status: SyncAction = async ({ options }, runtime) => {
  const shown = await statusOf(runtime);
  const { host } = runtime;
  host.stdout.write(options.json ? renderResult(shown) : renderFolderStatus(shown, host.now()));
  return 0;
};

/** Lists the devices. */
export const devices: SyncAction = async ({ options }, runtime) => {
  const { host } = runtime;
  const { devices: list } = await statusOf(runtime);
  host.stdout.write(options.json ? renderResult({ devices: list }) : renderDevices(list, host.now()));
  return 0;
};

async function statusOf(runtime: Runtime): Promise<FolderStatus> {
  const membership = await requireFolder(runtime);
  await using store = await runtime.openStore("readonly");
  const { lastSync, ...state } = await folderState(store, membership, runtime);
  const { problem, otherKeys } = await lookAt(membership.directory, [
    membership.key,
    ...membership.formerKeys,
  ]);
  return { ...state, lastSync: syncState(lastSync), problem, otherKeys };
}

/** Whether the folder is there, and how many keys have files in it that are not known here. */
async function lookAt(
  directory: string,
  keys: readonly Uint8Array[],
): Promise<Pick<FolderStatus, "problem" | "otherKeys">> {
  try {
    const others = await otherTrees(await openFolder(directory), keys);
    return { problem: null, otherKeys: others.length };
  } catch (error) {
    const { message, hint } = toMementorError(error);
    return { problem: { message, hint: hint ?? null }, otherKeys: 0 };
  }
}
