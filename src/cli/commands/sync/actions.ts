import { MementorError, problemOf } from "../../../errors.ts";
import type { Runtime } from "../../../runtime.ts";
import type { FolderWriter } from "../../../store/folder.ts";
import { parseSyncState } from "../../../sync/backoff.ts";
import { openFolder } from "../../../sync/folder/files.ts";
import { encodeKey, newKey } from "../../../sync/folder/key.ts";
import {
  changeFolders,
  type FolderMembership,
  otherTrees,
  shelfOf,
  withKey,
} from "../../../sync/folder/settings.ts";
import { erase } from "../../../sync/folder/sync.ts";
import { folderState } from "../../sync/folder.ts";
import { lockedStep, memoryId, noteNextSync } from "../../sync/team.ts";
import { confirm, declined } from "../../terminal/ask.ts";
import { printResult } from "../../terminal/view.ts";
import {
  inMemory,
  memoriesOf,
  printSynced,
  renderCodeUse,
  renderLeft,
  renderRotated,
  renderSynced,
  requireFolder,
  syncEach,
} from "./memories.ts";
import type { SyncAction, SyncOptions } from "./options.ts";
import { type FolderStatus, renderFolderStatus } from "./status-text.ts";

/** Shows the folder, the devices and how the last sync went. */
export const status: SyncAction = async ({ options }, runtime) => {
  return printResult(runtime, options, await statusOf(runtime), (shown, { now }) =>
    renderFolderStatus(shown, now),
  );
};

async function statusOf(runtime: Runtime): Promise<FolderStatus> {
  const membership = await requireFolder(runtime);
  await using store = await runtime.openStore("readonly");
  const { lastSync, ...state } = await folderState(store, membership, runtime);
  const { problem, otherKeys } = await lookAt(membership.directory, [
    membership.key,
    ...membership.formerKeys,
  ]);
  return { ...state, lastSync: parseSyncState(lastSync), problem, otherKeys };
}

/** Tells whether the folder is there, and how many keys have files in it that are not known here. */
async function lookAt(
  directory: string,
  keys: readonly Uint8Array[],
): Promise<Pick<FolderStatus, "problem" | "otherKeys">> {
  try {
    const others = await otherTrees(await openFolder(directory), keys);
    return { problem: null, otherKeys: others.length };
  } catch (error) {
    return { problem: problemOf(error), otherKeys: 0 };
  }
}

/** Syncs now: this project's memory, or all that use its folder. */
export const now: SyncAction = async ({ options }, runtime) => {
  const { directory } = await requireFolder(runtime);
  const runtimes = options.allProjects ? await memoriesOf(directory, runtime) : [runtime];
  const synced = await syncEach(runtimes, { acceptsOlder: options.acceptOlder });
  return printSynced(runtime, options, { synced }, renderSynced);
};

/**
 * Prints the folder's key as words; on a terminal, explains them first.
 *
 * @throws `not_found` when the memory syncs through no folder, `usage` when the output is no terminal and `--print` is
 *   missing.
 */
export const code: SyncAction = async ({ options }, runtime) => {
  const { host } = runtime;
  const { directory, key } = await requireFolder(runtime);
  if (!options.print && !host.stdout.isTerminal)
    throw new MementorError(
      "usage",
      "The code lets anybody read your memory: it is printed at a terminal only.",
      {
        hint: "To print it anyway, add --print.",
      },
    );
  const words = encodeKey(key);
  if (!options.json && host.stdout.isTerminal) host.stdout.write(renderCodeUse(directory));
  return printResult(runtime, options, { directory, code: words }, () => `${words}\n`);
};

/** Makes a new key for the folder, and writes what this device put anew with it. */
export const rotate: SyncAction = async ({ options }, runtime) => {
  const membership = await requireFolder(runtime);
  if (!(await agrees("Make a new key? Every other device will ask for its code.", options, runtime)))
    return declined(runtime.host, "Nothing was changed.");
  const { directory } = membership;
  const synced = await withNewKey(membership, runtime);
  return printSynced(runtime, options, { directory, removed: null, synced }, renderRotated);
};

/** Takes over what a device put, makes a new key, and removes the device's directories. */
export const remove: SyncAction = async ({ target, options }, runtime) => {
  const membership = await requireFolder(runtime);
  const { directory, device } = membership;
  const runtimes = await memoriesOf(directory, runtime);
  // Pull the device's latest changes first.
  await syncEach(runtimes);
  const writers = await Promise.all(runtimes.map((each) => writersIn(each)));
  const removing = deviceCalled(target ?? "", device, writers.flat());
  const found = writers.map((each) =>
    each.filter(({ deviceId }) => deviceId === removing.id).map(({ writer }) => writer),
  );
  const question = `Remove ${removing.name}? Its turns stay; every other device will ask for the code of a new key.`;
  if (!(await agrees(question, options, runtime))) return declined(runtime.host, "Nothing was changed.");
  for (const [index, each] of runtimes.entries()) await takeOver(found[index] ?? [], each);
  const synced = await withNewKey(membership, runtime);
  for (const [index, each] of runtimes.entries()) await eraseOld(found[index] ?? [], each);
  return printSynced(runtime, options, { directory, removed: removing.name, synced }, renderRotated);
};

