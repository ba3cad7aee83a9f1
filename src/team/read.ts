import type { ReadStore } from "../store/store.ts";
import { memberProject, type WantedProject } from "./member-project.ts";
import { connectTeam, type Surroundings } from "./open.ts";
import type { TeamSettings } from "./settings.ts";

/** Where the database is, and which project to read there. */
export interface ReadRequest extends Pick<TeamSettings, "url" | "password" | "isInsecure">, WantedProject {
  /** The longest that one statement may take, ms. */
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
 * @throws `usage`, `config_invalid` or `server_untrusted` when the request does not allow a connection, and what
 *   `memberProject` throws.
 */
export async function openForReading(request: ReadRequest, surroundings: Surroundings): Promise<TeamReading> {
  const server = await connectTeam(request, surroundings);
  try {
    const { openPostgresStore } = await import("../store/postgres/postgres.ts");
    const { id, name, author } = await memberProject(server, request, request.timeoutMs);
    return { store: openPostgresStore(server, id), project: name, author };
  } catch (error) {
    await server.close();
    throw error;
  }
}
