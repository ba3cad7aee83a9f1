import type {
  Compaction,
  FileMention,
  PrLink,
  SessionFacts,
  SubagentFacts,
  Turn,
  TurnCopy,
} from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { fileName } from "../../resources.ts";
import type { SourceState, WriteBatch } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { sourceName } from "../forget/fields.ts";

/** Stores the read position of a file. Returns the id of its row. */
export function writeSource(connection: Connection, source: Clean<SourceState>): number {
  const row = connection.get<{ id: number }>(
    `INSERT INTO sources (path, session_id, agent_id, byte_offset, line_index, resume_offset, resume_line,
       fingerprint, size, mtime_ms, skipped, sessions, left_out, reader_state,
       reader_version, updated_at)
     VALUES ($path, $sessionId, $agentId, $byteOffset, $lineIndex, $resumeOffset, $resumeLine, $fingerprint, $size,
       $mtimeMs, $skipped, $sessions, $leftOut, $readerState, $readerVersion, $now)
     ON CONFLICT (path) DO UPDATE SET session_id = excluded.session_id, agent_id = excluded.agent_id,
       byte_offset = excluded.byte_offset, line_index = excluded.line_index,
       resume_offset = excluded.resume_offset, resume_line = excluded.resume_line,
       fingerprint = excluded.fingerprint, size = excluded.size, mtime_ms = excluded.mtime_ms,
       skipped = excluded.skipped, sessions = excluded.sessions,
       left_out = excluded.left_out, reader_state = excluded.reader_state,
       reader_version = excluded.reader_version, updated_at = excluded.updated_at
     RETURNING id`,
    {
      ...source,
      path: sourceName(connection, source.path),
      skipped: JSON.stringify(source.skipped),
      sessions: JSON.stringify(source.sessions),
      leftOut: JSON.stringify(source.leftOut),
      now: connection.now(),
    },
  );
  return row?.id ?? 0;
}

/** Stores a batch's facts about sessions, and adds every session that it names. */
export function writeSessions(connection: Connection, batch: Clean<WriteBatch>): void {
  const own = batch.foreignOrigin === undefined ? batch.turns : [];
  claimSessions(
    connection,
    own.map(({ turn }) => turn.sessionId),
  );
  const named = [
    ...batch.sessions,
    ...batch.subagents,
    ...batch.turns.map(({ turn }) => turn),
    ...batch.copies,
    ...batch.prLinks,
    ...batch.compactions,
  ];
  for (const sessionId of new Set(named.map((item) => item.sessionId))) {
    connection.run("INSERT OR IGNORE INTO sessions (session_id) VALUES (?)", sessionId);
  }
  for (const facts of batch.sessions) writeSessionFacts(connection, facts, batch.rewritten);
}

const TITLE_RANK =
  "CASE %s WHEN 'custom-title' THEN 3 WHEN 'ai-title' THEN 2 WHEN 'summary' THEN 1 ELSE 0 END";
const rank = (expression: string) => TITLE_RANK.replace("%s", expression);

function writeSessionFacts(connection: Connection, facts: Clean<SessionFacts>, rewritten: boolean): void {
  if (facts.title !== null) {
    connection.run(
      `UPDATE sessions SET title = $title, title_source = $titleSource
       WHERE session_id = $sessionId AND ${rank("$titleSource")} >= ${rank("coalesce(title_source, '')")}`,
      { ...facts },
    );
  }
  connection.run(
    `UPDATE sessions SET client = coalesce($client, client), project_dir = coalesce($projectDir, project_dir),
       first_prompt = iif($rewritten AND first_prompt <> '', coalesce($firstPrompt, first_prompt),
         coalesce(first_prompt, $firstPrompt)),
       automated = coalesce($automated, automated), branch = coalesce($branch, branch),
       started_at = min(coalesce(started_at, $startedAt), coalesce($startedAt, started_at)),
       ended_at = max(coalesce(ended_at, $endedAt), coalesce($endedAt, ended_at)) WHERE session_id = $sessionId`,
    { ...facts, client: facts.client ?? null, rewritten },
  );
}

export function writeSubagents(connection: Connection, subagents: readonly Clean<SubagentFacts>[]): void {
  for (const facts of subagents) {
    connection.run(
      `INSERT INTO subagent_sessions (session_id, agent_id, agent_type, task)
       VALUES ($sessionId, $agentId, $agentType, $task)
       ON CONFLICT (session_id, agent_id) DO UPDATE SET agent_type = coalesce(excluded.agent_type, agent_type),
         task = coalesce(task, excluded.task)`,
      { ...facts },
    );
  }
}

export function writePrLinks(connection: Connection, links: readonly Clean<PrLink>[]): void {
  for (const link of links) {
    connection.run(
      `INSERT OR IGNORE INTO pr_links (session_id, pr_number, pr_url, pr_repository, timestamp)
       VALUES ($sessionId, $prNumber, $prUrl, $prRepository, $timestamp)`,
      { ...link },
    );
  }
}

/** Stores the turns of other sessions that were copied into this source, with their lines. */
export function writeCopies(
  connection: Connection,
  sourceId: number,
  copies: readonly Clean<TurnCopy>[],
): void {
  for (const copy of copies) {
    const place = { ...copy, sourceId };
    connection.run(
      `DELETE FROM turn_copies WHERE session_id = $sessionId AND line_index = $lineIndex AND turn_id = $turnId
         AND source_id IS NULL`,
      place,
    );
    connection.run(
      `INSERT OR IGNORE INTO turn_copies (session_id, source_id, line_index, turn_id)
         SELECT $sessionId, $sourceId, $lineIndex, id FROM turns WHERE id = $turnId`,
      place,
    );
  }
}

