import { NOTE } from "../../constants.ts";
import { cleaned } from "../../redact/gate.ts";
import type { AnswerQuery, HookAnswerRow, HookCallEntry, NumberedCall } from "../journal.ts";
import type { JournalStore } from "../store.ts";
import type { Connection } from "./connection/connection.ts";

// ISO 8601 in UTC compares as text; without a compaction, everything is later than ''.
const SINCE_COMPACTION = `time > coalesce((SELECT max(coalesce(k.timestamp, k.recorded_at)) FROM compactions k
  WHERE k.session_id = i.session_id AND NOT k.provisional), '')`;

/** The announcement gets the last line that was read of the session's transcript. */
const ANNOUNCE = `INSERT OR IGNORE INTO compactions
    (session_id, source_id, line_index, trigger, timestamp, provisional, recorded_at)
  SELECT $sessionId, s.id, max(coalesce(s.line_index, 1) - 1, 0), $trigger, $time, 1, $time
  FROM (SELECT 1) LEFT JOIN sources s ON s.session_id = $sessionId AND s.agent_id IS NULL
  ORDER BY s.updated_at DESC, s.id DESC LIMIT 1`;

export function journalStore(connection: Connection): JournalStore {
  return {
    async turnsToldIn(sessionId) {
      const rows = connection.column<number>(
        `SELECT DISTINCT turn_id AS turnId FROM injections i
         WHERE session_id = ? AND turn_id IS NOT NULL AND ${SINCE_COMPACTION}`,
        sessionId,
      );
      return new Set(rows);
    },
    async subjectsToldIn(sessionId, event) {
      const rows = connection.column<string>(
        `SELECT DISTINCT subject FROM injections i
         WHERE session_id = ? AND event = ? AND subject IS NOT NULL AND ${SINCE_COMPACTION}`,
        sessionId,
        event,
      );
      return new Set(rows);
    },
    toldInVain: async (sessionId) => toldInVain(connection, sessionId),
    recordTold: async (told) => recordTold(connection, told),
    recordHookCall: async (given) => recordHookCall(connection, given),
    answers: async (query) => answers(connection, query),
    numberedCalls: async (since) => numberedCalls(connection, since),
    countAnswers: async (query) => countAnswers(connection, query),
    async announceCompaction(compaction) {
      const { sessionId, trigger, time } = cleaned(compaction);
      connection.run(ANNOUNCE, { sessionId, trigger, time });
    },
    async confirmCompaction(sessionId) {
      connection.run("UPDATE compactions SET provisional = 0 WHERE session_id = ?", sessionId);
    },
  };
}

function isMentioned(connection: Connection, path: string): boolean {
  return connection.get("SELECT 1 FROM file_totals WHERE file_path = ?", path) !== null;
}

function recordTold(connection: Connection, told: Parameters<JournalStore["recordTold"]>[0]): void {
  // A path that a turn mentions is clean already, and looking it up costs a hook less than the secret rules.
  const isStored = told.subject !== undefined && isMentioned(connection, told.subject);
  const { subject, ...rest } = told;
  const { sessionId, event, turnIds, time } = cleaned(rest);
  const about = subject === undefined || isStored ? subject : cleaned({ subject }).subject;
  connection.transaction(() => {
    const known = connection.column<number>(
      "SELECT t.id FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value",
      JSON.stringify(turnIds),
    );
    const rows = known.length > 0 ? known : about === undefined ? [] : [null];
    for (const turnId of rows) {
      connection.run(
        `INSERT INTO injections (session_id, turn_id, event, subject, time)
         VALUES ($sessionId, $turnId, $event, $subject, $time)`,
        { sessionId, turnId, event, subject: about ?? null, time },
      );
    }
  });
}

/** Maximum latest shown turns to examine, and their sessions. */
const MAX_ROWS = 500;
const SESSIONS = 3;

/**
 * Returns turns that a prompt hook showed in each of the last three other sessions in which it showed anything, without any
 * effect: the session afterwards touched none of the turn's files and did not print the turn. Leaves out turns marked good or
 * pinned, and notes, which touch no file.
 */
function toldInVain(connection: Connection, sessionId: string): Set<number> {
  const told = connection.all<{ session: string; turnId: number }>(TOLD, sessionId, MAX_ROWS);
  const sessions = [...new Set(told.map(({ session }) => session))].slice(0, SESSIONS);
  if (sessions.length < SESSIONS) return new Set();
  const turnsOf = (session: string) =>
    new Set(told.filter((row) => row.session === session).map(({ turnId }) => turnId));
  const always = sessions.map(turnsOf).reduce((common, turns) => common.intersection(turns));
  if (always.size === 0) return always;
  const [ids, last] = [JSON.stringify([...always]), JSON.stringify(sessions)];
  return new Set(connection.column<number>(WITHOUT_EFFECT, ids, last));
}

const TOLD = `SELECT session_id AS session, turn_id AS turnId FROM injections
  WHERE event = 'user-prompt-submit' AND turn_id IS NOT NULL AND session_id <> ? ORDER BY id DESC LIMIT ?`;

