import { MementorError } from "../errors.ts";
import type { TeamServer } from "../store/contract/team.ts";
import type { TeamSettings } from "./settings.ts";

/** What a connection needs of the world. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  signal?: AbortSignal;
}

/** The member's place in its team's project. */
export interface Place {
  id: number;
  name: string;
  author: string;
  isAdmin: boolean;
  usedBytes: number;
  maxBytes: number;
  usedRows: number;
  maxRows: number;
}

/** Prepares the connection to a team's database; nothing is sent yet. */
export async function connectTeam(
  { url, password, isInsecure }: Pick<TeamSettings, "url" | "password" | "isInsecure">,
  { env, home }: Surroundings,
) {
  const { connect } = await import("../store/postgres/client/connect.ts");
  return connect(url, { env, home, configured: password, isInsecure });
}

/**
 * Finds the project at the server.
 *
 * @throws `server_denied` when the member does not belong to it.
 */
export async function findPlace(
  settings: TeamSettings,
  surroundings: Surroundings,
  timeoutMs?: number,
): Promise<Place> {
  await using server = await connectTeam(settings, surroundings);
  return placeIn(server, settings.project, timeoutMs);
}

/** Opens the team's database as a sync needs it. `close` closes the connection. */
export async function openTeamServer(
  settings: TeamSettings,
  surroundings: Surroundings,
  model: string | null,
): Promise<TeamServer> {
  const server = await connectTeam(settings, surroundings);
  try {
    const { teamServer } = await import("../store/postgres/team/server.ts");
    const { id } = await placeIn(server, settings.project);
    const { signal } = surroundings;
    return teamServer({ server, project: id, model, ...(signal !== undefined && { signal }) });
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function placeIn(
  server: Awaited<ReturnType<typeof connectTeam>>,
  project: string,
  timeoutMs?: number,
): Promise<Place> {
  const { memberProjects } = await import("../store/postgres/team/project.ts");
  const places = await memberProjects(server, timeoutMs === undefined ? {} : { timeoutMs });
  const found = places.find(({ name }) => name === project);
  if (found !== undefined) return found;
  const names = places.map(({ name }) => name).join(", ");
  throw new MementorError("server_denied", `you are not a member of "${project}" on this server`, {
    hint:
      names === ""
        ? "Ask an administrator: mementor team add <you> --project <name>."
        : `Your projects there: ${names}. Name one with --project.`,
  });
}
