import type { TeamTurn } from "../../team.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../sql.ts";

/** Stores what turns say of their sessions, and adds the sessions. Titles come with the first turn of a session. */
export async function writeSessions(database: ProjectDatabase, turns: readonly TeamTurn[]): Promise<void> {
  const sessions = Map.groupBy(turns, ({ session }) => session.sessionId);
  const facts = [...sessions].map(([sessionId, of]) => ({
    sessionId,
    client: of[0]?.session.client,
    automated: of[0]?.session.automated,
    branch: of.findLast(({ session }) => session.branch !== null)?.session.branch ?? null,
    startedAt: extreme(of.map(({ session }) => session.startedAt)).first,
    endedAt: extreme(of.map(({ session }) => session.endedAt)).last,
  }));
  await database.run(
    `INSERT INTO mementor.sessions AS s (project_id, session_id, client, automated, branch, started_at, ended_at)
     SELECT :project, j."sessionId", j.client, j.automated, j.branch, j."startedAt", j."endedAt"
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, client text, automated boolean, branch text,
       "startedAt" text, "endedAt" text)
     ON CONFLICT (project_id, author, session_id) DO UPDATE SET client = excluded.client, automated = excluded.automated,
       branch = coalesce(excluded.branch, s.branch), started_at = least(s.started_at, excluded.started_at),
       ended_at = greatest(s.ended_at, excluded.ended_at)`,
    json(facts),
  );
  await writeOpenings(database, turns);
  await writeSubagents(database, turns);
}

async function writeOpenings(database: ProjectDatabase, turns: readonly TeamTurn[]): Promise<void> {
  const openings = turns.flatMap(({ session }) =>
    session.opening === null ? [] : [{ sessionId: session.sessionId, ...session.opening }],
  );
  if (openings.length === 0) return;
  await database.run(
    `UPDATE mementor.sessions s SET title = j.title, title_source = j."titleSource", first_prompt = j."firstPrompt"
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, title text, "titleSource" text, "firstPrompt" text)
     WHERE s.project_id = :project AND s.author = current_user AND s.session_id = j."sessionId"`,
    json(openings),
  );
  await database.run(
    `INSERT INTO mementor.pr_links (project_id, session_id, pr_number, pr_url, pr_repository, timestamp)
     SELECT :project, j."sessionId", j."prNumber", j."prUrl", j."prRepository", j.timestamp
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, "prNumber" bigint, "prUrl" text,
       "prRepository" text, timestamp text) ON CONFLICT DO NOTHING`,
    json(openings.flatMap(({ sessionId, links }) => links.map((link) => ({ ...link, sessionId })))),
  );
}

async function writeSubagents(database: ProjectDatabase, turns: readonly TeamTurn[]): Promise<void> {
  const subagents = new Map(
    turns.flatMap(({ session: { sessionId }, agentId, subagent }) =>
      agentId === null || subagent === null
        ? []
        : [[`${sessionId}\n${agentId}`, { sessionId, agentId, ...subagent }]],
    ),
  );
  if (subagents.size === 0) return;
  await database.run(
    `INSERT INTO mementor.subagent_sessions (project_id, session_id, agent_id, agent_type, task)
     SELECT :project, j."sessionId", j."agentId", j."agentType", j.task
     FROM jsonb_to_recordset(?::text::jsonb) AS j ("sessionId" text, "agentId" text, "agentType" text, task text)
     ON CONFLICT (project_id, author, session_id, agent_id) DO UPDATE SET agent_type = excluded.agent_type,
       task = excluded.task`,
    json([...subagents.values()]),
  );
}

function extreme(times: readonly (string | null)[]): { first: string | null; last: string | null } {
  const known = times.filter((time) => time !== null).sort();
  return { first: known[0] ?? null, last: known.at(-1) ?? null };
}
