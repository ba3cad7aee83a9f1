import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import { renderGround, renderSetUp } from "../../render/team/admin.ts";
import { sqlStateOf } from "../../store/postgres/client/errors.ts";
import { nameOf } from "../../store/postgres/client/target.ts";
import { groundStatements, setUpDatabase } from "../../store/postgres/schema/migrate.ts";
import { writeAdminServer } from "../../team/admin-server.ts";
import { connectTo } from "./admin.ts";
import type { TeamAction } from "./options.ts";
import { withoutPassword } from "./password.ts";

/** SQLSTATE: the role may not do this. */
const DENIED = "42501";

/**
 * Makes roles, tables and policies, or brings them up to date.
 *
 * @throws `usage` for a URL that cannot be used or holds a password, `server_denied` when the role may not prepare the
 *   database (the statements for an administrator are printed first), `db_newer` when a newer program changed the schema.
 */
export const init: TeamAction = async ({ target = "", options }, runtime) => {
  const url = withoutPassword(target);
  const { stdout, stderr } = runtime.host;
  const server = await connectTo(runtime, url, { ...options, isInsecure: runtime.isInsecure });
  try {
    const done = await setUpDatabase(server);
    writeAdminServer(runtime.paths.configDir, { url, insecure: runtime.isInsecure });
    const result = { server: nameOf(server.target), from: done.from, to: done.to };
    stdout.write(options.json ? renderResult(result) : renderSetUp(result));
    return 0;
  } catch (error) {
    if (sqlStateOf(error) !== DENIED) throw error;
    stderr.write(renderGround(groundStatements(`"${server.target.user.replaceAll('"', '""')}"`)));
    throw new MementorError("server_denied", "this role cannot prepare the database", {
      hint: "Let an administrator of the server run the statements above in this database, then run this again.",
      cause: error,
    });
  } finally {
    await server.close();
  }
};
