import { plural } from "../../../render/plural.ts";
import { renderFacts } from "../../../render/table.ts";
import { printable } from "../../../text/invisible.ts";
import { shWord } from "../../../text/shell-words.ts";

/** A history at another path that may belong to a project. */
interface ShownHistory {
  root: string;
  isGone: boolean;
  kinship: "same" | "fork" | "worktree" | "unsure" | "name";
  memory: { databaseFile: string; turns: number | null } | null;
  sessions: number;
}

export interface ShownHistories {
  found: readonly ShownHistory[];
  taken: readonly ShownHistory[];
  /** Taken over, but for their memories: the project has one already. */
  left: readonly ShownHistory[];
}

const KINSHIP: Readonly<Record<ShownHistory["kinship"], string>> = {
  same: "this repository, as its files say",
  fork: "a fork, with another remote",
  worktree: "a worktree that is gone, if this repository's .git is right",
  unsure: "related as you say",
  name: "the same name; nothing else is known",
};

/** What was found, as `--json` gives it. */
export function historiesJson({ found, taken }: ShownHistories) {
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
 * Renders the histories at other paths, and how to take over those that are not; empty when there are none. Leaves out
 * the root where the project was, which is named already. `isSaid`: what is of this repository was to be taken over.
 */
export function renderOtherHistories(
  { found, taken, left }: ShownHistories,
  formerRoot: string | null,
  isSaid: boolean,
): string {
  const isOther = ({ root }: ShownHistory) => root !== formerRoot;
  const rest = found.filter((history) => isOther(history) && !taken.includes(history));
  const isSure = (history: ShownHistory) => history.kinship === "same" && !isSaid;
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

function lineOf(history: ShownHistory): string {
  const { root, isGone, kinship } = history;
  return `${printable(root)}${isGone ? " (gone)" : ""}: ${contentOf(history)}; ${KINSHIP[kinship]}`;
}

function contentOf({ memory, sessions }: ShownHistory): string {
  const holds = [
    memory && (memory.turns === null ? "a memory that cannot be read" : plural(memory.turns, "turn")),
    sessions > 0 && `${plural(sessions, "session")} on disk`,
  ];
  return holds.filter(Boolean).join(", ");
}

/** Asks whether a project may take over a history of which its files say that it is of the same repository. */
export function renderHistoryClaim(root: string, history: ShownHistory): string {
  const gone = history.isGone ? ", which is gone" : "";
  return (
    `The files of ${printable(root)} say that it is the repository of ${printable(history.root)}${gone}. Is it? ` +
    `What is remembered there (${contentOf(history)}) is then told here.`
  );
}
