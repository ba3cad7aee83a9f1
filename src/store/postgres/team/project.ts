import type { MemberProject } from "../../team.ts";
import type { Database } from "../client/database.ts";
import { INDEXED_FROM, isIndexed } from "../vectors/vector-index.ts";

/** Returns the projects that the role is a member of. */
export function memberProjects(server: Database, timeoutMs?: number): Promise<MemberProject[]> {
  return server.transaction((sql) => sql.query<MemberProject>(PROJECTS, [INDEXED_FROM]), {
    isReadOnly: true,
    timeoutMs,
  });
}

const PROJECTS = `SELECT p.project_id AS id, p.name, current_user::text AS author, m.is_admin AS "isAdmin",
    coalesce(u.bytes, 0) AS "usedBytes", m.max_bytes AS "maxBytes", coalesce(u.rows, 0) AS "usedRows",
    m.max_rows AS "maxRows",
    (SELECT coalesce(sum(a.chunks), 0) >= $1 FROM mementor.usage a WHERE a.project_id = p.project_id)
      AND NOT ${isIndexed("p.project_id", "p.active_model")} AS "lacksIndex"
  FROM mementor.members m JOIN mementor.projects p ON p.project_id = m.project_id
  LEFT JOIN mementor.usage u ON u.project_id = m.project_id AND u.author = m.role
  WHERE m.role = current_user ORDER BY p.name`;
