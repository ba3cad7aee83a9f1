import { exportedTurns, type TurnDetails } from "../../export/exported-turn.ts";
import type { ExportStore } from "../../store.ts";

import { TURNS_BY_ID } from "../columns.ts";
import { turnCondition } from "../filter.ts";
import type { TeamProject } from "../query.ts";
import { json } from "../text.ts";
import { storedTurns } from "../turns/stored-turns.ts";
import { unsupported } from "../unsupported.ts";

import { exportedSession } from "./session.ts";

/** What an export reads of a project of a team's database. An import writes to local memories only. */
export function exportStore(project: TeamProject): ExportStore {
  return unsupported<ExportStore>("import", {
    sessionIds: (filter) =>
      project.read(async (database) => {
        const fits = turnCondition(filter);
        const rows = await database.all<{ id: string }>(
          `SELECT t.session_id AS id FROM mementor.turns t WHERE t.project_id = :project AND ${fits.sql("t.turn_id")}
           GROUP BY t.session_id ORDER BY min(coalesce(t.created_at, '')), t.session_id`,
          ...fits.params,
        );
        return rows.map(({ id }) => id);
      }),
    session: (sessionId) => project.read((database) => exportedSession(database, sessionId)),
    turnIds: (sessionId, filter) =>
      project.read(async (database) => {
        const fits = turnCondition(filter);
        const rows = await database.all<{ id: number }>(
          `SELECT t.turn_id AS id FROM mementor.turns t
           WHERE t.project_id = :project AND t.session_id = ? AND ${fits.sql("t.turn_id")}
           ORDER BY t.created_at NULLS LAST, t.line_index NULLS FIRST, t.turn_id`,
          sessionId,
          ...fits.params,
        );
        return rows.map(({ id }) => id);
      }),
    turns: (turnIds) =>
      project.read(async (database) =>
        exportedTurns(
          await storedTurns(database, turnIds),
          await database.all<TurnDetails>(DETAILS, json(turnIds)),
        ),
      ),
  });
}

const OF_TURN = "WHERE d.project_id = :project AND d.turn_id = t.turn_id";

// Marks are a person's own, and stay in the memory of the machine.
const DETAILS = `WITH wanted AS (SELECT t.* FROM ${TURNS_BY_ID}),
    firsts AS (SELECT t.author, t.session_id, t.agent_id, min(t.source_id) AS source_id FROM mementor.turns t
      WHERE t.project_id = :project AND t.session_id IN (SELECT session_id FROM wanted) AND t.line_index IS NOT NULL
      GROUP BY 1, 2, 3)
  SELECT t.turn_id AS id, t.source_id IS NULL OR t.source_id = f.source_id AS "inFirstFile",
    t.prompt_uuid AS "promptUuid", '[]' AS marks,
    (SELECT coalesce(json_agg(d.uuid ORDER BY d.uuid), '[]')::text FROM mementor.entries d ${OF_TURN}) AS "entryKeys",
    (SELECT coalesce(json_agg(json_build_object('filePath', d.file_path, 'toolName', d.tool_name) ORDER BY d.file_path, d.tool_name), '[]')::text
      FROM mementor.file_mentions d ${OF_TURN}) AS mentions,
    (SELECT coalesce(json_agg(json_build_object('hash', d.hash, 'message', d.message) ORDER BY d.hash), '[]')::text
      FROM mementor.commits d ${OF_TURN}) AS commits
  FROM wanted t LEFT JOIN firsts f ON f.author = t.author AND f.session_id = t.session_id
    AND f.agent_id IS NOT DISTINCT FROM t.agent_id`;
