import { HEAD_CHARS } from "../../../turn/first-words.ts";
import { type TouchRow, touchOf } from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import { AUTHOR, FOREIGN, SESSION } from "../columns.ts";
import { turnCondition } from "../filter.ts";
import type { Query } from "../query.ts";
import { CHANGES } from "./files.ts";

/** Returns turns that touched the path, newer before older: those that changed the file first, unless `byTime`. */
export const fileHistory: Query<BrowseStore["fileHistory"]> = async (
  database,
  path,
  { limit, filter, byTime = false },
) => {
  const fits = turnCondition(filter);
  const rows = await database.all<TouchRow>(
    `SELECT t.turn_id AS "turnId", t.session_id AS "sessionId", s.client, t.origin, s.title AS "sessionTitle",
    CASE WHEN s.title IS NULL THEN s.first_prompt END AS "firstPrompt", left(t.full_text, ?) AS head,
       t.parts, t.created_at AS "createdAt", t.branch, t.agent_id AS "agentId", ${FOREIGN} AS "foreign",
       ${AUTHOR} AS author, touched.tools AS "toolNames"
     FROM (SELECT m.turn_id, jsonb_agg(m.tool_name ORDER BY m.tool_name)::text AS tools,
         bool_or(m.tool_name IN ${CHANGES}) AS changed
       FROM mementor.file_mentions m WHERE m.project_id = :project AND m.file_path = ? GROUP BY m.turn_id) touched
       JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = touched.turn_id ${SESSION}
     WHERE ${fits.sql("t.turn_id")}
     ORDER BY ${byTime ? "" : "touched.changed DESC, "}t.created_at DESC NULLS LAST, t.turn_id DESC LIMIT ?`,
    HEAD_CHARS,
    path,
    ...fits.params,
    limit,
  );
  return rows.map(touchOf);
};
