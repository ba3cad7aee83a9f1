import { renderResult } from "../../render/result.ts";
import { renderRights } from "../../render/team/admin.ts";
import type { Runtime } from "../../runtime.ts";
import { asOwner, putMember, removeMember, requireMember } from "../../store/postgres/members/members.ts";
import { roleName } from "../../store/postgres/members/role-name.ts";
import { requireTeamRole } from "./add.ts";
import { withAdmin } from "./admin.ts";
import type { TeamAction, TeamOptions } from "./options.ts";
import { teamProjectName } from "./project.ts";

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
