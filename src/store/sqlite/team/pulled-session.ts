import { type Clean, type CleanString, cleaned } from "../../../redact/gate.ts";
import type { TeamTurn } from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { claimSessions } from "../write/claim.ts";

/**
 * Stores what a pulled turn says of its session. A session of one's own keeps what its transcript says, and a
 * colleague's what came with its first turn: nobody else gives it a name.
 */
export function writeSession(connection: Connection, turn: TeamTurn, author: string | null): void {
  const session = cleaned(turn.session);
  const { opening, sessionId } = session;
  connection.run("INSERT OR IGNORE INTO sessions (session_id) VALUES (?)", sessionId);
  if (author === null) claimSessions(connection, [sessionId]);
  if (isOthers(connection, sessionId, author)) return;
  connection.run(
    `UPDATE sessions SET client = $client, automated = $automated, branch = coalesce($branch, branch),
       started_at = min(coalesce(started_at, $startedAt), coalesce($startedAt, started_at)),
       ended_at = max(coalesce(ended_at, $endedAt), coalesce($endedAt, ended_at)) WHERE session_id = $sessionId`,
    {
      sessionId,
      client: session.client,
      automated: session.automated,
      branch: session.branch,
      startedAt: session.startedAt,
      endedAt: session.endedAt,
    },
  );
  if (turn.subagent !== null && turn.agentId !== null)
    connection.run(
      `INSERT INTO subagent_sessions (session_id, agent_id, agent_type, task) VALUES ($sessionId, $agentId, $agentType, $task)
       ON CONFLICT (session_id, agent_id) DO UPDATE SET agent_type = excluded.agent_type, task = excluded.task`,
      { sessionId, ...cleaned({ agentId: turn.agentId, ...turn.subagent }) },
    );
  if (opening !== null) writeOpening(connection, sessionId, opening);
}

/** Whether a session is known from a transcript here, or from another author. */
function isOthers(connection: Connection, sessionId: string, author: string | null): boolean {
  const row = connection.get(
    `SELECT 1 FROM sessions s WHERE s.session_id = ?1 AND (s.transcript_path IS NOT NULL OR EXISTS
       (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.author IS NULL AND t.device_id IS NULL
          AND t.id NOT IN (SELECT f.turn_id FROM folder_turns f))
       OR (SELECT coalesce(t.author, '') FROM turns t WHERE t.session_id = ?1 ORDER BY t.id LIMIT 1) <> ?2)`,
    sessionId,
    author,
  );
  return row !== null;
}

/** Stores what comes with the first turn of a session: its title, and the pull requests that it names. */
function writeOpening(
  connection: Connection,
  sessionId: CleanString,
  { title, titleSource, firstPrompt, links }: Clean<NonNullable<TeamTurn["session"]["opening"]>>,
): void {
  connection.run(
    "UPDATE sessions SET title = $title, title_source = $titleSource, first_prompt = $firstPrompt WHERE session_id = $sessionId",
    { sessionId, title, titleSource, firstPrompt },
  );
  for (const link of links)
    connection.run(
      `INSERT OR IGNORE INTO pr_links (session_id, pr_number, pr_url, pr_repository, timestamp)
       VALUES ($sessionId, $prNumber, $prUrl, $prRepository, $timestamp)`,
      { ...link, sessionId },
    );
}
