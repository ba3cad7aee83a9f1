import type { Compaction, PrLink, SubagentFacts, TurnCopy } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import type { SourceState, WriteBatch } from "../../types.ts";
import { TEXTS } from "../columns.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../text.ts";
import type { Ids } from "./ids.ts";
import type { Writer } from "./writer.ts";

/** Condition on rows of the caller. */
const OWN = "project_id = :project AND author = current_user";

/** Stores how far a file was read. Returns the id of its row. */
export async function writeSource(
  { database, now }: Writer,
  source: Clean<SourceState>,
  ids: Ids,
): Promise<number> {
  const known = await database.get<{ id: number }>(
    `SELECT source_id AS id FROM mementor.sources WHERE ${OWN} AND path = ?`,
    source.path,
  );
  const id = known?.id ?? ids.take("sources");
  await database.run(
    `INSERT INTO mementor.sources (project_id, source_id, path, session_id, agent_id, byte_offset, line_index,
       resume_offset, resume_line, fingerprint, size, mtime_ms, skipped, sessions, left_out, reader_state,
       reader_version, updated_at)
     VALUES (:project, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (project_id, source_id) DO UPDATE SET session_id = excluded.session_id, agent_id = excluded.agent_id,
       byte_offset = excluded.byte_offset, line_index = excluded.line_index, resume_offset = excluded.resume_offset,
       resume_line = excluded.resume_line, fingerprint = excluded.fingerprint, size = excluded.size,
       mtime_ms = excluded.mtime_ms, skipped = excluded.skipped, sessions = excluded.sessions,
       left_out = excluded.left_out, reader_state = excluded.reader_state,
       reader_version = excluded.reader_version, updated_at = excluded.updated_at`,
    id,
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
    json(source.skipped),
    json(source.sessions),
    json(source.leftOut),
    source.readerState,
    source.readerVersion,
    now(),
  );
  return id;
}

/** Stores a batch's facts about sessions, and adds every session that it names. */
export async function writeSessions(database: ProjectDatabase, batch: Clean<WriteBatch>): Promise<void> {
  const named = [
    ...batch.sessions,
    ...batch.subagents,
    ...batch.turns.map(({ turn }) => turn),
    ...batch.copies,
    ...batch.prLinks,
    ...batch.compactions,
  ];
  await database.run(
    `INSERT INTO mementor.sessions (project_id, session_id) SELECT DISTINCT :project, j.value FROM ${TEXTS}
     ON CONFLICT DO NOTHING`,
    json(named.map((item) => item.sessionId)),
  );
  const rows = batch.sessions.map((facts) => ({ ...facts, rewritten: batch.rewritten }));
  for (const row of rows) {
    await database.run(
      `UPDATE mementor.sessions s SET ${FACTS} FROM ${FACTS_ROW} WHERE ${THIS_SESSION}`,
      json([row]),
    );
    if (row.title !== null)
      await database.run(
        `UPDATE mementor.sessions s SET title = r.title, title_source = r."titleSource" FROM ${FACTS_ROW}
         WHERE ${THIS_SESSION} AND ${rank('r."titleSource"')} >= ${rank("s.title_source")}`,
        json([row]),
      );
  }
}

const THIS_SESSION = `s.project_id = :project AND s.author = current_user AND s.session_id = r."sessionId"`;
const FACTS_ROW = `json_to_recordset(?::text::json) AS r ("sessionId" text, client text, "projectDir" text, title text,
  "titleSource" text, "firstPrompt" text, automated boolean, branch text, "startedAt" text, "endedAt" text,
  rewritten boolean)`;
const FACTS = `client = coalesce(r.client, s.client), project_dir = coalesce(r."projectDir", s.project_dir),
  first_prompt = CASE WHEN r.rewritten AND s.first_prompt <> '' THEN coalesce(r."firstPrompt", s.first_prompt)
    ELSE coalesce(s.first_prompt, r."firstPrompt") END,
  automated = coalesce(r.automated, s.automated), branch = coalesce(r.branch, s.branch),
  started_at = least(s.started_at, r."startedAt"), ended_at = greatest(s.ended_at, r."endedAt")`;

const rank = (expression: string) =>
  `CASE ${expression} WHEN 'custom-title' THEN 3 WHEN 'ai-title' THEN 2 WHEN 'summary' THEN 1 ELSE 0 END`;

