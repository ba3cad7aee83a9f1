import { resolve } from "node:path";
import { MementorError } from "../../../errors.ts";
import type { Adoptable } from "../../../project/adoptable.ts";
import {
  findHistories,
  findProjectAt,
  type OtherHistory,
  readHistory,
  withRecordedRoots,
} from "../../../project/histories.ts";
import { userMemories } from "../../../project/memories.ts";
import { memoryPaths } from "../../../project/memory.ts";
import { readRegistry } from "../../../project/registry.ts";
import { type Repository, readRepository } from "../../../project/repository.ts";
import { leadsOut } from "../../../project/trust.ts";
import type { Runtime } from "../../../runtime.ts";
import { printable } from "../../../text/invisible.ts";
import { shWord } from "../../../text/lines.ts";
import { plural } from "../../../text/numbers.ts";
import { askUser } from "../../terminal/ask.ts";
import { renderFacts } from "../../terminal/table.ts";

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
  /** Offers every history that claims to be of this repository; the person chooses. */
  all: boolean;
  /** True if there is a person to ask. */
  asks: boolean;
  /** `--yes` was given. That suffices only for a history whose directory is gone. */
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
  const repository = await readRepository(project.root, host.env);
  const request = { project, repository, registry, memories, environment: host };
  if (from !== undefined) refuseLink(resolve(host.cwd, from), project.root);
  const found = await findHistories(request);
  if (from !== undefined) await addNamed(found, resolve(host.cwd, from), request);
  const named = from === undefined ? null : findProjectAt(resolve(host.cwd, from)).root;
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
    const decision = await askUser(host, renderHistoryClaim(project.root, history), "no");
    if (decision === "quit") return null;
    if (decision === "yes") agreed.push(history);
  }
  return agreed;
}

function refuseLink(path: string, root: string): void {
  if (!leadsOut(path, root)) return;
  const place = findProjectAt(path).root;
  throw new MementorError("usage", `${path} is a link in this project, and leads to ${place}.`, {
    hint: `Whoever made the project may have made the link. If you want that history: --adopt-from ${place}`,
  });
}

async function addNamed(
  found: OtherHistory[],
  path: string,
  request: Parameters<typeof readHistory>[1],
): Promise<void> {
  const { root } = findProjectAt(path);
  if (found.some((history) => history.root === root)) return;
  const history = await readHistory(root, request);
  if (history.memory === null && history.sessions === 0)
    throw new MementorError("not_found", `There is no history of ${root}: no memory and no session.`, {
      hint: 'Name the directory as it was when the sessions were held; "mementor enable --dry-run" lists what is found.',
    });
  found.push(history);
}

function byTurns(a: OtherHistory, b: OtherHistory): number {
  return (b.memory?.turns ?? 0) - (a.memory?.turns ?? 0);
}

/** Returns how a memory is taken over: it moves if its directory is gone, and is copied if that clone still exists. Null without a memory. */
function adoptableOf({ root, isGone, memory }: OtherHistory, dataDir: string): Adoptable | null {
  if (memory === null) return null;
  const { id, databaseFile } = memory;
  if (!isGone) return { kind: "copy", file: databaseFile, root };
  return { kind: "memory", id, directory: memoryPaths(dataDir, id).directory, formerRoot: root };
}

/** What is shown of what was found. */
type Shown = Pick<OtherHistories, "found" | "taken" | "left">;

const KINSHIP: Readonly<Record<OtherHistory["kinship"], string>> = {
  same: "this repository, as its files say",
  fork: "a fork, with another remote",
  worktree: "a worktree that is gone, if this repository's .git is right",
  unsure: "related as you say",
  name: "the same name; nothing else is known",
};

/** What was found, as `--json` gives it. */
export function historiesJson({ found, taken }: Omit<Shown, "left">) {
  return found.map((history) => ({
    root: history.root,
    is_gone: history.isGone,
    kinship: history.kinship,
    turns: history.memory?.turns ?? null,
    sessions: history.sessions,
    taken: taken.includes(history),
  }));
}

/**
 * Renders the histories at other paths, and how to take over those that are not; empty when there are none. Leaves out the root
 * where the project was, which is named already. `isSaid` is true for `--adopt-history`.
 */
export function renderOtherHistories(
  { found, taken, left }: Shown,
  formerRoot: string | null,
  isSaid: boolean,
): string {
  const isOther = ({ root }: OtherHistory) => root !== formerRoot;
  const rest = found.filter((history) => isOther(history) && !taken.includes(history));
  const isSure = (history: OtherHistory) => history.kinship === "same" && !isSaid;
  return renderFacts([
    ["Takes", taken.filter(isOther).map(lineOf)],
    ["Found", rest.map(lineOf)],
    [
      "Next",
      [
        ...(rest.some(isSure)
          ? ["mementor enable --adopt-history takes over what is of this repository, and asks for each"]
          : []),
        ...rest
          .filter((history) => !isSure(history))
          .map(({ root }) => `mementor enable --adopt-from ${shWord(printable(root))} takes over that one`),
        ...left.map(
          ({ memory }) =>
            `what only the other memory holds: mementor --db ${printable(memory?.databaseFile ?? "")} export -o history.jsonl, then mementor import history.jsonl`,
        ),
      ],
    ],
  ]);
}

function lineOf(history: OtherHistory): string {
  const { root, isGone, kinship } = history;
  return `${printable(root)}${isGone ? " (gone)" : ""}: ${contentOf(history)}; ${KINSHIP[kinship]}`;
}

function contentOf({ memory, sessions }: OtherHistory): string {
  const holds = [
    memory && (memory.turns === null ? "a memory that cannot be read" : plural(memory.turns, "turn")),
    sessions > 0 && `${plural(sessions, "session")} on disk`,
  ];
  return holds.filter(Boolean).join(", ");
}

/** Asks whether a project may take over a history of which its files say that it is of the same repository. */
function renderHistoryClaim(root: string, history: OtherHistory): string {
  const gone = history.isGone ? ", which is gone" : "";
  return (
    `The files of ${printable(root)} say that it is the repository of ${printable(history.root)}${gone}. Is it? ` +
    `What is remembered there (${contentOf(history)}) is then told here.`
  );
}
