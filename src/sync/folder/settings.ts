import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { withLock } from "../../io/lock.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import { ensurePrivateDir, writeAtomic } from "../../io/write.ts";
import type { FolderStore } from "../../store/folder.ts";
import type { Exclusions } from "../../store/team.ts";
import type { FolderFiles } from "./files.ts";
import { keyId, projectTag } from "./key.ts";
import { isSegmentName, isWriterId, manifestReader, type SegmentPlace } from "./manifest.ts";

/** How long a change of the file waits for another change, ms. */
const LOCK_MS = 5_000;

const Hex = (chars: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${chars}}$`)));

const FileSchema = v.object({
  version: v.literal(1),
  /** This machine, as the user's other devices name it. */
  device: v.object({ id: Hex(16), name: v.string() }),
  /** The keys of each folder, the present one first, hex. */
  folders: v.record(v.string(), v.object({ keys: v.array(Hex(64)) })),
  /** The folder of a memory, by the memory's id, and the name of its project there. */
  memories: v.record(v.string(), v.object({ directory: v.string(), project: v.string() })),
  /** The folder of each project that is enabled; null for none. */
  every: v.nullable(v.string()),
  /** Memories that left: `every` does not count for them. */
  left: v.array(v.string()),
});

/** Through which folders the user's memories sync, and with which keys. */
type FolderSettings = v.InferOutput<typeof FileSchema>;

/** The folder of one memory. */
export interface FolderMembership {
  directory: string;
  /** As a team names it. */
  project: string;
  device: { id: string; name: string };
  /** The folder's key, and those before it, the latest first. */
  key: Uint8Array;
  formerKeys: readonly Uint8Array[];
}

/** The file with the keys of the user's folders. Only the user can read it. */
function foldersFile(configDir: string): string {
  return join(configDir, "sync.json");
}

/** Tells whether any memory of the user may sync through a folder. */
export function hasFolders(configDir: string): boolean {
  return statIfExists(foldersFile(configDir)) !== null;
}

/** Returns the user's folders; null before the first. Throws `config_invalid` for a broken file. */
export function readFolders(configDir: string): FolderSettings | null {
  const file = foldersFile(configDir);
  const text = readIfExists(file);
  if (text === null) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), FileSchema), text);
  if (parsed.success) return parsed.output;
  throw new MementorError("config_invalid", `the file with your folders is broken: ${file}`, {
    hint: "Move it away, then run `mementor sync <folder>` again, with the code of another device.",
  });
}

/** Changes the file. `deviceName` is what this machine is called when there is no file yet. */
export function changeFolders(
  configDir: string,
  deviceName: string,
  change: (settings: FolderSettings) => FolderSettings,
): FolderSettings {
  ensurePrivateDir(configDir);
  const file = foldersFile(configDir);
  return withLock(`${file}.lock`, LOCK_MS, () => {
    const changed = change(readFolders(configDir) ?? newSettings(deviceName));
    writeAtomic(file, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600, replace: true });
    return changed;
  });
}

/**
 * Returns the folder of a memory; null without one.
 *
 * @param nameProject names the project of a memory that was never told a folder; null where it has no name.
 */
export function findMembership(
  settings: FolderSettings,
  memoryId: string,
  nameProject: () => string | null,
): FolderMembership | null {
  const named = settings.memories[memoryId];
  const directory = named?.directory ?? (settings.left.includes(memoryId) ? null : settings.every);
  const [key, ...formerKeys] = directory === null ? [] : folderKeys(settings, directory);
  const project = named?.project ?? (directory === null ? null : nameProject());
  if (directory === null || key === undefined || project === null) return null;
  return { directory, project, device: settings.device, key, formerKeys };
}

/** Returns the keys of a folder, the present one first. */
export function folderKeys({ folders }: FolderSettings, directory: string): Uint8Array[] {
  return (folders[directory]?.keys ?? []).map((hex) => Uint8Array.fromHex(hex));
}

/** Makes a key the present one of a folder. */
export function withKey(settings: FolderSettings, directory: string, key: Uint8Array): FolderSettings {
  const hex = key.toHex();
  const others = (settings.folders[directory]?.keys ?? []).filter((known) => known !== hex);
  return { ...settings, folders: { ...settings.folders, [directory]: { keys: [hex, ...others] } } };
}

function newSettings(deviceName: string): FolderSettings {
  const id = crypto.getRandomValues(new Uint8Array(8)).toHex();
  return { version: 1, device: { id, name: deviceName }, folders: {}, memories: {}, every: null, left: [] };
}

/** What a sync through a folder needs. */
export interface FolderRequest extends Omit<FolderMembership, "directory"> {
  store: FolderStore;
  files: FolderFiles;
  exclusions: Exclusions;
  /** ISO 8601. Later times are not believed. */
  until: string;
  /** The user confirmed that manifests count which are older than what is known of them. */
  acceptsOlder: boolean;
  /** The user named the folder now: this device's files may be gone from it. */
  startsAnew: boolean;
  /** Runs a step that writes to the memory, one process at a time. Null when the process is interrupted. */
  locked: <Result>(step: () => Promise<Result>) => Promise<Result | null>;
  /** Called when turns were removed here: what quotes them must go, too. */
  onRemoval?: () => Promise<void>;
  /** ISO 8601. */
  now: () => string;
  signal: AbortSignal;
}

/** Thrown where a sync ends because the process is to end. */
export class SyncInterrupted extends Error {}

/** Runs a step that writes to the memory. Throws `Interrupted` when the process is to end. */
export async function runStep<Result>(
  { locked, signal }: Pick<FolderRequest, "locked" | "signal">,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw new SyncInterrupted();
  const done = await locked(async () => ({ result: await work() }));
  if (done === null) throw new SyncInterrupted();
  return done.result;
}

/** The directory of a project's writers, as a path below the folder. */
export function projectPath(key: Uint8Array, project: string): [tree: string, tag: string] {
  return [keyId(key), projectTag(key, project)];
}

/** A writer's directory, and what its files are sealed with. */
export function shelfOf(key: Uint8Array, project: string, writer: string): SegmentPlace & { path: string[] } {
  const [tree, tag] = projectPath(key, project);
  return { key, project: tag, writer, path: [tree, tag, writer] };
}

/** Names of the directories of keys in a folder. */
export async function listKeyTrees(files: FolderFiles): Promise<string[]> {
  return (await files.list([])).filter(isWriterId);
}

/** Returns the keys, by their ids, that hold turns in a folder and are not among those that are known here. */
export async function otherTrees(files: FolderFiles, keys: readonly Uint8Array[]): Promise<string[]> {
  const known = new Set(keys.map(keyId));
  const others: string[] = [];
  for (const tree of await listKeyTrees(files))
    if (!known.has(tree) && (await holdsTurns(files, tree))) others.push(tree);
  return others;
}

/** Tells whether a device says, with this key, that there is a new one. */
export async function isRotated(files: FolderFiles, key: Uint8Array): Promise<boolean> {
  const read = manifestReader(files, key, new Set());
  for (const [tag, writer] of await writersIn(files, keyId(key))) {
    const { open } = await read(tag, writer);
    if (open !== null && open.manifest.rotatedTo !== null) return true;
  }
  return false;
}

/**
 * Tells whether any device's turns are in the tree of a key. Of one that is no longer in use, only the word is left that it is
 * not.
 */
export async function holdsTurns(files: FolderFiles, tree: string): Promise<boolean> {
  for (const [tag, writer] of await writersIn(files, tree))
    if ((await files.list([tree, tag, writer])).some(isSegmentName)) return true;
  return false;
}

async function writersIn(files: FolderFiles, tree: string): Promise<[tag: string, writer: string][]> {
  const found: [string, string][] = [];
  for (const tag of (await files.list([tree])).filter(isWriterId))
    for (const writer of (await files.list([tree, tag])).filter(isWriterId)) found.push([tag, writer]);
  return found;
}
