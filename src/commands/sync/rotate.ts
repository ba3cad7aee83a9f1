import { MementorError } from "../../errors.ts";
import { openFolder } from "../../folder/files.ts";
import { newKey } from "../../folder/key.ts";
import { shelfOf } from "../../folder/place.ts";
import { changeFolders, type FolderMembership, withKey } from "../../folder/settings.ts";
import { erase } from "../../folder/sync.ts";
import { renderRotated } from "../../render/folder/member.ts";
import { renderResult } from "../../render/result.ts";
import type { Runtime } from "../../runtime.ts";
import type { FolderWriter } from "../../store/folder.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { lockedStep } from "../shared/team.ts";
import { inMemory, memoriesOf, requireFolder, syncEach } from "./memories.ts";
import type { SyncAction, SyncOptions } from "./options.ts";

/** Makes a new key for the folder, and writes what this device put anew with it. */
export const rotate: SyncAction = async ({ options }, runtime) => {
  const membership = await requireFolder(runtime);
  if (!(await agrees("Make a new key? Every other device will ask for its code.", options, runtime)))
    return declined(runtime.host, "Nothing was changed.");
  const { directory } = membership;
  const synced = await withNewKey(membership, runtime);
  const rotated = { directory, removed: null, synced };
  runtime.host.stdout.write(options.json ? renderResult(rotated) : renderRotated(rotated));
  return synced.some(({ problem }) => problem !== null) ? 1 : 0;
};

/** Takes over what a device put, makes a new key, and removes the device's directories. */
export const remove: SyncAction = async ({ target, options }, runtime) => {
  const membership = await requireFolder(runtime);
  const { directory, device } = membership;
  const runtimes = await memoriesOf(directory, runtime);
  // What it put last is taken first.
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
  const removed = { directory, removed: removing.name, synced };
  runtime.host.stdout.write(options.json ? renderResult(removed) : renderRotated(removed));
  return synced.some(({ problem }) => problem !== null) ? 1 : 0;
};

async function withNewKey({ directory, device }: FolderMembership, runtime: Runtime) {
  const key = newKey();
  changeFolders(runtime.paths.configDir, device.name, (settings) => withKey(settings, directory, key));
  return syncEach(await memoriesOf(directory, runtime));
}

function writersIn(runtime: Runtime): Promise<FolderWriter[]> {
  return inMemory(runtime, async ({ folder }) => (await folder.writers()).filter(({ isOver }) => !isOver));
}

/** Finds another device by its name or the start of its id. Throws where it is none, this one, or one of several. */
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
      hint: `Name the one by its id: ${[...found.keys()].map((each) => each.slice(0, 6)).join(" or ")}. "mementor sync devices" shows them.`,
    });
  if (isOwn)
    throw new MementorError("usage", "This is the device that you are at.", {
      hint: "Leave with: mementor sync leave.",
    });
  throw new MementorError("not_found", `No device is called "${target}".`, {
    hint: "See: mementor sync devices.",
  });
}

/** A name with the start of an id, as "mementor sync devices" shows it. */
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
  return (
    yes ||
    confirm(
      host,
      question,
      new MementorError("usage", "Nothing was changed: there is no terminal to confirm on.", {
        hint: 'Add "--yes".',
      }),
    )
  );
}
