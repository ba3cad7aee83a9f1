import type { MemberProject } from "../../contract/team.ts";
import type { Database } from "../client/database.ts";

/** Returns the projects that the role is a member of. */
export function memberProjects(server: Database, timeoutMs?: number): Promise<MemberProject[]> {
  return server.transaction(
    (sql) => sql<MemberProject>`
      SELECT p.project_id AS id, p.name, current_user::text AS author, m.is_admin AS "isAdmin",
        coalesce(u.bytes, 0) AS "usedBytes", m.max_bytes AS "maxBytes", coalesce(u.rows, 0) AS "usedRows",
        m.max_rows AS "maxRows"
      FROM mementor.members m JOIN mementor.projects p ON p.project_id = m.project_id
      LEFT JOIN mementor.usage u ON u.project_id = m.project_id AND u.author = m.role
      WHERE m.role = current_user ORDER BY p.name`,
    { isReadOnly: true, ...(timeoutMs !== undefined && { timeoutMs }) },
  );
}
