import type { MemberProject, TeamServer } from "../store/team.ts";
import { memberProject } from "./member-project.ts";
import type { TeamSettings } from "./settings.ts";

/** What a connection needs of the world. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  signal?: AbortSignal | undefined;
  /** How long a connection may take; 10 s unless it is given. */
  connectTimeoutMs?: number | undefined;
}

/** Prepares the connection to a team's database; nothing is sent yet. */
export async function connectTeam(
  { url, password, isInsecure }: Pick<TeamSettings, "url" | "password" | "isInsecure">,
  { env, home, connectTimeoutMs }: Surroundings,
) {
  const { connect } = await import("../store/postgres/client/connect.ts");
  return connect(url, { env, home, configured: password, isInsecure, connectTimeoutMs });
}

/** Finds the project of a memory at the server, as `memberProject` does. */
export async function findMemberProject(
  settings: TeamSettings,
  surroundings: Surroundings,
  timeoutMs?: number,
): Promise<MemberProject> {
  await using server = await connectTeam(settings, { ...surroundings, connectTimeoutMs: timeoutMs });
  return memberProject(server, { project: settings.project, confirmed: null }, timeoutMs);
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
    const { teamServer } = await import("../store/postgres/team/server.ts");
    const { id } = await memberProject(server, { project: settings.project, confirmed: null });
    const { signal } = surroundings;
    return teamServer({ server, project: id, model, signal });
  } catch (error) {
    await server.close();
    throw error;
  }
}
