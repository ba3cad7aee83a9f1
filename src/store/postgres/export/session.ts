import type { PrLink, SessionFacts, SubagentFacts } from "../../../domain.ts";
import type { ExportedSession } from "../../contract/types/export.ts";
import type { ProjectDatabase } from "../query.ts";

/** Returns a session as it is carried elsewhere; null when there is none. */
export async function exportedSession(
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

// Of a transcript that several members have, the caller's copy describes the session.
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
