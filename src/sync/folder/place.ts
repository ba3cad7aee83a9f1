import type { FolderStore } from "../../store/folder.ts";
import type { Exclusions } from "../../store/team.ts";
import type { FolderFiles } from "./files.ts";
import { keyId, projectTag } from "./key.ts";
import type { Shelf } from "./manifest.ts";
import { isSegmentName, isWriterId, manifestReader } from "./manifest.ts";
import type { FolderMembership } from "./settings.ts";

/** What a sync through a folder needs. */
export interface FolderRequest extends Omit<FolderMembership, "directory"> {
  store: FolderStore;
  files: FolderFiles;
  exclusions: Exclusions;
  /** ISO 8601. Later times are not believed. */
  until: string;
  /** The user confirmed that manifests count which are older than what is known of them. */
  acceptsOlder: boolean;
  /** Runs a step that writes to the memory, one process at a time. Null when the process is interrupted. */
  locked: <Result>(step: () => Promise<Result>) => Promise<Result | null>;
  /** Called when turns were removed here: what quotes them must go, too. */
  onRemoval?: () => Promise<void>;
  /** ISO 8601. */
  now: () => string;
  signal: AbortSignal;
}

/** Thrown where a sync ends because the process is to end. */
export class Interrupted extends Error {}

/** Runs a step that writes to the memory. Throws `Interrupted` when the process is to end. */
export async function step<Result>(
  { locked, signal }: Pick<FolderRequest, "locked" | "signal">,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw new Interrupted();
  const done = await locked(async () => ({ result: await work() }));
  if (done === null) throw new Interrupted();
  return done.result;
}

/** The directory of a project's writers, as a path below the folder. */
export function projectPath(key: Uint8Array, project: string): [tree: string, tag: string] {
  return [keyId(key), projectTag(key, project)];
}

/** A writer's directory, and what its files are sealed with. */
export function shelfOf(key: Uint8Array, project: string, writer: string): Shelf & { path: string[] } {
  const [tree, tag] = projectPath(key, project);
  return { key, project: tag, writer, path: [tree, tag, writer] };
}

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
