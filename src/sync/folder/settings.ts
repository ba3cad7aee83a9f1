import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { withLock } from "../../io/lock.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import { ensurePrivateDir, writeAtomic } from "../../io/write.ts";

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
export type FolderSettings = v.InferOutput<typeof FileSchema>;

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

/** Whether any memory of the user may sync through a folder. */
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
export function membershipOf(
  settings: FolderSettings,
  memoryId: string,
  nameProject: () => string | null,
): FolderMembership | null {
  const named = settings.memories[memoryId];
  const directory = named?.directory ?? (settings.left.includes(memoryId) ? null : settings.every);
  const [key, ...formerKeys] = directory === null ? [] : keysOf(settings, directory);
  const project = named?.project ?? (directory === null ? null : nameProject());
  if (directory === null || key === undefined || project === null) return null;
  return { directory, project, device: settings.device, key, formerKeys };
}

/** Returns the keys of a folder, the present one first. */
export function keysOf({ folders }: FolderSettings, directory: string): Uint8Array[] {
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
