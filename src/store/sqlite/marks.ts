import { NOTE } from "../../constants.ts";
import type {
  AnswerMark,
  BadMark,
  EarlierSessions,
  MarkKind,
  MarkStore,
  RecallStore,
  TurnMark,
  TurnVector,
} from "../marks.ts";
import { checkDimensions } from "../stored.ts";
import type { Connection } from "./connection/connection.ts";
import { fromBytes, toBytes } from "./vectors/math.ts";
import { activeModel } from "./vectors/models.ts";

/** Maximum marks that a hook compares with its prompt, newest first. */
const COMPARED_MARKS = 1_000;

const ANSWER_MARKS = `SELECT m.call_id AS answerId, m.turn_id AS turnId, m.kind, m.time, h.prompt, h.subject
  FROM answer_marks m JOIN hook_calls h ON h.id = m.call_id`;

export function markStore(connection: Connection): MarkStore {
  return {
    ...ofAnswers(connection),
    async mark(turnId, kind) {
      const sql = `INSERT OR IGNORE INTO turn_marks (turn_id, kind, time) VALUES (?, ?, ?)`;
      return connection.run(sql, turnId, kind, connection.now()).changes > 0;
    },
    async unmark(turnId, kind) {
      return (
        connection.run("DELETE FROM turn_marks WHERE turn_id = ? AND kind = ?", turnId, kind).changes > 0
      );
    },
    async turnMarks() {
      return connection.all<TurnMark>(
        `SELECT turn_id AS turnId, kind, time FROM turn_marks WHERE kind NOT IN ('undone', 'prompt_only')
         ORDER BY time DESC, turn_id DESC, kind`,
      );
    },
    async marksOf(turnId) {
      return connection.column<MarkKind>(
        `SELECT kind FROM turn_marks WHERE turn_id = ?1
           UNION SELECT kind FROM answer_marks WHERE turn_id = ?1
           UNION SELECT kind FROM folder_answer_marks WHERE turn_id = ?1 ORDER BY kind`,
        turnId,
      );
    },
    async hidden() {
      const rows = connection.column<number>(
        "SELECT turn_id AS id FROM turn_marks WHERE kind IN ('mute', 'undone', 'prompt_only')",
      );
      return new Set(rows);
    },
  };
}

type BadMarkRow = Omit<BadMark, "vector"> & { embedding: Uint8Array | null; time: string };

/** Marks of turns in an answer: good or bad for the hook's question. */
function ofAnswers(connection: Connection) {
  return {
    async markAnswer(answerId, turnIds, kind) {
      return connection.transaction(() => {
        const replaced = connection.column<number>(
          `SELECT turn_id AS turnId FROM answer_marks
           WHERE call_id = ? AND kind <> ? AND turn_id IN (SELECT value FROM json_each(?)) ORDER BY turn_id`,
          answerId,
          kind,
          JSON.stringify(turnIds),
        );
        for (const turnId of turnIds)
          connection.run(
            `INSERT INTO answer_marks (call_id, turn_id, kind, time) VALUES ($answerId, $turnId, $kind, $now)
             ON CONFLICT (call_id, turn_id) DO UPDATE SET kind = excluded.kind, time = excluded.time`,
            { answerId, turnId, kind, now: connection.now() },
          );
        return replaced;
      });
    },
    async unmarkAnswer(answerId, turnIds, kind) {
      const removed = connection.run(
        `DELETE FROM answer_marks WHERE call_id = ? AND kind = ? AND turn_id IN (SELECT value FROM json_each(?))`,
        answerId,
        kind,
        JSON.stringify(turnIds),
      );
      return removed.changes;
    },
    async savePromptVector(answerId, vector) {
      const model = activeModel(connection);
      if (model === null) return;
      checkDimensions(model, vector);
      connection.run(
        "INSERT OR REPLACE INTO prompt_vectors (call_id, model_id, embedding) VALUES (?, ?, ?)",
        answerId,
        model.id,
        toBytes(vector),
      );
    },
    async answerMarks() {
      return connection.all<AnswerMark>(
        `${ANSWER_MARKS} UNION ALL SELECT NULL, m.turn_id, m.kind, m.time, m.prompt, m.subject FROM folder_answer_marks m
         ORDER BY time DESC, answerId DESC, turnId`,
      );
    },
    async bad() {
      const model = activeModel(connection);
      return connection
        .all<BadMarkRow>(
          `SELECT m.turn_id AS turnId, h.prompt, h.subject, v.embedding, m.time
           FROM answer_marks m JOIN hook_calls h ON h.id = m.call_id
             LEFT JOIN prompt_vectors v ON v.call_id = m.call_id AND v.model_id = ?
           WHERE m.kind = 'bad'
           UNION ALL SELECT m.turn_id, m.prompt, m.subject, NULL, m.time FROM folder_answer_marks m WHERE m.kind = 'bad'
           ORDER BY time DESC LIMIT ?`,
          model?.id ?? 0,
          COMPARED_MARKS,
        )
        .map(({ embedding, time: _, ...mark }) => ({
          ...mark,
          vector: embedding && fromBytes(embedding),
          model: model?.name ?? null,
        }));
    },
  } satisfies Partial<MarkStore>;
}

