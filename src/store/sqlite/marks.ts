import type { AnswerMark, BadMark, MarkKind, MarkStore, TurnMark } from "../marks.ts";
import { checkDimensions } from "../stored.ts";
import type { Connection } from "./connection/connection.ts";
import { fromBytes, toBytes } from "./vectors/math.ts";
import { activeModel } from "./vectors/models.ts";

/** A hook compares its prompt with at most this many marks, the newest. */
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

/** Marks of turns in an answer: good or bad for what the hook was asked. */
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
