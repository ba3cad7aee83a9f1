import { MementorError } from "../../errors.ts";
import type { FolderSelf } from "../../store/folder.ts";
import type { AppliedChanges } from "../../store/team.ts";
import { keyId } from "./key.ts";
import {
  isOfMementor,
  MANIFEST_BYTES,
  MANIFEST_NAME,
  type Manifest,
  type OpenManifest,
  openManifest,
  sealManifest,
} from "./manifest.ts";
import { checkManifests, pullWriter, readManifests, unknownWriter } from "./pull.ts";
import { removeUnlisted, writeSegments } from "./push.ts";
import { type FolderRequest, runStep, SyncInterrupted, shelfOf } from "./settings.ts";

export interface FolderResult extends AppliedChanges {
  pushed: number;
}

/**
 * Takes what other devices put into the folder, and puts what changed here. Every step can be repeated: after a crash,
 * the next sync goes on from what the folder and the memory have.
 *
 * @throws `folder_key` when another device gave the folder a new key, `not_found` when it is another folder, `timeout` when the folder does not answer,
 *   `not_writable`, `disk_full` or `io` when its files cannot be read or written.
 */
export async function syncFolder(request: FolderRequest): Promise<FolderResult> {
  const total: FolderResult = { pushed: 0, added: 0, updated: 0, removed: 0 };
  try {
    const found = await readManifests(request, request.key);
    const opened = found.flatMap(({ open }) => (open === null ? [] : [open]));
    refuseRotated(opened, request);
    await refuseOther(request);
    const self = await ownSelf(request, opened);
    if (self === null) return total;
    const others = opened.filter(({ manifest }) => manifest.writer !== self.writer);
    // What is forgotten elsewhere is known before anything is taken or put.
    total.removed = await learnGone(request, others);
    if (total.removed > 0) await request.onRemoval?.();
    await noteOver(request, others);
    await nameMissing(request, found);
    await pullAll(request, others, total);
    total.pushed = await writeSegments(request, self);
    await publish(request, opened);
    await noteUnaware(request, others);
    await removeUnlisted(request, self);
    await leaveFormer(request);
  } catch (error) {
    if (!(error instanceof SyncInterrupted)) throw error;
  }
  return total;
}

function refuseRotated(opened: readonly OpenManifest[], { key }: FolderRequest): void {
  const rotated = opened.find(
    ({ manifest }) => manifest.rotatedTo !== null && manifest.rotatedTo !== keyId(key),
  );
  if (rotated === undefined) return;
  throw new MementorError(
    "folder_key",
    `the folder has a new key since ${rotated.manifest.device.name} changed it`,
    {
      hint: 'See the new code there with "mementor sync code", then run "mementor sync <folder>" here.',
    },
  );
}

/** Refuses a folder from which all that this device wrote is gone: another one may have taken the place of the one that was named. */
async function refuseOther({ startsAnew, store, files, key, project }: FolderRequest): Promise<void> {
  const self = await store.self();
  // With a new key, nothing is there yet.
  if (startsAnew || self?.keyId !== keyId(key)) return;
  if ((await files.list(shelfOf(key, project, self.writer).path)).length > 0) return;
  throw new MementorError(
    "not_found",
    "this is not the folder that was there, or this device's files were deleted in it",
    {
      hint: 'Put the right one in its place. If this is the right one, start anew: "mementor sync <folder>".',
    },
  );
}

/** Returns what this memory knows of its own directory, after it got a new one if it was restored from a backup. */
async function ownSelf(request: FolderRequest, opened: readonly OpenManifest[]): Promise<FolderSelf | null> {
  const { store, device } = request;
  const self = await store.self();
  if (self === null || !isBehind(self, opened)) return self;
  await runStep(request, () => store.renew(device));
  return store.self();
}

