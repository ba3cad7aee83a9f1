import type { Database } from "../client/database.ts";

/** A project of a team's database, as its member sees it. */
export interface ProjectRow {
  id: number;
  name: string;
  /** The member's role. */
  author: string;
  isAdmin: boolean;
  usedBytes: number;
  maxBytes: number;
  usedRows: number;
  maxRows: number;
}

/** Returns the projects that the role is a member of. */
export function memberProjects(
  server: Database,
  options: { timeoutMs?: number } = {},
): Promise<ProjectRow[]> {
  return server.transaction(
    (sql) => sql<ProjectRow>`
      SELECT p.project_id AS id, p.name, current_user::text AS author, m.is_admin AS "isAdmin",
        coalesce(u.bytes, 0) AS "usedBytes", m.max_bytes AS "maxBytes", coalesce(u.rows, 0) AS "usedRows",
        m.max_rows AS "maxRows"
      FROM mementor.members m JOIN mementor.projects p ON p.project_id = m.project_id
      LEFT JOIN mementor.usage u ON u.project_id = m.project_id AND u.author = m.role
      WHERE m.role = current_user ORDER BY p.name`,
    { ...options, isReadOnly: true },
  );
}