async function withNewKey({ directory, device }: FolderMembership, runtime: Runtime) {
  const key = newKey();
  changeFolders(runtime.paths.configDir, device.name, (settings) => withKey(settings, directory, key));
  return syncEach(await memoriesOf(directory, runtime));
}

function writersIn(runtime: Runtime): Promise<FolderWriter[]> {
  return inMemory(runtime, async ({ folder }) => (await folder.writers()).filter(({ isOver }) => !isOver));
}

/** Finds another device by its name or the start of its id. Throws if none or several match, or if it is this device. */
function deviceCalled(
  target: string,
  own: FolderMembership["device"],
  writers: readonly FolderWriter[],
): { id: string; name: string } {
  const start = LABEL.exec(target)?.[1] ?? target;
  const named = writers.filter(
    ({ deviceId, name }) => name === target || (start.length >= ID_START && deviceId.startsWith(start)),
  );
  const found = new Map(named.map(({ deviceId, name }) => [deviceId, name]));
  found.delete(own.id);
  const [[id, name] = [null, ""], ...others] = found;
  const isOwn = target === own.name;
  if (id !== null && others.length === 0 && !isOwn) return { id, name };
  if (id !== null)
    throw new MementorError("usage", `More than one device is called "${target}".`, {
      hint: `Name the one by its id: ${[...found.keys()].map((each) => each.slice(0, 6)).join(" or ")}. "mementor sync status" shows them.`,
    });
  if (isOwn)
    throw new MementorError("usage", "This is the device that you are at.", {
      hint: "Leave with: mementor sync leave.",
    });
  throw new MementorError("not_found", `No device is called "${target}".`, {
    hint: "See: mementor sync status.",
  });
}

/** A name with the start of an id, as "mementor sync status" shows it. */
const LABEL = / \(([0-9a-f]{6})\)$/;

/** So many hex digits at least name a device by its id. */
const ID_START = 4;

async function takeOver(writers: readonly string[], runtime: Runtime): Promise<void> {
  const locked = lockedStep(runtime, runtime.host.interrupted());
  await inMemory(runtime, async ({ folder }) => {
    for (const writer of writers) await locked(() => folder.takeOver(writer));
  });
}

/** The directories of a device that is removed lie under the former keys. */
async function eraseOld(writers: readonly string[], runtime: Runtime): Promise<void> {
  const { directory, project, formerKeys } = await requireFolder(runtime);
  const files = await openFolder(directory);
  for (const key of formerKeys)
    for (const writer of writers) await erase({ files }, shelfOf(key, project, writer).path);
}

async function agrees(question: string, { yes }: SyncOptions, { host }: Runtime): Promise<boolean> {
  return yes || confirm(host, question);
}

/** Ends the sync. What arrived stays; with `--erase`, what this device put is removed from the folder. */
export const leave: SyncAction = async ({ options }, runtime) => {
  const { host, paths } = runtime;
  const { directory, device } = await requireFolder(runtime);
  const runtimes = options.allProjects ? await memoriesOf(directory, runtime) : [runtime];
  const question = options.erase
    ? "Leave the folder, and remove from it what this device put?"
    : "Leave the folder? What this device put stays there for the others.";
  if (!options.yes && !(await confirm(host, question))) return declined(host, "Nothing was changed.");
  const left: string[] = [];
  for (const each of runtimes) {
    left.push(await leaveOne(each, options.erase));
    const id = memoryId(each);
    changeFolders(paths.configDir, device.name, (settings) => {
      const { [id]: _, ...memories } = settings.memories;
      return { ...settings, memories, left: [...settings.left.filter((known) => known !== id), id] };
    });
  }
  if (options.allProjects)
    changeFolders(paths.configDir, device.name, (settings) => ({ ...settings, every: null }));
  const result = { directory, projects: left, erased: options.erase };
  return printResult(runtime, options, result, () => renderLeft(directory, left, options.erase));
};

async function leaveOne(runtime: Runtime, erases: boolean): Promise<string> {
  const { directory, project, key, formerKeys } = await requireFolder(runtime);
  const locked = lockedStep(runtime, runtime.host.interrupted());
  await inMemory(runtime, async (store) => {
    const self = await store.folder.self();
    if (erases && self !== null) {
      const files = await openFolder(directory);
      for (const each of [key, ...formerKeys])
        await erase({ files }, shelfOf(each, project, self.writer).path);
    }
    await locked(() => store.folder.leave());
    await noteNextSync(store, runtime);
  });
  return project;
}