/** Tells whether other devices have seen a newer state of this memory: then it is a restored backup or a copy. */
function isBehind({ writer, counter, hash }: FolderSelf, opened: readonly OpenManifest[]): boolean {
  return opened.some(({ manifest, hash: found }) => {
    if (manifest.writer !== writer)
      return (manifest.seen[writer] ?? 0) > counter || manifest.over.includes(writer);
    return manifest.counter > counter || (manifest.counter === counter && found !== hash);
  });
}

/** Forgets what other devices forgot. Even an outdated manifest counts, because forgotten turns never come back. */
async function learnGone(request: FolderRequest, others: readonly OpenManifest[]): Promise<number> {
  const { store } = request;
  const known = new Set(await store.gone());
  const fresh = new Set(others.flatMap(({ manifest }) => manifest.gone)).difference(known);
  return fresh.size === 0 ? 0 : runStep(request, () => store.takeGone([...fresh]));
}

/** Records the writers that another writer replaces, for our own manifest, too. */
async function noteOver(request: FolderRequest, others: readonly OpenManifest[]): Promise<void> {
  const { store } = request;
  const known = new Map((await store.writers()).map((writer) => [writer.writer, writer]));
  for (const writer of new Set(others.flatMap(({ manifest }) => manifest.over))) {
    const before = known.get(writer);
    if (before?.isOver || before?.isFormer) continue;
    await runStep(request, () =>
      store.saveWriter({ ...unknownWriter(writer), ...before, isOver: true, problem: null }),
    );
  }
}

/** Names the writers whose directories are not there, or cannot be read. */
async function nameMissing(
  request: FolderRequest,
  found: Awaited<ReturnType<typeof readManifests>>,
): Promise<void> {
  const { store } = request;
  for (const writer of await store.writers()) {
    const there = found.find((each) => each.writer === writer.writer);
    const problem = there === undefined ? missing(writer.name) : there.problem;
    if (writer.isOver || problem === null || problem === writer.problem) continue;
    await runStep(request, () => store.saveWriter({ ...writer, problem }));
  }
}

function missing(name: string): string {
  const why = "it is not in the folder: it left and took what it put along, or does not have the present key";
  return name === "" ? why : `${why}. If it left: mementor sync remove "${name}"`;
}

async function pullAll(
  request: FolderRequest,
  others: readonly OpenManifest[],
  total: FolderResult,
): Promise<void> {
  const { store } = request;
  const writers = new Map((await store.writers()).map((writer) => [writer.writer, writer]));
  for (const { open, problem } of checkManifests(others, writers, request.acceptsOlder)) {
    const { writer } = open.manifest;
    const known = writers.get(writer);
    if (known?.isOver) continue;
    // A former self's manifest is never rewritten, so it may be older than what others saw.
    const judged = { open, problem: known?.isFormer ? null : problem };
    const { added, updated, isComplete } = await pullWriter(request, judged, known);
    total.added += added;
    total.updated += updated;
    if (known?.isFormer && isComplete) await runStep(request, () => store.takeOver(writer));
  }
}

/** Writes the manifest, if it would say anything new. */
async function publish(request: FolderRequest, opened: readonly OpenManifest[]): Promise<void> {
  const { store, key, project, device, now } = request;
  const self = await store.self();
  if (self === null) return;
  const writers = await store.writers();
  const manifest: Manifest = {
    version: 1,
    writer: self.writer,
    counter: self.counter + 1,
    device,
    project,
    time: now(),
    segments: (await store.segments()).map(({ live: _, ...segment }) => segment),
    gone: await store.gone(),
    seen: Object.fromEntries(
      writers.filter(({ isOver }) => !isOver).map(({ writer, counter }) => [writer, counter]),
    ),
    over: writers.filter(({ isOver }) => isOver).map(({ writer }) => writer),
    rotatedTo: null,
  };
  const present = opened.find((each) => each.manifest.writer === self.writer);
  const isPresent = present?.manifest.counter === self.counter && self.keyId === keyId(key);
  if (isPresent && contentOf(present.manifest) === contentOf(manifest)) return;
  await writeManifest(request, manifest, key);
}

