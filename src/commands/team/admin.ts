import { MementorError } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import { connect } from "../../store/postgres/client/connect.ts";
import type { Database } from "../../store/postgres/client/database.ts";
import { type AdminServer, readAdminServer } from "../../team/admin-server.ts";
import { passwordFor, withoutPassword } from "./password.ts";

/** Connects to the server that the user manages, as its administrator. */
async function connectAdmin(
  runtime: Runtime,
  options: { server?: string | undefined; passwordStdin: boolean },
): Promise<Database> {
  const { url, insecure } = adminServer(runtime, options.server);
  return connectTo(runtime, url, { ...options, isInsecure: insecure });
}

/** Runs `work` on such a connection, and closes it. */
export async function withAdmin<T>(
  runtime: Runtime,
  options: { server?: string | undefined; passwordStdin: boolean },
  work: (server: Database) => Promise<T>,
): Promise<T> {
  const server = await connectAdmin(runtime, options);
  return work(server).finally(() => server.close());
}

/** Connects to a server with the password from where passwords are, or from the person. */
export async function connectTo(
  runtime: Runtime,
  url: string,
  options: { isInsecure: boolean; passwordStdin: boolean },
): Promise<Database> {
  const { env, homeDir: home } = runtime.host;
  const configured = await passwordFor(runtime, url, options);
  return connect(url, { env, home, configured, isInsecure: options.isInsecure });
}

function adminServer(
  { host, paths, isInsecure: insecure }: Runtime,
  server: string | undefined,
): AdminServer {
  if (server !== undefined) return { url: withoutPassword(server), insecure };
  const known = readAdminServer(paths.configDir);
  if (known !== null) return known;
  const fromEnvironment = host.env.MEMENTOR_TEAM_URL ?? "";
  if (fromEnvironment !== "") return { url: fromEnvironment, insecure };
  throw new MementorError("usage", "No server is known to manage.", {
    hint: "Set one up (mementor team init postgres://admin@host/database), or name it with --server URL.",
  });
}