type VectorRow = Omit<TurnVector, "vector"> & { embedding: Uint8Array };

export function recallStore(connection: Connection): RecallStore {
  return {
    async latestTurns(sessionId, limit) {
      return connection.column<number>(LATEST, sessionId, limit);
    },
    async copiedTurns(sessionId, turnIds) {
      const rows = connection.column<number>(COPIED, sessionId, JSON.stringify(turnIds));
      return new Set(rows);
    },
    async readUntil(transcript) {
      const sql = "SELECT byte_offset FROM sources WHERE path = ?";
      return connection.column<number>(sql, transcript)[0] ?? 0;
    },
    async heldBefore(sessionId) {
      return (
        connection.get<EarlierSessions>(HELD_BEFORE, sessionId) ?? { sessions: 0, turns: 0, since: null }
      );
    },
    async turnVectors(turnIds) {
      const model = activeModel(connection);
      if (model === null || turnIds.length === 0) return [];
      return connection
        .all<VectorRow>(VECTORS, JSON.stringify(turnIds), model.id)
        .map(({ embedding, ...chunk }) => ({ ...chunk, vector: fromBytes(embedding) }));
    },
  };
}

// A fork's own turns come first; it knows the turns copied from its parent anyway.
const LATEST = `SELECT id FROM (
    SELECT id, line_index AS line, 0 AS isCopy FROM turns
      WHERE session_id = ?1 AND agent_id IS NULL AND foreign_origin IS NULL
    UNION ALL
    SELECT t.id, y.line_index, 1 FROM turn_copies y JOIN turns t ON t.id = y.turn_id
      WHERE y.session_id = ?1 AND t.session_id <> ?1 AND t.agent_id IS NULL AND t.foreign_origin IS NULL)
  GROUP BY id ORDER BY isCopy, line IS NULL, line DESC, id DESC LIMIT ?2`;

const COPIED = `SELECT DISTINCT y.turn_id AS id FROM json_each(?2) j
  CROSS JOIN turn_copies y ON y.turn_id = j.value AND y.session_id = ?1`;

const HELD_BEFORE = `SELECT count(*) AS sessions, coalesce(sum(turns), 0) AS turns, min(since) AS since FROM (
    SELECT (SELECT count(*) FROM turns t WHERE t.session_id = s.session_id) AS turns,
      coalesce(s.started_at, (SELECT min(t.created_at) FROM turns t WHERE t.session_id = s.session_id)) AS since
    FROM sessions s WHERE s.client <> '${NOTE.client}' AND s.session_id <> ?)
  WHERE turns > 0`;

const VECTORS = `SELECT c.turn_id AS turnId, c.start, c."end", v.embedding
  FROM json_each(?) j CROSS JOIN chunks c ON c.turn_id = j.value
  CROSS JOIN chunk_vectors v ON v.chunk_id = c.id AND v.model_id = ? ORDER BY c.turn_id, c.chunk_index`;
