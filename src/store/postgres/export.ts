import type { PrLink, SessionFacts, SubagentFacts } from "../../domain.ts";
import type { ExportStore } from "../store.ts";
import type { ExportedSession } from "../stored.ts";
import { exportedTurns, type TurnDetails } from "../turn-rows.ts";
import {
  json,
  type ProjectDatabase,
  storedTurns,
  type TeamProject,
  TURNS_BY_ID,
  turnCondition,
} from "./query.ts";

/** Opens a project of a team's database for exports. */
export function exportStore(project: TeamProject): ExportStore {
  return {
    sessionIds: (filter) =>
      project.read(async (database) => {
        const fits = turnCondition(filter);
        return database.column<string>(
          `SELECT t.session_id AS id FROM mementor.turns t WHERE t.project_id = :project AND ${fits.sql("t.turn_id")}
           GROUP BY t.session_id ORDER BY min(coalesce(t.created_at, '')), t.session_id`,
          ...fits.params,
        );
      }),
    session: (sessionId) => project.read((database) => exportedSession(database, sessionId)),
    turnIds: (sessionId, filter) =>
      project.read(async (database) => {
        const fits = turnCondition(filter);
        return database.column<number>(
          `SELECT t.turn_id AS id FROM mementor.turns t
           WHERE t.project_id = :project AND t.session_id = ? AND ${fits.sql("t.turn_id")}
           ORDER BY t.created_at NULLS LAST, t.turn_id`,
          sessionId,
          ...fits.params,
        );
      }),
    turns: (turnIds) =>
      project.read(async (database) =>
        exportedTurns(
          await storedTurns(database, turnIds),
          await database.all<TurnDetails>(DETAILS, json(turnIds)),
        ),
      ),
  };
}

const OF_TURN = "WHERE d.project_id = :project AND d.turn_id = t.turn_id";

// Marks and transcript lines stay on their machine.
const DETAILS = `SELECT t.turn_id AS id, false AS "inFirstFile", t.prompt_uuid AS "promptUuid", '[]' AS marks, '[]' AS "entryKeys",
    (SELECT coalesce(json_agg(json_build_object('filePath', d.file_path, 'toolName', d.tool_name) ORDER BY d.file_path, d.tool_name), '[]')::text
      FROM mementor.file_mentions d ${OF_TURN}) AS mentions,
    (SELECT coalesce(json_agg(json_build_object('hash', d.hash, 'message', d.message) ORDER BY d.hash), '[]')::text
      FROM mementor.commits d ${OF_TURN}) AS commits
  FROM ${TURNS_BY_ID}`;

/** Returns a session for export; null when there is none. */
async function exportedSession(
  database: ProjectDatabase,
  sessionId: string,
): Promise<ExportedSession | null> {
  const found = await database.get<SessionFacts & { author: string }>(SESSION, sessionId);
  if (found === null) return null;
  const { author, ...facts } = found;
  return {
    facts,
    subagents: await database.all<SubagentFacts>(SUBAGENTS, sessionId, author),
    prLinks: await database.all<PrLink>(PR_LINKS, sessionId, author),
    compactions: [],
  };
}

// If several members have copies of a transcript, the caller's copy describes the session.
const SESSION = `SELECT s.author, s.session_id AS "sessionId", s.client, NULL AS "projectDir", s.title,
    s.title_source AS "titleSource", nullif(s.first_prompt, '') AS "firstPrompt", s.automated, s.branch,
    s.started_at AS "startedAt", s.ended_at AS "endedAt"
  FROM mementor.sessions s WHERE s.project_id = :project AND s.session_id = ?
  ORDER BY s.author = current_user DESC, s.ended_at DESC NULLS LAST LIMIT 1`;

const OF_COPY = "WHERE project_id = :project AND session_id = ? AND author = ?";

const SUBAGENTS = `SELECT session_id AS "sessionId", agent_id AS "agentId", agent_type AS "agentType", task
  FROM mementor.subagent_sessions ${OF_COPY} ORDER BY agent_id`;

const PR_LINKS = `SELECT session_id AS "sessionId", pr_number AS "prNumber", pr_url AS "prUrl",
    pr_repository AS "prRepository", timestamp
  FROM mementor.pr_links ${OF_COPY} ORDER BY pr_url`;
