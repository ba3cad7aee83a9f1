import type { Runtime } from "../../runtime.ts";
import type { ReadStore } from "../../store/store.ts";
import type { ReadRequest } from "../../sync/team/open.ts";

/** Opens the database that a command reads: the memory's, or the team's database on the command line. */
export async function openToRead(runtime: Runtime): Promise<ReadStore> {
  const request = await namedDatabase(runtime);
  if (request === null) return runtime.openStore("readonly");
  return (await runtime.openTeam(request)).store;
}

/**
 * Returns the team's database on the command line, with the user's stored password; null without one. Rejects with `usage` for a
 * server that the user neither joined nor named.
 */
export async function namedDatabase(runtime: Runtime): Promise<ReadRequest | null> {
  const { databaseUrl: url, isInsecure, teamProject, paths, project } = runtime;
  if (url === null) return null;
  const { requireKnownServer } = await import("../../sync/team/settings.ts");
  const { config } = await runtime.config();
  const { servers } = config.team;
  requireKnownServer(url, { configDir: paths.configDir, servers });
  const { storedPassword } = await import("../../sync/team/settings.ts");
  const { confirmedName } = await import("../../project/trust.ts");
  const password = storedPassword(paths.configDir, url);
  return { url, password, isInsecure, project: teamProject, confirmed: confirmedName(paths, project.root) };
}
