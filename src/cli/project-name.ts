import { hostname } from "node:os";
import { readRegistry } from "../project/registry.ts";
import { claimedName, confirmedName, confirmName, othersNamed } from "../project/trust.ts";
import type { Runtime } from "../runtime.ts";
import { renderNameQuestion } from "./project-words.ts";
import { memoryId } from "./sync/team.ts";
import { ask, canAsk, type Decision } from "./terminal/ask.ts";

/** Whether a project is what its own files say: its user said so now or before, or did not. */
export interface NameAnswer {
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
export async function askName(runtime: Runtime, isYes: boolean): Promise<NameAnswer> {
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
      : await ask(host, renderNameQuestion(root, name, others), "no");
  if (decision === "yes") confirmName(paths, root, name);
  return { name, decision };
}

/** Whether the answer says what the project is called. */
export function isSettled({ decision }: NameAnswer): boolean {
  return decision === "confirmed" || decision === "yes";
}

/** The user's folder for all projects, and the project's name there where only its own files say it; null for no such project. */
export async function apartFrom(runtime: Runtime): Promise<{ directory: string; name: string } | null> {
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
export async function stayApart(runtime: Runtime): Promise<void> {
  const { changeFolders } = await import("../sync/folder/settings.ts");
  const id = memoryId(runtime);
  changeFolders(runtime.paths.configDir, hostname(), (settings) => ({
    ...settings,
    left: [...settings.left.filter((known) => known !== id), id],
  }));
}
