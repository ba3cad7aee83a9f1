import { type Check, ok, warning } from "../doctor.ts";

export interface TeamContext {
  /** How the memory's last sync with its team went; null without a team. */
  team: () => Promise<{ project: string; problem: { message: string; hint: string | null } | null } | null>;
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
