import { shWord } from "../../text/shell-words.ts";
import { type Check, ok, warning } from "../doctor.ts";

export interface TeamContext {
  /** How the memory's last sync with its team went; null without a team. */
  team: () => Promise<{ project: string; problem: { message: string; hint: string | null } | null } | null>;
}

export interface FolderContext {
  /** How the memory's last sync through its folder went, and the devices with which something is wrong; null without one. */
  folder: () => Promise<{
    directory: string;
    problem: { message: string; hint: string | null } | null;
    troubled: string[];
    /** What only the project's own files say that it is called there; null where it takes part. */
    apart: string | null;
  } | null>;
}

/** Checks that the memory is in step with the user's other devices. */
export function folderChecks({ folder }: FolderContext): Check[] {
  const run = async () => {
    const state = await folder();
    if (state === null) return ok("The memory syncs through no folder.");
    const { directory, problem, troubled, apart } = state;
    if (apart !== null)
      return warning(
        `The memory stays out of ${directory}: only the project's own files say that it is ${apart}.`,
        `If it is: mementor sync ${shWord(directory)}`,
      );
    if (problem !== null)
      return warning(
        `Not synced through ${directory}: ${problem.message}.`,
        [problem.hint, "It is tried again by itself; to try now: mementor sync now"]
          .filter(Boolean)
          .join(" "),
      );
    return troubled.length === 0
      ? ok(`The memory is in step with your devices through ${directory}.`)
      : warning(
          `Something is wrong with ${troubled.join(", ")} in ${directory}.`,
          "See: mementor sync status",
        );
  };
  return [{ name: "folder", run }];
}

/** Checks that the memory is in step with its team. */
export function teamChecks({ team }: TeamContext): Check[] {
  const run = async () => {
    const state = await team();
    if (state === null) return ok("The memory belongs to no team.");
    const { project, problem } = state;
    if (problem === null) return ok(`The memory is in step with the team "${project}".`);
    return warning(
      `Not synced with the team "${project}": ${problem.message}.`,
      problem.hint ?? "It is tried again by itself; to try now: mementor team sync",
    );
  };
  return [{ name: "team", run }];
}
