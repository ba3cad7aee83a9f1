import { renderResult } from "../../render/result.ts";
import { renderIndexed, renderMembers, renderRights } from "../../render/team/admin.ts";
import type { Runtime } from "../../runtime.ts";
import {
  asOwner,
  listMembers,
  ownerIfAllowed,
  putMember,
  removeMember,
  requireMember,
  requireProject,
} from "../../store/postgres/members/members.ts";
import { roleName } from "../../store/postgres/members/role-name.ts";
import { buildVectorIndexes } from "../../store/postgres/vectors/build-indexes.ts";
import { screenOf } from "../shared/view.ts";
import { requireTeamRole } from "./add.ts";
import { withAdmin } from "./admin.ts";
import type { TeamAction, TeamOptions } from "./options.ts";
import { teamProjectName } from "./project.ts";

/** Lists the members of a project and what each stores. */
export const members: TeamAction = async ({ options }, runtime) => {
  const project = await teamProjectName(runtime, options);
  return withAdmin(runtime, options, async (server) => {
    const found = await server.transaction(async (sql) => {
      await ownerIfAllowed(sql);
      return listMembers(sql, await requireProject(sql, project));
    });
    const json = found.map(({ role, isAdmin, maxBytes, usedBytes, turns, lastSent }) => ({
      name: role,
      admin: isAdmin,
      turns,
      used_bytes: usedBytes,
      quota_bytes: maxBytes,
      last_sent: lastSent,
    }));
    runtime.host.stdout.write(
      options.json
        ? renderResult({ project, members: json })
        : renderMembers(project, found, screenOf(runtime)),
    );
    return 0;
  });
};

/** Builds the vector indexes of projects that have grown large. Members read and write meanwhile. */
export const index: TeamAction = ({ options }, runtime) =>
  withAdmin(runtime, options, async (server) => {
    const { stdout, stderr } = runtime.host;
    const built = await buildVectorIndexes(server, {
      onStart: ({ name }) => stderr.write(`Building the index of ${name}\n`),
    });
    const projects = built.map(({ name }) => name);
    stdout.write(options.json ? renderResult({ indexed: projects }) : renderIndexed(projects));
    return 0;
  });

/** Gives a member a project, the rights of an administrator in it, or another quota. */
export const grant: TeamAction = async ({ target = "", options }, runtime) => {
  const name = roleName(target);
  const project = await teamProjectName(runtime, options);
  return withAdmin(runtime, options, async (server) => {
    await server.transaction((sql) => requireTeamRole(sql, name));
    await asOwner(server, (sql) =>
      putMember(sql, project, name, {
        isAdmin: options.admin || undefined,
        maxBytes: options.quota,
      }),
    );
    return shown(runtime, options, { name, project, member: true, admin: options.admin ? true : null });
  });
};

/** Takes the rights of an administrator, or the project. The member's turns stay. */
export const revoke: TeamAction = async ({ target = "", options }, runtime) => {
  const name = roleName(target);
  const project = await teamProjectName(runtime, options);
  return withAdmin(runtime, options, async (server) => {
    await asOwner(server, async (sql) => {
      await requireMember(sql, project, name);
      if (options.admin) await putMember(sql, project, name, { isAdmin: false });
      else await removeMember(sql, project, name, { erase: false });
    });
    return shown(runtime, options, { name, project, member: options.admin, admin: false });
  });
};

function shown(
  { host }: Runtime,
  { json }: TeamOptions,
  result: { name: string; project: string; member: boolean; admin: boolean | null },
): number {
  host.stdout.write(json ? renderResult(result) : renderRights(result));
  return 0;
}
