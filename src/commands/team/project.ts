import { MementorError } from "../../errors.ts";
import { remoteOf } from "../../git/remote.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * The name of a project in the team: what `--project` says, else where the repository was cloned from. Never a path. Rejects
 * with `usage` where there is neither.
 */
export function teamProjectName({ teamProject, project }: Runtime): string {
  const name = teamProject ?? remoteOf(project.root);
  if (name !== null && !/^[./\\]|^[A-Za-z]:[\\/]/.test(name)) return name;
  throw new MementorError(
    "usage",
    "This directory has no remote that would name the project for colleagues.",
    {
      hint: "Name it: --project NAME, the same for all members.",
    },
  );
}
