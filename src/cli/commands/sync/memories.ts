import { FORGET } from "../../../constants.ts";
import { MementorError, toMementorError } from "../../../errors.ts";
import { userMemories } from "../../../project/memories.ts";
import { claimedName } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { type FolderMembership, readFolders } from "../../../sync/folder/settings.ts";
import { renderApart } from "../../project-name.ts";
import { type FolderPatience, folderOf, syncMemory } from "../../sync/folder.ts";
import { lockedStep } from "../../sync/team.ts";
import type { Synced } from "./text.ts";

/** Returns the memory's folder. Throws `not_found` without one. */
export async function requireFolder(runtime: Runtime): Promise<FolderMembership> {
  const membership = await folderOf(runtime);
  if (membership !== null) return membership;
  const every = readFolders(runtime.paths.configDir)?.every ?? null;
  const { root } = runtime.project;
  const name = claimedName(root);
  throw new MementorError("not_found", "This project's memory syncs through no folder.", {
    hint:
      every === null
        ? "Choose one that all your machines have: mementor sync ~/Sync"
        : name === null
          ? `It has no remote that would name it: mementor sync ${every} --as NAME, the same on all devices.`
          : renderApart({ root, name }, `mementor sync ${every}`),
  });
}

/** The runtimes of the user's memories that sync through a folder, this project's first. */
export async function memoriesOf(directory: string, runtime: Runtime): Promise<Runtime[]> {
  const { memories } = userMemories(runtime.paths, runtime.host.uid);
  const { root } = runtime.project;
  const sorted = memories.toSorted((a, b) => Number(b.root === root) - Number(a.root === root));
  const found: Runtime[] = [];
  for (const memory of sorted) {
    const of = memory.root === root ? runtime.renewed() : runtime.renewed(memory.root);
    if ((await of.origin()) === "own" && (await folderOf(of))?.directory === directory) found.push(of);
  }
  return found;
}

/** Runs `work` on a memory, then overwrites what was removed. */
export async function inMemory<Result>(
  runtime: Runtime,
  work: (store: SqliteStore) => Promise<Result>,
): Promise<Result> {
  await using store = await runtime.openStore("readwrite");
  const result = await work(store);
  const locked = lockedStep(runtime, runtime.host.interrupted());
  if (await store.file.needsCompact()) await locked(() => store.file.compact(FORGET.patienceMs));
  return result;
}

/** Syncs memories one after the other; one that fails does not stop the others. */
export async function syncEach(
  runtimes: readonly Runtime[],
  patience: Omit<FolderPatience, "waits"> = {},
): Promise<Synced[]> {
  const synced: Synced[] = [];
  for (const runtime of runtimes) {
    const membership = await requireFolder(runtime);
    const signal = runtime.host.interrupted();
    if (signal.aborted) break;
    const { project } = membership;
    synced.push(
      await inMemory(runtime, (store) =>
        syncMemory(store, membership, runtime, signal, { waits: true, ...patience }),
      ).then(
        (result): Synced => ({ project, result, problem: null }),
        (error: unknown): Synced => {
          const { message, hint } = toMementorError(error);
          return { project, result: null, problem: { message, hint: hint ?? null } };
        },
      ),
    );
  }
  return synced;
}
