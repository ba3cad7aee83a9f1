import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import {
  renderAdded,
  renderGround,
  renderJoin,
  renderRotated,
  renderUncounted,
} from "../../render/team/admin.ts";
import type { Database, Statements } from "../../store/postgres/client/database.ts";
import { sqlStateOf } from "../../store/postgres/client/errors.ts";
import { nameOf } from "../../store/postgres/client/target.ts";
import { becomeOwner, putMember } from "../../store/postgres/members/members.ts";
import { newRoleName, roleName } from "../../store/postgres/members/role-name.ts";
import {
  allowLogin,
  newPassword,
  passwordStatement,
  roleState,
  roleStatements,
} from "../../store/postgres/members/roles.ts";
import { takeUncounted } from "../../store/postgres/members/uncounted.ts";
import { withAdmin } from "./admin.ts";
import type { TeamAction } from "./options.ts";
import { teamProjectName } from "./project.ts";

const DENIED = "42501";

/** Makes a role for a person, and a member of a project. A role that is there gets the project and keeps its password. */
export const add: TeamAction = async ({ target = "", options }, runtime) => {
  const name = newRoleName(target);
  const project = await teamProjectName(runtime, options);
  return withAdmin(runtime, options, async (server) => {
    const given = newPassword();
    const password = await makeRole(server, name, given, runtime.host.stderr);
    const isNew = await server.transaction(async (sql) => {
      await becomeOwner(sql);
      return putMember(sql, project, name, {
        isAdmin: options.admin || undefined,
        maxBytes: options.quota,
      });
    });
    const left = await takeUncounted(server, name);
    if (left.length > 0) runtime.host.stderr.write(renderUncounted(left));
    const result = { name, project, password, project_is_new: isNew, url: urlOf(server, name) };
    runtime.host.stdout.write(options.json ? renderResult(result) : renderAdded(result));
    if (!options.json) runtime.host.stdout.write(renderJoin(result), "whole");
    return 0;
  });
};

/** Gives a member's role a new password. */
export const rotate: TeamAction = async ({ target = "", options }, runtime) => {
  const name = roleName(target);
  return withAdmin(runtime, options, async (server) => {
    const password = newPassword();
    await server.transaction(async (sql) => {
      await requireTeamRole(sql, name);
      await sql.script(passwordStatement(name, password));
    });
    const result = { name, password, url: urlOf(server, name) };
    runtime.host.stdout.write(options.json ? renderResult(result) : renderRotated(result));
    return 0;
  });
};

/** Makes the role, or lets a former member log in again. Returns its new password; null when the role has one. */
async function makeRole(
  server: Database,
  name: string,
  password: string,
  stderr: { write(text: string): void },
): Promise<string | null> {
  const statements = roleStatements(name, password);
  try {
    return await server.transaction(async (sql) => {
      const state = await roleState(sql, name);
      if (state === "member") return null;
      if (state === "other")
        throw new MementorError("usage", `The database has a role "${name}" that is not of this team.`, {
          hint: "Choose another name for the member.",
        });
      const wanted = state === "former" ? [allowLogin(name), passwordStatement(name, password)] : statements;
      for (const statement of wanted) await sql.script(statement);
      return password;
    });
  } catch (error) {
    if (sqlStateOf(error) !== DENIED) throw error;
    stderr.write(renderGround(statements));
    throw new MementorError("server_denied", "this role may not create roles", {
      hint: `Let an administrator of the server run the statements above, then run this again. The password of ${name} is ${password}`,
      cause: error,
    });
  }
}

/** Rejects with `not_found` for a role that is not of the team, so that nobody else's password is changed. */
export async function requireTeamRole(sql: Statements, name: string): Promise<void> {
  if ((await roleState(sql, name)) === "member") return;
  throw new MementorError("not_found", `The team has no member "${name}".`, {
    hint: "See who is: mementor team members.",
  });
}

function urlOf({ target }: Database, user: string): string {
  const host = nameOf({ ...target, user });
  const parameters = [
    ...(target.sslRootCert === null ? [] : [`sslrootcert=${encodeURIComponent(target.sslRootCert)}`]),
    ...(target.sslMode === null ? [] : [`sslmode=${target.sslMode}`]),
  ].join("&");
  return parameters === "" ? host : `${host}${host.includes("?") ? "&" : "?"}${parameters}`;
}
