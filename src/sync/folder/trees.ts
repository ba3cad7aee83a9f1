import type { FolderFiles } from "./files.ts";
import { keyId } from "./key.ts";
import { isSegmentName, isWriterId, manifestReader } from "./manifest.ts";

/** Names of the directories of keys in a folder. */
export async function treesIn(files: FolderFiles): Promise<string[]> {
  return (await files.list([])).filter(isWriterId);
}

/** Returns the keys, by their ids, that hold turns in a folder and are not among those that are known here. */
export async function otherTrees(files: FolderFiles, keys: readonly Uint8Array[]): Promise<string[]> {
  const known = new Set(keys.map(keyId));
  const others: string[] = [];
  for (const tree of await treesIn(files))
    if (!known.has(tree) && (await holdsTurns(files, tree))) others.push(tree);
  return others;
}

/** Whether a device says, with this key, that there is a new one. */
export async function isRotated(files: FolderFiles, key: Uint8Array): Promise<boolean> {
  const read = manifestReader(files, key, new Set());
  for (const [tag, writer] of await writersIn(files, keyId(key))) {
    const { open } = await read(tag, writer);
    if (open !== null && open.manifest.rotatedTo !== null) return true;
  }
  return false;
}

/** Whether any device's turns are in the tree of a key. Of one that is no longer in use, only the word is left that it is not. */
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
