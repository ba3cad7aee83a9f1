import { resolve } from "node:path";
import { MementorError } from "../../../errors.ts";
import type { Adoptable } from "../../../project/adoptable.ts";
import {
  findAt,
  findHistories,
  historyAt,
  type OtherHistory,
  withRecordedRoots,
} from "../../../project/histories.ts";
import { userMemories } from "../../../project/memories.ts";
import { memoryAt } from "../../../project/memory.ts";
import { readRegistry } from "../../../project/registry.ts";
import { type Repository, repositoryOf } from "../../../project/repository.ts";
import { leadsOut } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import { ask } from "../../terminal/ask.ts";
import { renderHistoryClaim } from "./other-histories-text.ts";

/** What was found of this project at other paths, and what the user wants of it. */
export interface OtherHistories {
  repository: Repository;
  found: OtherHistory[];
  /** Those that are taken over. */
  taken: OtherHistory[];
  /** The memory among them that becomes this project's; null when it has one, or none of them has. */
  adoptable: Adoptable | null;
  /** Their memories that stay where they are, since a project has one memory. */
  left: OtherHistory[];
}

export interface TakeOptions {
  /** Takes over every history of this repository, as its files say: which of them, the person says. */
  all: boolean;
  /** Whether there is a person to ask. */
  asks: boolean;
  /** The command line says "--yes": enough for a history whose place is gone, since nobody else has it. */
  yes: boolean;
  /** A directory whose history is taken over, whatever belongs to it. */
  from: string | undefined;
  /** What the project adopts by its pointer. */
  adopted: Adoptable | null;
}

/**
 * Looks for histories of this project at other paths, and decides which of them to take over. Resolves to null when the person
 * quits. Rejects with `not_found` where one that is named is not there.
 */
export async function findOtherHistories(
  runtime: Runtime,
  { all, asks, yes, from, adopted }: TakeOptions,
): Promise<OtherHistories | null> {
  const { host, paths } = runtime;
  const registry = readRegistry(paths.configDir);
  const project = withRecordedRoots(runtime.project, registry);
  const { memories } = userMemories(paths, host.uid);
  const repository = await repositoryOf(project.root, host.env);
  const request = { project, repository, registry, memories, environment: host };
  if (from !== undefined) refuseLink(resolve(host.cwd, from), project.root);
  const found = await findHistories(request);
  if (from !== undefined) await addNamed(found, resolve(host.cwd, from), request);
  const named = from === undefined ? null : findAt(resolve(host.cwd, from)).root;
  const sure = found.filter(({ root, kinship }) => all && kinship === "same" && root !== named);
  const agreed = asks ? await agreedOf(sure, runtime) : sure.filter(({ isGone }) => yes && isGone);
  if (agreed === null) return null;
  const taken = found.filter((history) => history.root === named || agreed.includes(history));
  const pointed = adopted?.kind === "memory" ? adopted.id : null;
  const withMemory = taken.filter(({ memory }) => memory !== null && memory.id !== pointed).sort(byTurns);
  if ((await runtime.origin()) !== "none")
    return { repository, found, taken, left: withMemory, adoptable: null };
  const [largest, ...left] = withMemory;
  return {
    repository,
    found,
    taken,
    left,
    adoptable: largest ? adoptableOf(largest, paths.dataDir) : null,
  };
}

/** Asks for each history, in words that name both places: who packed an archive chose what its files say. Null for a quit. */
async function agreedOf(
  histories: readonly OtherHistory[],
  { host, project }: Runtime,
): Promise<OtherHistory[] | null> {
  const agreed: OtherHistory[] = [];
  for (const history of histories) {
    const decision = await ask(host, renderHistoryClaim(project.root, history), "no");
    if (decision === "quit") return null;
    if (decision === "yes") agreed.push(history);
  }
  return agreed;
}

function refuseLink(path: string, root: string): void {
  if (!leadsOut(path, root)) return;
  const place = findAt(path).root;
  throw new MementorError("usage", `${path} is a link in this project, and leads to ${place}.`, {
    hint: `Whoever made the project may have made the link. If you want that history: --adopt-from ${place}`,
  });
}

async function addNamed(
  found: OtherHistory[],
  path: string,
  request: Parameters<typeof historyAt>[1],
): Promise<void> {
  const { root } = findAt(path);
  if (found.some((history) => history.root === root)) return;
  const history = await historyAt(root, request);
  if (history.memory === null && history.sessions === 0)
    throw new MementorError("not_found", `There is no history of ${root}: no memory and no session.`, {
      hint: 'Name the directory as it was when the sessions were held; "mementor enable --dry-run" lists what is found.',
    });
  found.push(history);
}

function byTurns(a: OtherHistory, b: OtherHistory): number {
  return (b.memory?.turns ?? 0) - (a.memory?.turns ?? 0);
}

/** The memory of a place that is gone moves; that of another clone is copied, since the clone goes on. */
function adoptableOf({ root, isGone, memory }: OtherHistory, dataDir: string): Adoptable | null {
  if (memory === null) return null;
  const { id, databaseFile } = memory;
  if (!isGone) return { kind: "copy", file: databaseFile, root };
  return { kind: "memory", id, directory: memoryAt(dataDir, id).directory, formerRoot: root };
}
