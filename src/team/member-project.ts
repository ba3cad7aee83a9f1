import { MementorError } from "../errors.ts";
import type { Database } from "../store/postgres/client/database.ts";
import type { MemberProject } from "../store/team.ts";

/** Which project of a team's database is meant. */
export interface WantedProject {
  /** The name that the user gave; null to choose by `confirmed`. */
  project: string | null;
  /** What the user confirmed that the current directory is called; null before that. */
  confirmed: string | null;
}

/**
 * Finds the project at the server: the named one; else what the directory is called, or the only one of the member.
 *
 * @param timeoutMs the longest that the statement may take
 * @throws `server_denied` when the member has no such project, `usage` when it has several and none is named; `timeout`
 *   or a `server_…` code when the server does not answer or refuses.
 */
export async function memberProject(
  server: Database,
  { project, confirmed }: WantedProject,
  timeoutMs?: number,
): Promise<MemberProject> {
  const { memberProjects } = await import("../store/postgres/team/project.ts");
  const projects = await memberProjects(server, timeoutMs);
  const found = projects.find(({ name }) => name === (project ?? confirmed));
  if (found !== undefined) return found;
  const [only, ...others] = projects;
  if (only === undefined) throw notMember(project);
  const names = projects.map(({ name }) => name).join(", ");
  if (project !== null) throw notMember(project, names);
  if (others.length === 0) return only;
  throw new MementorError("usage", "You have several projects on this server.", {
    hint: `Name one with --project: ${names}.`,
  });
}

function notMember(project: string | null, names?: string): MementorError {
  const what = project === null ? "any project" : `"${project}"`;
  return new MementorError("server_denied", `you are not a member of ${what} on this server`, {
    hint:
      names === undefined
        ? "Ask an administrator: mementor team add <you> --project <name>."
        : `Your projects there: ${names}. Name one with --project.`,
  });
}