/** Stores the compactions in a transcript. Removes earlier announcements, since the transcript confirms them. */
export function writeCompactions(
  connection: Connection,
  sourceId: number,
  compactions: readonly Clean<Compaction>[],
): void {
  for (const compaction of compactions) {
    const row = { ...compaction, sourceId, now: connection.now() };
    connection.run(
      `DELETE FROM compactions WHERE session_id = $sessionId AND (source_id IS NULL AND line_index = $lineIndex
         OR provisional AND ($timestamp IS NULL OR recorded_at <= $timestamp))`,
      row,
    );
    connection.run(
      `INSERT INTO compactions (session_id, source_id, line_index, trigger, pre_tokens, timestamp, recorded_at)
       VALUES ($sessionId, $sourceId, $lineIndex, $trigger, $preTokens, $timestamp, $now)
       ON CONFLICT (session_id, line_index, coalesce(source_id, 0)) DO UPDATE SET trigger = excluded.trigger,
         pre_tokens = excluded.pre_tokens, timestamp = excluded.timestamp, provisional = 0`,
      row,
    );
  }
}

/** Stores the transcript file of each session, and which subagents have one. */
export function writeTranscripts(connection: Connection, { source, turns }: Clean<WriteBatch>): void {
  const { sessionId, agentId } = source;
  const path = sourceName(connection, source.path);
  if (sessionId === null) return;
  if (agentId !== null) {
    connection.run(
      `INSERT OR IGNORE INTO subagent_sessions (session_id, agent_id)
         SELECT session_id, ? FROM sessions WHERE session_id = ?`,
      agentId,
      sessionId,
    );
    return;
  }
  // Another session in this file uses this file, unless it has one of its own.
  const others = turns.flatMap(({ turn }) => (turn.agentId === null ? turn.sessionId : []));
  for (const id of new Set(others)) {
    connection.run(
      "UPDATE sessions SET transcript_path = coalesce(transcript_path, ?) WHERE session_id = ?",
      path,
      id,
    );
  }
  connection.run("UPDATE sessions SET transcript_path = ? WHERE session_id = ?", path, sessionId);
}

/** The stored form of a uuid in `j.value`: 16 bytes, or the text itself when it is not a uuid. */
export const UUID_KEY = "coalesce(unhex(j.value, '-'), j.value)";

/** Replaces the entries, mentions and commits of a turn. */
export function writeTurnDetails(connection: Connection, turnId: number, turn: Clean<Turn>): void {
  connection.run("DELETE FROM entries WHERE turn_id = ?", turnId);
  const insert = (conflict: "REPLACE" | "IGNORE", uuids: readonly string[]) =>
    connection.run(
      `INSERT OR ${conflict} INTO entries (uuid, turn_id) SELECT ${UUID_KEY}, ? FROM json_each(?) j WHERE j.value <> ''`,
      turnId,
      JSON.stringify(uuids),
    );
  insert("REPLACE", [...new Set(turn.entryUuids)]);
  // The prompt of a copied turn stays with its first owner.
  insert("IGNORE", turn.promptUuid === null ? [] : [turn.promptUuid]);
  writeTouched(connection, turnId, turn);
}

type Touched = Clean<Pick<Turn, "sessionId" | "mentions" | "commits">>;

/** Replaces the files and commits of a turn. */
export function writeTouched(
  connection: Connection,
  turnId: number,
  { sessionId, mentions, commits }: Touched,
): void {
  connection.run("DELETE FROM file_mentions WHERE turn_id = ?", turnId);
  for (const mention of mentions) writeMention(connection, turnId, mention);
  connection.run("DELETE FROM commits WHERE turn_id = ?", turnId);
  for (const { hash, message } of commits)
    connection.run(
      "INSERT OR IGNORE INTO commits (turn_id, hash, message) VALUES (?, ?, ?)",
      turnId,
      hash.toLowerCase(),
      message,
    );
  connection.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)", sessionId);
}

export function writeMention(connection: Connection, turnId: number, mention: Clean<FileMention>): void {
  const { filePath, toolName } = mention;
  connection.run(
    `INSERT OR IGNORE INTO file_mentions (turn_id, file_path, file_name, tool_name)
     VALUES ($turnId, $filePath, $fileName, $toolName)`,
    { turnId, filePath, fileName: fileName(filePath), toolName },
  );
}

/** SQL condition that only others have described a session, since it has no turn of the user yet. */
const OF_OTHERS = `EXISTS (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.foreign_origin IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.session_id = ?1 AND t.foreign_origin IS NULL)`;

/**
 * Removes other people's facts about sessions before the user's own first turn arrives. Whoever knows a session's id can bring
 * rows that name it; from then on, only the user's transcripts and devices describe it.
 */
export function claimSessions(connection: Connection, sessionIds: Iterable<string>): void {
  for (const sessionId of new Set(sessionIds)) {
    const sql = `SELECT 1 FROM sessions s WHERE s.session_id = ?1 AND s.transcript_path IS NULL AND ${OF_OTHERS}`;
    if (connection.get(sql, sessionId) === null) continue;
    connection.run(
      `UPDATE sessions SET client = 'claude-code', project_dir = NULL, title = NULL, title_source = NULL,
         first_prompt = NULL, automated = 0, branch = NULL, started_at = NULL, ended_at = NULL WHERE session_id = ?`,
      sessionId,
    );
    for (const table of ["pr_links", "compactions", "subagent_sessions"])
      connection.run(`DELETE FROM ${table} WHERE session_id = ?`, sessionId);
  }
}
