import type { Compaction, PrLink, SessionFacts, SubagentFacts } from "../../domain.ts";
import type { Connection } from "../connection/connection.ts";
import type { SourceState, WriteBatch } from "../types.ts";

/** Stores how far the file was read; returns the id of its row. */
export function writeSource(connection: Connection, source: SourceState): number {
  const row = connection.get<{ id: number }>(
    `INSERT INTO sources (path, session_id, agent_id, byte_offset, line_index, resume_offset, resume_line,
       fingerprint, size, mtime_ms, skipped, reader_state, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET session_id = excluded.session_id, agent_id = excluded.agent_id,
       byte_offset = excluded.byte_offset, line_index = excluded.line_index,
       resume_offset = excluded.resume_offset, resume_line = excluded.resume_line,
       fingerprint = excluded.fingerprint, size = excluded.size, mtime_ms = excluded.mtime_ms,
       skipped = excluded.skipped, reader_state = excluded.reader_state, updated_at = excluded.updated_at
     RETURNING id`,
    source.path,
    source.sessionId,
    source.agentId,
    source.byteOffset,
    source.lineIndex,
    source.resumeOffset,
    source.resumeLine,
    source.fingerprint,
    source.size,
    source.mtimeMs,
    JSON.stringify(source.skipped),
    source.readerState,
    connection.now(),
  );
  return row?.id ?? 0;
}

/** Stores what the batch tells of its sessions, and makes sure that every session it names exists. */
export function writeSessions(connection: Connection, batch: WriteBatch): void {
  const named = [
    ...batch.sessions,
    ...batch.subagents,
    ...batch.turns.map(({ turn }) => turn),
    ...batch.copies,
    ...batch.prLinks,
    ...batch.compactions,
  ];
  for (const sessionId of new Set(named.map((item) => item.sessionId))) {
    connection.run(
      "INSERT OR IGNORE INTO sessions (session_id, created_at, updated_at) VALUES (?, ?, ?)",
      sessionId,
      connection.now(),
      connection.now(),
    );
  }
  for (const facts of batch.sessions) writeSessionFacts(connection, facts, batch.rewritten);
}

const TITLE_RANK =
  "CASE %s WHEN 'custom-title' THEN 3 WHEN 'ai-title' THEN 2 WHEN 'summary' THEN 1 ELSE 0 END";
const rank = (expression: string) => TITLE_RANK.replace("%s", expression);

function writeSessionFacts(connection: Connection, facts: SessionFacts, rewritten: boolean): void {
  if (facts.title !== null) {
    connection.run(
      `UPDATE sessions SET title = ?1, title_source = ?2
       WHERE session_id = ?3 AND ${rank("?2")} >= ${rank("coalesce(title_source, '')")}`,
      facts.title,
      facts.titleSource,
      facts.sessionId,
    );
  }
  connection.run(
    `UPDATE sessions SET project_dir = coalesce(?2, project_dir),
       first_prompt = iif(?3 AND first_prompt <> '', coalesce(?4, first_prompt), coalesce(first_prompt, ?4)),
       automated = coalesce(?5, automated), branch = coalesce(?6, branch),
       started_at = min(coalesce(started_at, ?7), coalesce(?7, started_at)),
       ended_at = max(coalesce(ended_at, ?8), coalesce(?8, ended_at)) WHERE session_id = ?1`,
    facts.sessionId,
    facts.projectDir,
    rewritten,
    facts.firstPrompt,
    facts.automated,
    facts.branch,
    facts.startedAt,
    facts.endedAt,
  );
}

export function writeSubagents(connection: Connection, subagents: readonly SubagentFacts[]): void {
  for (const facts of subagents) {
    connection.run(
      `INSERT INTO subagent_sessions (session_id, agent_id, agent_type, task) VALUES (?, ?, ?, ?)
       ON CONFLICT (session_id, agent_id) DO UPDATE SET agent_type = coalesce(excluded.agent_type, agent_type),
         task = coalesce(task, excluded.task)`,
      facts.sessionId,
      facts.agentId,
      facts.agentType,
      facts.task,
    );
  }
}

export function writePrLinks(connection: Connection, links: readonly PrLink[]): void {
  for (const link of links) {
    connection.run(
      `INSERT OR IGNORE INTO pr_links (session_id, pr_number, pr_url, pr_repository, timestamp)
       VALUES (?, ?, ?, ?, ?)`,
      link.sessionId,
      link.prNumber,
      link.prUrl,
      link.prRepository,
      link.timestamp,
    );
  }
}

/** Stores boundaries that a transcript has; those announced before them are confirmed by that, and go. */
export function writeCompactions(
  connection: Connection,
  compactions: readonly Compaction[],
  baseOf: (sessionId: string) => number,
): void {
  for (const { sessionId, lineIndex, trigger, preTokens, timestamp } of compactions) {
    connection.run(
      "DELETE FROM compactions WHERE session_id = ?1 AND provisional AND (?2 IS NULL OR recorded_at <= ?2)",
      sessionId,
      timestamp,
    );
    connection.run(
      `INSERT INTO compactions (session_id, line_index, trigger, pre_tokens, timestamp, recorded_at)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (session_id, line_index) DO UPDATE SET trigger = excluded.trigger,
         pre_tokens = excluded.pre_tokens, timestamp = excluded.timestamp, provisional = 0`,
      sessionId,
      lineIndex + baseOf(sessionId),
      trigger,
      preTokens,
      timestamp,
      connection.now(),
    );
    setBoundary(connection, sessionId);
  }
}

/** Keeps the session's last confirmed boundary where the seeds' schema has it. */
export function setBoundary(connection: Connection, sessionId: string): void {
  connection.run(
    `UPDATE sessions SET last_compact_line_index =
       (SELECT max(line_index) FROM compactions k WHERE k.session_id = ?1 AND NOT k.provisional)
     WHERE session_id = ?1`,
    sessionId,
  );
}

/** Moves the session's (or its subagent's) cursor, and where its provisional turn starts. */
export function writeProgress(connection: Connection, batch: WriteBatch): void {
  const { sessionId, agentId, lineIndex, path } = batch.source;
  for (const id of new Set(batch.turns.map(({ turn }) => turn.sessionId))) {
    connection.run(
      `UPDATE sessions SET updated_at = ?2, provisional_turn_start = (SELECT max(line_index) FROM turns
         WHERE session_id = ?1 AND agent_id IS NULL AND provisional) WHERE session_id = ?1`,
      id,
      connection.now(),
    );
  }
  if (sessionId === null) return;
  if (agentId === null) {
    // Another session of this file is shown from here, unless it has a file of its own.
    for (const id of new Set(
      batch.turns.flatMap(({ turn }) => (turn.agentId === null ? turn.sessionId : [])),
    )) {
      connection.run(
        "UPDATE sessions SET transcript_path = coalesce(transcript_path, ?) WHERE session_id = ?",
        path,
        id,
      );
    }
    connection.run(
      "UPDATE sessions SET last_line_index = ?, transcript_path = ? WHERE session_id = ?",
      lineIndex,
      path,
      sessionId,
    );
  } else {
    connection.run(
      `INSERT INTO subagent_sessions (session_id, agent_id, progress) SELECT ?1, ?2, ?3
         WHERE EXISTS (SELECT 1 FROM sessions WHERE session_id = ?1)
       ON CONFLICT (session_id, agent_id) DO UPDATE SET progress = excluded.progress`,
      sessionId,
      agentId,
      lineIndex,
    );
  }
}
