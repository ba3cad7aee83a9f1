import { printable } from "../text/invisible.ts";

/** Asks whether a project is the one that its own files name. `others` are projects here that are called so. */
export function renderNameQuestion(root: string, name: string, others: readonly string[]): string {
  const same = others.length === 0 ? "" : `, and so ${others.length === 1 ? "is" : "are"} ${listed(others)}`;
  return (
    `The files of ${printable(root)} say that it is ${printable(name)}${same}. Is it? ` +
    "What is remembered under that name is then told here, and what is said here is told there."
  );
}

/** More projects of one name are counted. */
const MAX_LISTED = 2;

function listed(roots: readonly string[]): string {
  const rest = roots.length - MAX_LISTED;
  const names = [
    ...roots.slice(0, MAX_LISTED).map((root) => printable(root)),
    ...(rest > 0 ? [`${rest} more`] : []),
  ];
  return names.length === 1 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** What an unconfirmed project stays apart from, and how its user confirms it. */
export interface Apart {
  root: string;
  name: string;
}

/** Says that a project stays apart until its user confirms what its files say. `confirm` is the command for that. */
export function renderApart({ root, name }: Apart, confirm: string): string {
  return `${printable(root)} stays apart: only its own files say that it is ${printable(name)}. If it is: ${confirm}`;
}