async function writeManifest(request: FolderRequest, manifest: Manifest, key: Uint8Array): Promise<void> {
  const { store, files, project } = request;
  const { path, project: tag } = shelfOf(key, project, manifest.writer);
  const sealed = await sealManifest(key, tag, manifest);
  const hash = new Bun.CryptoHasher("sha256").update(sealed).digest("hex");
  const { counter, device } = manifest;
  const before = (await store.self())?.keyId ?? "";
  const save = (id: string) =>
    runStep(request, () => store.saveManifest({ counter, hash, keyId: id, device }));
  // Noted first: a manifest that this memory does not know would look like that of a copy.
  await save(before);
  await files.write([...path, MANIFEST_NAME], sealed);
  // Noted last: from now on, something of this device is surely there.
  if (before !== keyId(key)) await save(keyId(key));
}

// Ignores what was seen of others: otherwise two devices would rewrite their manifests forever.
function contentOf({ segments, gone, over, device, project, rotatedTo }: Manifest): string {
  return JSON.stringify([segments.map(({ name }) => name), gone, over, device, project, rotatedTo]);
}

/** Records how many forgotten turns each writer does not know about. */
async function noteUnaware(request: FolderRequest, others: readonly OpenManifest[]): Promise<void> {
  const { store } = request;
  const gone = await store.gone();
  const manifests = new Map(others.map(({ manifest }) => [manifest.writer, manifest]));
  for (const writer of await store.writers()) {
    const aware = new Set(manifests.get(writer.writer)?.gone ?? []);
    const unaware = manifests.has(writer.writer) ? gone.filter((key) => !aware.has(key)).length : gone.length;
    if (unaware !== writer.unaware) await runStep(request, () => store.saveWriter({ ...writer, unaware }));
  }
}

/** Empties the directories that this memory no longer writes: those of its former selves and of earlier keys. */
async function leaveFormer(request: FolderRequest): Promise<void> {
  const { store, key, formerKeys, project } = request;
  const writers = await store.writers();
  for (const { writer } of writers.filter((each) => each.isFormer && each.isOver))
    await erase(request, shelfOf(key, project, writer).path);
  const self = await store.self();
  if (self === null) return;
  for (const former of formerKeys) {
    const { path } = shelfOf(former, project, self.writer);
    const names = (await request.files.list(path)).filter(isOfMementor);
    if (names.length === 0) continue;
    if (!(await hasNotice(request, self, former))) await leaveNotice(request, self, former);
    for (const name of names.filter(isOfMementor))
      if (name !== MANIFEST_NAME) await request.files.remove([...path, name]);
  }
}

async function hasNotice(
  { files, project }: FolderRequest,
  self: FolderSelf,
  former: Uint8Array,
): Promise<boolean> {
  const { path, project: tag } = shelfOf(former, project, self.writer);
  const sealed = await files.read([...path, MANIFEST_NAME], MANIFEST_BYTES);
  const open = sealed && (await openManifest(former, tag, self.writer, sealed));
  return open !== null && open.manifest.rotatedTo !== null;
}

/** Says with an earlier key that there is a new one. */
async function leaveNotice(request: FolderRequest, self: FolderSelf, former: Uint8Array): Promise<void> {
  const { device, project, now, key, files } = request;
  const notice: Manifest = {
    version: 1,
    writer: self.writer,
    counter: self.counter + 1,
    device,
    project,
    time: now(),
    segments: [],
    gone: [],
    seen: {},
    over: [],
    rotatedTo: keyId(key),
  };
  const { path, project: tag } = shelfOf(former, project, self.writer);
  await files.write([...path, MANIFEST_NAME], await sealManifest(former, tag, notice));
}

/** Removes what mementor wrote in a writer's directory, and the directory where nothing else is in it. */
export async function erase({ files }: Pick<FolderRequest, "files">, path: readonly string[]): Promise<void> {
  for (const name of (await files.list(path)).filter(isOfMementor)) await files.remove([...path, name]);
  await files.remove(path);
}
