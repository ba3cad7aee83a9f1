import { hostname } from "node:os";
import { MementorError } from "../errors.ts";
import { readRegistry } from "../project/registry.ts";
import { claimedName, confirmedName, confirmName, othersNamed } from "../project/trust.ts";
import type { Runtime } from "../runtime.ts";
import { printable } from "../text/invisible.ts";
import { memoryId } from "./sync/team.ts";
import { askUser, canAsk, type Decision } from "./terminal/ask.ts";

/** True if a project is what its own files say: its user said so now or before, or did not. */
export interface NameConfirmation {
  /** Null where neither the user nor its files name it. */
  name: string | null;
  decision: Decision | "confirmed" | "unasked";
}

/**
 * Asks once whether a project is what its own files say, in words that name both. What the user confirmed is recorded where
 * the project is registered.
 *
 * @param isYes the command line says "--yes": enough for a name that no other project of this machine has.
 */
export async function askName(runtime: Runtime, isYes: boolean): Promise<NameConfirmation> {
  const { host, paths, project } = runtime;
  const { root } = project;
  const confirmed = confirmedName(paths, root);
  if (confirmed !== null) return { name: confirmed, decision: "confirmed" };
  const name = claimedName(root);
  if (name === null) return { name, decision: "unasked" };
  const others = othersNamed(readRegistry(paths.configDir), root, name);
  const decision =
    isYes || !canAsk(host)
      ? isYes && others.length === 0
        ? "yes"
        : "unasked"
      : await askUser(host, renderNameQuestion(root, name, others), "no");
  if (decision === "yes") confirmName(paths, root, name);
  return { name, decision };
}

/** Tells whether the answer says what the project is called. */
export function isSettled({ decision }: NameConfirmation): boolean {
  return decision === "confirmed" || decision === "yes";
}

/** Returns the error for a project that nothing names surely; `option` names it, for `whom`. */
export function unnamedError(
  { name }: NameConfirmation,
  { option, whom, everywhere }: { option: string; whom: string; everywhere: string },
): MementorError {
  return name !== null
    ? new MementorError("usage", `It is not confirmed that this project is ${name}.`, {
        hint: `Its own files say so, which anybody may have written. If it is: ${option} ${name}`,
      })
    : new MementorError("usage", `This directory has no remote that would name the project ${whom}.`, {
        hint: `Name it: ${option} NAME, the same ${everywhere}.`,
      });
}

/** The user's folder for all projects, and the project's name there where only its own files say it; null for no such project. */
export async function separateFolder(runtime: Runtime): Promise<{ directory: string; name: string } | null> {
  const { paths, memory, project } = runtime;
  const { readFolders } = await import("../sync/folder/settings.ts");
  const settings = readFolders(paths.configDir);
  const directory = settings?.every ?? null;
  if (settings === null || directory === null || memory.directory === null) return null;
  const id = memoryId(runtime);
  if (settings.left.includes(id) || settings.memories[id] !== undefined) return null;
  const name = confirmedName(paths, project.root) === null ? claimedName(project.root) : null;
  return name === null ? null : { directory, name };
}

/** Records that the user does not want a memory in the folder for all projects: nobody is asked again. */
export async function declineFolder(runtime: Runtime): Promise<void> {
  const { changeFolders } = await import("../sync/folder/settings.ts");
  const id = memoryId(runtime);
  changeFolders(runtime.paths.configDir, hostname(), (settings) => ({
    ...settings,
    left: [...settings.left.filter((known) => known !== id), id],
  }));
}

/** Asks whether a project is the one that its own files name. `others` are projects here that are called so. */
function renderNameQuestion(root: string, name: string, others: readonly string[]): string {
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
export interface UnconfirmedFolder {
  root: string;
  name: string;
}

/** Says that a project stays apart until its user confirms what its files say. `confirm` is the command for that. */
export function renderApart({ root, name }: UnconfirmedFolder, confirm: string): string {
  return `${printable(root)} stays apart: only its own files say that it is ${printable(name)}. If it is: ${confirm}`;
}
