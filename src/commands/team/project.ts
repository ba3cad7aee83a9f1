import { MementorError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import { askName, isSettled } from "../shared/project-name.ts";
import { teamOf } from "../shared/team.ts";

/**
 * The name of a project in the team: what `--project` says, else that with which its memory joined, else where the repository
 * was cloned from, once the user confirmed that. Never a path. Rejects with `usage` where there is none of these.
 */
export async function teamProjectName(runtime: Runtime, { yes }: { yes: boolean }): Promise<string> {
  if (runtime.teamProject !== null) return runtime.teamProject;
  const team = await teamOf(runtime);
  if (team !== null) return team.project;
  const answer = await askName(runtime, yes);
  const { name } = answer;
  if (name !== null && isSettled(answer)) return name;
  if (name !== null)
    throw new MementorError("usage", `It is not confirmed that this project is ${name}.`, {
      hint: `Its own files say so, which anybody may have written. If it is: --project ${name}`,
    });
  throw new MementorError(
    "usage",
    "This directory has no remote that would name the project for colleagues.",
    {
      hint: "Name it: --project NAME, the same for all members.",
    },
  );
}
