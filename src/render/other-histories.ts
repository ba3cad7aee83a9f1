import { printable } from "../text/invisible.ts";
import { shWord } from "../text/shell-words.ts";
import { plural } from "./plural.ts";
import { renderFacts } from "./table.ts";

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
  same: "this repository",
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
 * the root where the project was, which is named already.
 */
export function renderOtherHistories(
  { found, taken, left }: ShownHistories,
  formerRoot: string | null,
): string {
  const isOther = ({ root }: ShownHistory) => root !== formerRoot;
  const rest = found.filter((history) => isOther(history) && !taken.includes(history));
  const isSure = (history: ShownHistory) => history.kinship === "same";
  return renderFacts([
    ["Takes", taken.filter(isOther).map(lineOf)],
    ["Found", rest.map(lineOf)],
    [
      "Next",
      [
        ...(rest.some(isSure)
          ? ["mementor enable --adopt-history takes over what is of this repository"]
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

function lineOf({ root, isGone, kinship, memory, sessions }: ShownHistory): string {
  const holds = [
    memory && (memory.turns === null ? "a memory that cannot be read" : plural(memory.turns, "turn")),
    sessions > 0 && `${plural(sessions, "session")} on disk`,
  ].filter(Boolean);
  return `${printable(root)}${isGone ? " (gone)" : ""}: ${holds.join(", ")}; ${KINSHIP[kinship]}`;
}
