import { MementorError } from "../../errors.ts";
import type { Database } from "../../store/postgres/client/database.ts";
import type { ReadStore } from "../../store/store.ts";
import type { MemberProject, TeamServer } from "../../store/team.ts";
import type { TeamSettings } from "./settings.ts";

/** The environment of a connection. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  signal?: AbortSignal | undefined;
  /** How long a connection may take; 10 s unless it is given. */
  connectTimeoutMs?: number | undefined;
}

/** Prepares the connection to a team's database. Sends nothing yet. */
export async function connectTeam(
  { url, password, isInsecure }: Pick<TeamSettings, "url" | "password" | "isInsecure">,
  { env, home, connectTimeoutMs }: Surroundings,
) {
  const { connect } = await import("../../store/postgres/client/connect.ts");
  return connect(url, { env, home, configured: password, isInsecure, connectTimeoutMs });
}

/** Finds the project of a memory at the server, as `memberProject` does. */
export async function findMemberProject(
  settings: TeamSettings,
  surroundings: Surroundings,
  timeoutMs?: number,
): Promise<MemberProject> {
  await using server = await connectTeam(settings, { ...surroundings, connectTimeoutMs: timeoutMs });
  return await memberProject(server, { project: settings.project, confirmed: null }, timeoutMs);
}

/**
 * Opens the team's database as a sync needs it. `close` closes the connection.
 *
 * @throws `usage`, `config_invalid` or `server_untrusted` when the settings do not allow a connection, and what
 *   `memberProject` throws.
 */
export async function openTeamServer(
  settings: TeamSettings,
  surroundings: Surroundings,
  model: string | null,
): Promise<TeamServer> {
  const server = await connectTeam(settings, surroundings);
  try {
    const { teamServer } = await import("../../store/postgres/postgres.ts");
    const { id } = await memberProject(server, { project: settings.project, confirmed: null });
    const { signal } = surroundings;
    return teamServer({ server, project: id, model, signal });
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Which project of a team's database is meant. */
export interface WantedProject {
  /** The name that the user gave; null to choose by `confirmed`. */
  project: string | null;
  /** Name of the current directory's project that the user confirmed; null before that. */
  confirmed: string | null;
}

/**
 * Finds the project on the server: the named one; else the one of the directory's name, or the member's only one.
 *
 * @param timeoutMs time limit for the statement @throws `server_denied` when the member has no such project, `usage` when it has
 * several and none is named; `timeout` or a `server_…` code when the server does not answer or refuses.
 */
async function memberProject(
  server: Database,
  { project, confirmed }: WantedProject,
  timeoutMs?: number,
): Promise<MemberProject> {
  const { memberProjects } = await import("../../store/postgres/postgres.ts");
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

/** A database and the project to read there. */
export interface ReadRequest extends Pick<TeamSettings, "url" | "password" | "isInsecure">, WantedProject {
  /** Maximum time of one statement, in ms. */
  timeoutMs?: number;
}

/** A project of a team's database. `store.close` closes the connection. */
export interface TeamReading {
  store: ReadStore;
  project: string;
  /** The member's role. */
  author: string;
}

/**
 * Opens a project of a team's database for reading: the one that `memberProject` finds.
 *
 * @throws `usage`, `config_invalid` or `server_untrusted` if the request does not allow a connection, and the errors of
 * `memberProject`.
 */
export async function openForReading(request: ReadRequest, surroundings: Surroundings): Promise<TeamReading> {
  const server = await connectTeam(request, surroundings);
  try {
    const { openPostgresStore } = await import("../../store/postgres/postgres.ts");
    const { id, name, author } = await memberProject(server, request, request.timeoutMs);
    return { store: openPostgresStore(server, id), project: name, author };
  } catch (error) {
    await server.close();
    throw error;
  }
}