// Older versions did not store the id of a turn that was shown through MCP. For their rows, any use of that tool counts.
const WITHOUT_EFFECT = `SELECT j.value AS id FROM json_each(?1) j WHERE NOT EXISTS (
    SELECT 1 FROM injections i CROSS JOIN turns t ON t.session_id = i.session_id
    WHERE i.turn_id = j.value AND i.session_id IN (SELECT value FROM json_each(?2))
      AND coalesce(t.ended_at, t.created_at) >= i.time
      AND (EXISTS (SELECT 1 FROM file_mentions now CROSS JOIN file_mentions then_
          ON then_.turn_id = i.turn_id AND then_.file_path = now.file_path WHERE now.turn_id = t.id)
        OR ${shownByCommand("t.tool_summary", "j.value")}
        OR t.tool_summary GLOB ${shownByTool("j.value")}
        OR t.tool_summary GLOB '*mcp__*mementor*__show"*'))
  AND NOT EXISTS (SELECT 1 FROM answer_marks a WHERE a.turn_id = j.value AND a.kind = 'good')
  AND NOT EXISTS (SELECT 1 FROM folder_answer_marks a WHERE a.turn_id = j.value AND a.kind = 'good')
  AND NOT EXISTS (SELECT 1 FROM turn_marks m WHERE m.turn_id = j.value AND m.kind = 'pin')
  AND NOT EXISTS (SELECT 1 FROM turns n JOIN sessions s ON s.session_id = n.session_id
    WHERE n.id = j.value AND s.client = '${NOTE.client}')`;

/** Maximum stored hook calls, for `status`, `told` and the report. Older ones are removed unless they are marked. */
const KEPT_CALLS = 20_000;
/** Maximum calls with a stored answer text. */
const KEPT_ANSWERS = 5_000;

/** Events whose hooks may answer, and one that an older version answered. */
const SPEAKING =
  "('user-prompt-submit', 'pre-tool-use', 'post-tool-use-failure', 'session-start', 'subagent-start')";

/** Stores a call. Leaves out turns that were removed meanwhile, and the answer that quotes them. */
function recordHookCall(connection: Connection, given: HookCallEntry): void {
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

/** SQL of the marks on a turn `r` of an answer, as JSON. */
const MARKS = `(SELECT json_group_array(kind) FROM (
  SELECT kind FROM answer_marks WHERE call_id = r.call_id AND turn_id = r.turn_id
  UNION ALL SELECT kind FROM turn_marks WHERE turn_id = r.turn_id ORDER BY kind))`;

type Row = Omit<HookAnswerRow, "turns" | "gate"> & {
  turns: string;
  probability: number | null;
  threshold: number | null;
};

/** Condition that a hook call is listed as an answer. A call about a file with nothing to show is not. */
const IS_ANSWER = `h.event IN ${SPEAKING} AND (h.event = 'user-prompt-submit' OR h.decision = 'told')`;

const IN_SESSION = "($sessionId IS NULL OR substr(h.session_id, 1, length($sessionId)) = $sessionId)";

/** Counts the answers. */
function countAnswers(connection: Connection, { sessionId }: Pick<AnswerQuery, "sessionId">): number {
  const sql = `SELECT count(*) AS n FROM hook_calls h WHERE ${IS_ANSWER} AND ${IN_SESSION}`;
  return connection.get<{ n: number }>(sql, { sessionId: sessionId ?? null })?.n ?? 0;
}

/** Returns the calls since a time with their numbers and files, by the time of the answer. */
function numberedCalls(connection: Connection, since: string): Map<string, NumberedCall> {
  const sql = `SELECT h.id, h.subject, h.time FROM hook_calls h WHERE h.time >= ? AND h.event IN ${SPEAKING}`;
  const calls = connection.all<NumberedCall & { time: string }>(sql, since);
  return new Map(calls.map(({ time, ...call }) => [time, call]));
}

/** Lists answers, latest first. A request by number may return any hook call. */
function answers(
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

/** Returns the condition that a tool call queries a memory: by a command, or by a reading tool of the MCP server. */
export function asksMemory(call: string): string {
  const tools = ["search", "show", "sessions", "file_history", "recent", "search_elsewhere"];
  const byTool = tools.map((tool) => `${call} GLOB 'mcp__*mementor*__${tool}(*'`);
  return `(${[`${call} GLOB '*mementor recall*'`, ...byTool].join(" OR ")})`;
}

/** Returns the condition that a summary of tool calls contains a command that printed this turn; `turn` is an SQL expression. */
export function shownByCommand(summary: string, turn: string): string {
  const shows = ["mementor show ", "mementor recall --show ", "mementor recall --show="];
  return `(${shows.map((line) => `${summary} GLOB '*${line}' || ${turn} || '[^0-9]*'`).join(" OR ")})`;
}

/**
 * Returns the GLOB pattern of tool summaries in which the MCP tool `show` printed this turn; `turn` is an SQL expression.
 * Summaries are stored as a JSON list, so quotes in them are escaped.
 */
export function shownByTool(turn: string): string {
  return `'*mementor*__show(*turn=\\"' || ${turn} || '\\"*'`;
}