export async function writeSubagents(
  database: ProjectDatabase,
  subagents: readonly Clean<SubagentFacts>[],
): Promise<void> {
  for (const { sessionId, agentId, agentType, task } of subagents)
    await database.run(
      `INSERT INTO mementor.subagent_sessions AS a (project_id, session_id, agent_id, agent_type, task)
       VALUES (:project, ?, ?, ?, ?)
       ON CONFLICT (project_id, author, session_id, agent_id) DO UPDATE SET
         agent_type = coalesce(excluded.agent_type, a.agent_type), task = coalesce(a.task, excluded.task)`,
      sessionId,
      agentId,
      agentType,
      task,
    );
}

export async function writePrLinks(
  database: ProjectDatabase,
  links: readonly Clean<PrLink>[],
): Promise<void> {
  for (const { sessionId, prNumber, prUrl, prRepository, timestamp } of links)
    await database.run(
      `INSERT INTO mementor.pr_links (project_id, session_id, pr_number, pr_url, pr_repository, timestamp)
       VALUES (:project, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      sessionId,
      prNumber,
      prUrl,
      prRepository,
      timestamp,
    );
}

/** Stores which of the caller's turns were copied into this source from other sessions, and at which lines. */
export async function writeCopies(
  database: ProjectDatabase,
  sourceId: number,
  copies: readonly Clean<TurnCopy>[],
): Promise<void> {
  for (const { sessionId, lineIndex, turnId } of copies) {
    await database.run(
      `DELETE FROM mementor.turn_copies
       WHERE ${OWN} AND session_id = ? AND line_index = ? AND turn_id = ? AND source_id IS NULL`,
      sessionId,
      lineIndex,
      turnId,
    );
    await database.run(
      `INSERT INTO mementor.turn_copies (project_id, session_id, source_id, line_index, turn_id)
       SELECT :project, ?, ?, ?, turn_id FROM mementor.turns WHERE ${OWN} AND turn_id = ? ON CONFLICT DO NOTHING`,
      sessionId,
      sourceId,
      lineIndex,
      turnId,
    );
  }
}

/** Stores the compactions in a transcript. Removes earlier announcements, since the transcript confirms them. */
export async function writeCompactions(
  { database, now }: Writer,
  sourceId: number,
  compactions: readonly Clean<Compaction>[],
): Promise<void> {
  for (const { sessionId, lineIndex, trigger, preTokens, timestamp } of compactions) {
    await database.run(
      `DELETE FROM mementor.compactions WHERE ${OWN} AND session_id = ? AND (source_id IS NULL AND line_index = ?
         OR provisional AND (?::text IS NULL OR recorded_at <= ?))`,
      sessionId,
      lineIndex,
      timestamp,
      timestamp,
    );
    await database.run(
      `INSERT INTO mementor.compactions (project_id, session_id, source_id, line_index, trigger, pre_tokens, timestamp,
         recorded_at)
       VALUES (:project, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, author, session_id, line_index, coalesce(source_id, 0)) DO UPDATE SET
         trigger = excluded.trigger, pre_tokens = excluded.pre_tokens, timestamp = excluded.timestamp,
         provisional = false`,
      sessionId,
      sourceId,
      lineIndex,
      trigger,
      preTokens,
      timestamp,
      now(),
    );
  }
}

/** Stores which file is the transcript of a session, and that a subagent has one. */
export async function writeTranscripts(
  database: ProjectDatabase,
  { source, turns }: Clean<WriteBatch>,
): Promise<void> {
  const { sessionId, agentId, path } = source;
  if (sessionId === null) return;
  if (agentId !== null) {
    await database.run(
      `INSERT INTO mementor.subagent_sessions (project_id, session_id, agent_id)
       SELECT :project, session_id, ? FROM mementor.sessions WHERE ${OWN} AND session_id = ? ON CONFLICT DO NOTHING`,
      agentId,
      sessionId,
    );
    return;
  }
  // Another session in this file is shown from this file, unless it has a file of its own.
  const others = turns.flatMap(({ turn }) => (turn.agentId === null ? turn.sessionId : []));
  await database.run(
    `UPDATE mementor.sessions s SET transcript_path = coalesce(s.transcript_path, ?) FROM ${TEXTS}
     WHERE ${OWN} AND s.session_id = j.value`,
    path,
    json([...new Set(others)]),
  );
  await database.run(
    `UPDATE mementor.sessions SET transcript_path = ? WHERE ${OWN} AND session_id = ?`,
    path,
    sessionId,
  );
}
