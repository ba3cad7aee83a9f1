import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import { renderRemovedMember } from "../../render/team/admin.ts";
import { asOwner, projectsOf, removeMember } from "../../store/postgres/members/members.ts";
import { roleName } from "../../store/postgres/members/role-name.ts";
import { forbidLogin, roleState } from "../../store/postgres/members/roles.ts";
import { confirm, declined } from "../shared/confirm.ts";
import { withAdmin } from "./admin.ts";
import type { TeamAction } from "./options.ts";
import { teamProjectName } from "./project.ts";

/**
 * Takes a member out of a project. A role without a project can no longer log in.
 *
 * @throws `usage` for a name that no member can have, unless exactly one of `--keep` and `--erase` is given, and when
 *   nobody can be asked; `not_found` when the project has no such member, `server_denied` for who is no administrator.
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
      left: await projectsOf(sql, name),
    }));
    const canLogin = left.length > 0;
    if (!canLogin)
      await server.transaction(async (sql) => {
        if ((await roleState(sql, name)) === "member") await sql.script(forbidLogin(name));
      });
    const result = { name, project, erased_turns: erased, can_log_in: canLogin };
    runtime.host.stdout.write(options.json ? renderResult(result) : renderRemovedMember(result));
    return 0;
  });
};
