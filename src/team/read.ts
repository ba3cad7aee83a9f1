import { MementorError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { connectTeam, type Surroundings } from "./open.ts";
import type { TeamSettings } from "./settings.ts";

/** Where the database is, and which project to read there. */
export interface ReadRequest extends Pick<TeamSettings, "url" | "password" | "isInsecure"> {
  /** The name that the user gave; null to choose by `remote`. */
  project: string | null;
  /** The normalised remote of the current directory; null without one. */
  remote: string | null;
  /** The longest that one statement may take, ms. */
  timeoutMs?: number;
}

/** A project of a team's database. `store.close` closes the connection. */
export interface TeamReading {
  store: Store;
  project: string;
  /** The member's role. */
  author: string;
}

/**
 * Opens a project of a team's database for reading: the named one, that of the remote, or the only one of the member.
 *
 * @throws `not_found` when the member has no such project, `usage` when it has several and none is named.
 */
export async function openForReading(
  request: ReadRequest,
  surroundings: Surroundings,
  now: () => string,
): Promise<TeamReading> {
  const server = await connectTeam(request, surroundings);
  try {
    const { memberProjects } = await import("../store/postgres/team/project.ts");
    const { openPostgresStore } = await import("../store/postgres/postgres.ts");
    const { timeoutMs } = request;
    const projects = await memberProjects(server, timeoutMs === undefined ? {} : { timeoutMs });
    const { id, name, author } = chosen(projects, request);
    return { store: openPostgresStore({ server, project: id, now }), project: name, author };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function chosen<Project extends { name: string }>(
  projects: readonly Project[],
  { project, remote }: Pick<ReadRequest, "project" | "remote">,
): Project {
  const found = projects.find(({ name }) => name === (project ?? remote));
  const [only, ...others] = projects;
  if (found !== undefined) return found;
  if (only === undefined)
    throw new MementorError("not_found", "You are not a member of any project on this server.", {
      hint: "Ask an administrator: mementor team add <you> --project <name>.",
    });
  const names = projects.map(({ name }) => name).join(", ");
  if (project !== null)
    throw new MementorError("not_found", `You are not a member of "${project}" on this server.`, {
      hint: `Your projects there: ${names}.`,
    });
  if (others.length === 0) return only;
  throw new MementorError("usage", "You have several projects on this server.", {
    hint: `Name one with --project: ${names}.`,
  });
}
