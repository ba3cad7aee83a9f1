import { CHANGING_TOOLS } from "../constants.ts";
import type { FileTouch } from "./browse.ts";
import { firstWords, HEAD_CHARS } from "./browse-first-words.ts";
import type { Connection } from "./connection.ts";

/** Returns turns that touched the path: those that changed the file first, newer before older. */
export function fileHistory(
  c: Connection,
  path: string,
  { limit, exceptSessionId }: { limit: number; exceptSessionId?: string },
): FileTouch[] {
  return c
    .all<Omit<FileTouch, "toolNames"> & { toolNames: string; head: string }>(
      HISTORY,
      path,
      JSON.stringify(CHANGING_TOOLS),
      exceptSessionId ?? "",
      limit,
      HEAD_CHARS,
    )
    .map(({ head, toolNames, ...touch }) => ({
      ...touch,
      firstWords: firstWords(head),
      toolNames: [...new Set<string>(JSON.parse(toolNames))].sort(),
    }));
}

const HISTORY = `WITH touched AS MATERIALIZED (
    SELECT m.turn_id AS id, max(m.tool_name IN (SELECT value FROM json_each(?2))) AS changed,
      json_group_array(m.tool_name) AS tools, t.created_at AS time
    FROM file_mentions m CROSS JOIN turns t ON t.id = m.turn_id
    WHERE m.file_path = ?1 AND t.session_id <> ?3 GROUP BY m.turn_id
    ORDER BY changed DESC, time IS NULL, time DESC, id DESC LIMIT ?4)
  SELECT t.id AS turnId, t.session_id AS sessionId, s.title AS sessionTitle, substr(t.full_text, 1, ?5) AS head,
    touched.tools AS toolNames, t.created_at AS createdAt, t.branch, t.agent_id AS agentId, t.foreign_origin AS "foreign"
  FROM touched CROSS JOIN turns t ON t.id = touched.id JOIN sessions s ON s.session_id = t.session_id
  ORDER BY touched.changed DESC, touched.time IS NULL, touched.time DESC, touched.id DESC`;
