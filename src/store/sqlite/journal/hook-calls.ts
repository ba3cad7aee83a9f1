import { cleaned } from "../../../redact/gate.ts";
import type { AnswerQuery, HookAnswerRow, HookCallEntry, NumberedCall } from "../../journal.ts";
import type { Connection } from "../connection/connection.ts";

/** Hook calls are kept for `status`, `told` and the report. Older ones go, unless they are marked. */
const KEPT_CALLS = 20_000;
/** The texts of answers are kept for the latest calls only. */
const KEPT_ANSWERS = 5_000;

/** Events whose hooks may say something, each with what is listed of it. */
const SPEAKING =
  "('user-prompt-submit', 'pre-tool-use', 'post-tool-use-failure', 'session-start', 'subagent-start')";

/** Stores a call. Turns that are gone by now are left out, and so is the answer that quotes them. */
export function recordHookCall(connection: Connection, given: HookCallEntry): void {
  const { turns = [], gate, ...call } = cleaned(given);
  connection.transaction(() => {
    const known = connection.all<{ turnId: number; rank: number; passage: string | null }>(
      `SELECT t.id AS turnId, j.key AS rank, j.value ->> 'passage' AS passage
       FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value ->> 'turnId'`,
      JSON.stringify(turns),
    );
    const { lastId } = connection.run(
      `INSERT INTO hook_calls (session_id, event, decision, duration_ms, time, prompt, subject, answer, probability,
         threshold)
       VALUES ($sessionId, $event, $decision, $durationMs, $time, $prompt, $subject, $answer, $probability,
         $threshold)`,
      {
        ...call,
        prompt: call.prompt ?? null,
        subject: call.subject ?? null,
        answer: known.length === turns.length ? (call.answer ?? null) : null,
        probability: gate?.probability ?? null,
        threshold: gate?.threshold ?? null,
      },
    );
    for (const { turnId, rank, passage } of known) {
      connection.run(
        "INSERT OR IGNORE INTO hook_call_turns (call_id, turn_id, rank, passage) VALUES (?, ?, ?, ?)",
        lastId,
        turnId,
        rank,
        passage,
      );
    }
    connection.run(
      "DELETE FROM hook_calls WHERE id <= ? AND id NOT IN (SELECT call_id FROM answer_marks)",
      lastId - KEPT_CALLS,
    );
    connection.run(
      "UPDATE hook_calls SET answer = NULL WHERE id <= ? AND answer IS NOT NULL",
      lastId - KEPT_ANSWERS,
    );
  });
}

/** What was said of a turn `r` of an answer, as JSON. */
const MARKS = `(SELECT json_group_array(kind) FROM (
  SELECT kind FROM answer_marks WHERE call_id = r.call_id AND turn_id = r.turn_id
  UNION ALL SELECT kind FROM turn_marks WHERE turn_id = r.turn_id ORDER BY kind))`;

type Row = Omit<HookAnswerRow, "turns" | "gate"> & {
  turns: string;
  probability: number | null;
  threshold: number | null;
};

/** Which hook calls are listed as answers. A file of which nothing was known is none. */
const IS_ANSWER = `h.event IN ${SPEAKING} AND (h.event = 'user-prompt-submit' OR h.decision = 'told')`;

const IN_SESSION = "($sessionId IS NULL OR substr(h.session_id, 1, length($sessionId)) = $sessionId)";

/** Returns how many answers there are. */
export function countAnswers(connection: Connection, { sessionId }: Pick<AnswerQuery, "sessionId">): number {
  const sql = `SELECT count(*) AS n FROM hook_calls h WHERE ${IS_ANSWER} AND ${IN_SESSION}`;
  return connection.get<{ n: number }>(sql, { sessionId: sessionId ?? null })?.n ?? 0;
}

/** Returns the numbers of the calls since a time and the files that they were about, by when they were answered. */
export function numberedCalls(connection: Connection, since: string): Map<string, NumberedCall> {
  const sql = `SELECT h.id, h.subject, h.time FROM hook_calls h WHERE h.time >= ? AND h.event IN ${SPEAKING}`;
  const calls = connection.all<NumberedCall & { time: string }>(sql, since);
  return new Map(calls.map(({ time, ...call }) => [time, call]));
}

/** Returns the answers asked for, the latest first. One that is asked for by its number may be any call of a hook. */
export function answers(
  connection: Connection,
  { limit, id, toldBy, afterId, sessionId }: AnswerQuery,
): HookAnswerRow[] {
  return connection
    .all<Row>(
      `SELECT h.id, h.session_id AS sessionId, h.event, h.decision, h.duration_ms AS durationMs, h.time, h.prompt,
         h.subject, h.answer, h.probability, h.threshold,
         (SELECT json_group_array(json_object('turnId', r.turn_id, 'passage', r.passage, 'marks', json(${MARKS})))
           FROM (SELECT call_id, turn_id, passage FROM hook_call_turns WHERE call_id = h.id ORDER BY rank) r) AS turns
       FROM hook_calls h
       WHERE iif($id IS NULL, ${IS_ANSWER}, h.id = $id)
         AND ($toldBy IS NULL OR h.event = $toldBy AND h.decision = 'told' AND EXISTS (SELECT 1 FROM hook_call_turns WHERE call_id = h.id)) AND h.id > $afterId
         AND ${IN_SESSION}
       ORDER BY h.id DESC LIMIT $limit`,
      { limit, id: id ?? null, toldBy: toldBy ?? null, afterId: afterId ?? 0, sessionId: sessionId ?? null },
    )
    .map(({ turns, probability, threshold, ...row }) => ({
      ...row,
      turns: JSON.parse(turns),
      gate: probability === null || threshold === null ? null : { probability, threshold },
    }));
}
