import { renderResult } from "../../render/result.ts";
import { renderMembers } from "../../render/team/admin.ts";
import { listMembers, ownerIfAllowed, requireProject } from "../../store/postgres/members/members.ts";
import { screenOf } from "../shared/view.ts";
import { withAdmin } from "./admin.ts";
import type { TeamAction } from "./options.ts";
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
