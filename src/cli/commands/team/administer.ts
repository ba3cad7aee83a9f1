import { MementorError } from "../../../errors.ts";
import type { Host } from "../../../host.ts";
import type { Runtime } from "../../../runtime.ts";
import { connect } from "../../../store/postgres/client/connect.ts";
import type { Database, Statements } from "../../../store/postgres/client/database.ts";
import { findSqlState } from "../../../store/postgres/client/errors.ts";
import { findPassword, nameOf, parseTarget, withoutPassword } from "../../../store/postgres/client/target.ts";
import {
  asOwner,
  becomeOwner,
  listProjects,
  putMember,
  removeMember,
  requireMember,
} from "../../../store/postgres/members/members.ts";
import {
  allowLogin,
  forbidLogin,
  newPassword,
  newRoleName,
  passwordStatement,
  revokeUnlimitedRights,
  roleName,
  roleState,
  roleStatements,
} from "../../../store/postgres/members/roles.ts";
import { groundStatements, setUpDatabase } from "../../../store/postgres/schema/migrate.ts";
import { type AdminServer, readAdminServer, writeAdminServer } from "../../../sync/team/settings.ts";
import { askName, isSettled, unnamedError } from "../../project-name.ts";
import { memoryTeam } from "../../sync/team.ts";
import { canAsk, confirm, declined, unlessInterrupted } from "../../terminal/ask.ts";
import { printResult } from "../../terminal/view.ts";
import {
  renderAdded,
  renderGround,
  renderJoin,
  renderRemovedMember,
  renderRotated,
  renderSetUp,
  renderUncounted,
} from "./admin-text.ts";
import type { TeamAction } from "./options.ts";

/** SQLSTATE of insufficient privilege. */
const DENIED = "42501";

/**
 * Makes roles, tables and policies, or brings them up to date.
 *
 * @throws `usage` for a URL that cannot be used or holds a password, `server_denied` when the role may not prepare the
 *   database (the statements for an administrator are printed first), `db_newer` when a newer program changed the schema.
 */
export const init: TeamAction = async ({ target = "", options }, runtime) => {
  const url = withoutPassword(target);
  const { stderr } = runtime.host;
  const server = await connectTo(runtime, url, { ...options, isInsecure: runtime.isInsecure });
  try {
    const done = await setUpDatabase(server);
    writeAdminServer(runtime.paths.configDir, { url, insecure: runtime.isInsecure });
    const result = { server: nameOf(server.target), from: done.from, to: done.to };
    return printResult(runtime, options, result, renderSetUp);
  } catch (error) {
    if (findSqlState(error) !== DENIED) throw error;
    stderr.write(renderGround(groundStatements(`"${server.target.user.replaceAll('"', '""')}"`)));
    throw new MementorError("server_denied", "this role cannot prepare the database", {
      hint: "Let an administrator of the server run the statements above in this database, then run this again.",
      cause: error,
    });
  } finally {
    await server.close();
  }
};

/**
 * Creates a role for a person and makes it a member of a project. An existing role gets the project or other rights in it, and
 * keeps its password.
 */
