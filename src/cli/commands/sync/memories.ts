import { FORGET } from "../../../constants.ts";
import { MementorError, problemOf, sentence } from "../../../errors.ts";
import { userMemories } from "../../../project/memories.ts";
import { claimedName } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { type FolderMembership, readFolders } from "../../../sync/folder/settings.ts";
import type { FolderResult } from "../../../sync/folder/sync.ts";
import { printable } from "../../../text/invisible.ts";
import { shWord } from "../../../text/lines.ts";
import { plural } from "../../../text/numbers.ts";
import { renderApart, type UnconfirmedFolder } from "../../project-name.ts";
import { type FolderPatience, memoryFolder, syncMemory } from "../../sync/folder.ts";
import { lockedStep } from "../../sync/team.ts";
import { printResult } from "../../terminal/view.ts";

/** Returns the memory's folder. Throws `not_found` without one. */
export async function requireFolder(runtime: Runtime): Promise<FolderMembership> {
  const membership = await memoryFolder(runtime);
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
    if ((await of.origin()) === "own" && (await memoryFolder(of))?.directory === directory) found.push(of);
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
        (error: unknown): Synced => ({ project, result: null, problem: problemOf(error) }),
      ),
    );
  }
  return synced;
}

/** Prints what syncs of memories did. Returns the exit code: 1 where one of them failed. */
export function printSynced<Result extends { synced: readonly Synced[] }>(
  runtime: Runtime,
  options: { json: boolean },
  result: Result,
  text: (result: Result) => string,
): number {
  printResult(runtime, options, result, text);
  return result.synced.some(({ problem }) => problem !== null) ? 1 : 0;
}

/** How a memory's sync through a folder ended. */
interface Synced {
  project: string;
  result: FolderResult | null;
  problem: { message: string; hint: string | null } | null;
}

/** What `mementor sync <folder>` did. */
interface Connected {
  directory: string;
  /** True if the folder got its key now. */
  isNew: boolean;
  /** True if projects that are enabled later join too. */
  joinsAll: boolean;
  isEnabled: boolean;
  synced: readonly Synced[];
  /** Projects without a name for other devices. */
  unnamed: number;
  /** Projects whose name is only claimed by their own files. */
  apart: readonly UnconfirmedFolder[];
}

export function renderConnected(connected: Connected): string {
  const { directory, isNew, joinsAll, isEnabled, synced, unnamed, apart } = connected;
  const lines = [
    `Your memory follows you through ${printable(directory)}, encrypted.`,
    ...synced.map(syncedLine),
    ...(joinsAll && !isEnabled
      ? [
          "Projects that you enable from now on join it, with what your other devices remember: each asks first whether it is the one that its files name.",
        ]
      : []),
    ...apart.map((each) =>
      renderApart(
        each,
        `mementor -C ${shWord(each.root)} sync ${shWord(directory)} --as ${shWord(each.name)}`,
      ),
    ),
    ...(unnamed > 0
      ? [
          `${plural(unnamed, "project")} without a remote stayed out: join each with "mementor sync <folder> --as NAME".`,
        ]
      : []),
    ...(isNew
      ? [
          'A key was made. For your next device, see its code: "mementor sync code". Without it, nobody reads the folder, nor do you.',
        ]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

export function renderSynced({ synced }: { synced: readonly Synced[] }): string {
  return synced.map((each) => `${syncedLine(each)}\n`).join("");
}

function syncedLine({ project, result, problem }: Synced): string {
  const name = printable(project);
  if (problem !== null)
    return `${name}: not synced. ${sentence(printable(problem.message))} ${printable(problem.hint ?? "")}`.trim();
  if (result === null) return `${name}: interrupted.`;
  const { pushed, added, updated, removed } = result;
  const parts = [
    pushed > 0 && `${plural(pushed, "change")} put`,
    added > 0 && `${plural(added, "turn")} arrived`,
    updated > 0 && `${updated} changed`,
    removed > 0 && `${removed} forgotten`,
  ].filter((part) => part !== false);
  return `${name}: ${parts.length === 0 ? "nothing new" : parts.join(", ")}.`;
}

/** What stands above a folder's code. */
export function renderCodeUse(directory: string): string {
  return (
    `Who has this code reads what is in ${printable(directory)}. Type it where "mementor sync <folder>" asks for it, ` +
    `or keep it on paper: without a device and without the code, the folder cannot be read.\n\n`
  );
}

/** What `sync rotate` and `sync remove` did. */
export function renderRotated(rotated: { removed: string | null; synced: readonly Synced[] }): string {
  const { removed, synced } = rotated;
  const gone = removed === null ? "" : `${printable(removed)} is removed; what was said there stays.\n`;
  return (
    `${gone}The folder has a new key. Run "mementor sync <folder>" on each other device, with the new code: "mementor sync code".\n` +
    renderSynced({ synced })
  );
}

export function renderLeft(directory: string, projects: readonly string[], erased: boolean): string {
  const what = erased ? "What this device put is gone from it." : "What this device put is still in it.";
  return `${projects.map(printable).join(", ")}: syncs no more through ${printable(directory)}. ${what} What arrived stays.\n`;
}