export const add: TeamAction = async ({ target = "", options }, runtime) => {
  const name = newRoleName(target);
  const project = await teamProjectName(runtime, options);
  return withAdmin(runtime, options, async (server) => {
    // Who takes a right away means a member: a misspelt name makes none, nor a project.
    if (options.admin === false) await asOwner(server, (sql) => requireMember(sql, project, name));
    const given = newPassword();
    const password = await makeRole(server, name, given, runtime.host.stderr);
    const isNew = await server.transaction(async (sql) => {
      await becomeOwner(sql);
      return putMember(sql, project, name, { isAdmin: options.admin, maxBytes: options.quota });
    });
    const left = await revokeUnlimitedRights(server, name);
    if (left.length > 0) runtime.host.stderr.write(renderUncounted(left));
    const result = { name, project, password, project_is_new: isNew, url: urlOf(server, name) };
    printResult(runtime, options, result, () => renderAdded(result, options.admin));
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
    return printResult(runtime, options, result, renderRotated);
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
    if (findSqlState(error) !== DENIED) throw error;
    stderr.write(renderGround(statements));
    throw new MementorError("server_denied", "this role may not create roles", {
      hint: `Let an administrator of the server run the statements above, then run this again. The password of ${name} is ${password}`,
      cause: error,
    });
  }
}

/** Rejects with `not_found` for a role that is not of the team, so that nobody else's password is changed. */
async function requireTeamRole(sql: Statements, name: string): Promise<void> {
  if ((await roleState(sql, name)) === "member") return;
  throw new MementorError("not_found", `The team has no member "${name}".`, {
    hint: "List the members: mementor team members.",
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

/**
 * Takes a member out of a project. A role without a project can no longer log in.
 *
 * @throws `usage` for a name that no member can have, unless exactly one of `--keep` and `--erase` is given, and when nobody can
 * be asked; `not_found` when the project has no such member, `server_denied` if the user is not an administrator.
 */
export const remove: TeamAction = async ({ target = "", options }, runtime) => {
  const name = roleName(target);
  const project = await teamProjectName(runtime, options);
  if (options.keep === options.erase)
    throw new MementorError("usage", `Say what becomes of ${name}'s turns.`, {
      hint: "--keep: they stay with the team. --erase: they are removed, from colleagues' machines too.",
    });
  if (options.erase && !options.yes) {
    const question = `Remove ${name} from ${project}, and all their turns from every member's machine?`;
    if (!(await confirm(runtime.host, question))) return declined(runtime.host, "Nothing was changed.");
  }
  return withAdmin(runtime, options, async (server) => {
    const { erased, left } = await asOwner(server, async (sql) => ({
      erased: await removeMember(sql, project, name, options),
      left: await listProjects(sql, name),
    }));
    const canLogin = left.length > 0;
    if (!canLogin)
      await server.transaction(async (sql) => {
        if ((await roleState(sql, name)) === "member") await sql.script(forbidLogin(name));
      });
    const result = { name, project, erased_turns: erased, can_log_in: canLogin };
    return printResult(runtime, options, result, renderRemovedMember);
  });
};

/** Connects to the server that the user manages, as its administrator. */
async function connectAdmin(
  runtime: Runtime,
  options: { server?: string | undefined; passwordStdin: boolean },
): Promise<Database> {
  const { url, insecure } = adminServer(runtime, options.server);
  return connectTo(runtime, url, { ...options, isInsecure: insecure });
}

/** Runs `work` on an administrator's connection to the server, and closes it. */
export async function withAdmin<T>(
  runtime: Runtime,
  options: { server?: string | undefined; passwordStdin: boolean },
  work: (server: Database) => Promise<T>,
): Promise<T> {
  const server = await connectAdmin(runtime, options);
  return work(server).finally(() => server.close());
}

/** Connects to a server with a stored password, or one that the person types. */
async function connectTo(
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

/**
 * Returns the password for a server: from standard input if requested, else from the URL, the environment or a password file,
 * else from the user. Null without one, because a server may not require it.
 */
export async function passwordFor(
  { host }: Runtime,
  url: string,
  { passwordStdin }: { passwordStdin: boolean },
): Promise<string | null> {
  if (passwordStdin) return unlessInterrupted(host, host.stdin.readLine());
  const target = parseTarget(url);
  const known = await findPassword(target, { env: host.env, home: host.homeDir });
  if (known !== null || !canAsk(host)) return known;
  return askPassword(host, `Password of ${nameOf(target)} (Enter if it has none): `);
}

/** Asks for a password without echo, if the terminal supports that. */
async function askPassword(host: Host, question: string): Promise<string | null> {
  host.stderr.write(question);
  const echo = (word: "echo" | "-echo") => {
    if (host.platform !== "win32") Bun.spawnSync(["stty", word], { stdin: "inherit" });
  };
  echo("-echo");
  try {
    return (await unlessInterrupted(host, host.stdin.readLine())) || null;
  } finally {
    echo("echo");
    host.stderr.write("\n");
  }
}

/**
 * Returns the project's name in the team: from `--project`, else the name under which its memory joined, else the URL that the
 * repository was cloned from, once the user has confirmed it. Never a path. Rejects with `usage` if there is none of these.
 */
export async function teamProjectName(runtime: Runtime, { yes }: { yes: boolean }): Promise<string> {
  if (runtime.teamProject !== null) return runtime.teamProject;
  const team = await memoryTeam(runtime);
  if (team !== null) return team.project;
  const answer = await askName(runtime, yes);
  if (answer.name !== null && isSettled(answer)) return answer.name;
  throw unnamedError(answer, { option: "--project", whom: "for colleagues", everywhere: "for all members" });
}
