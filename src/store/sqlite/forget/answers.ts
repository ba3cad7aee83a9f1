import type { Needle } from "../../forget.ts";
import type { Connection } from "../connection/connection.ts";
import { matches } from "./needles.ts";

/**
 * A recorded prompt belongs to a turn that began within this many days, since clients write prompts down at about the
 * same time.
 */
const NEAR_DAYS = 10 / 86_400;
/** This many characters of a prompt identify its turn. */
const START = 60;

/**
 * Clears the recorded prompts of these turns. Call this before the turns are removed. Answers that quote the turns
 * are removed with them.
 */
export function forgetPrompts(connection: Connection, sessionId: string, turnIds: readonly number[]): void {
  connection.run(
    `UPDATE hook_calls SET prompt = NULL WHERE session_id = $sessionId AND prompt IS NOT NULL AND EXISTS (
       SELECT 1 FROM json_each($turnIds) j CROSS JOIN turns t ON t.id = j.value
       WHERE instr(t.full_text, substr(hook_calls.prompt, 1, ${START})) > 0
         OR abs(julianday(t.created_at) - julianday(hook_calls.time)) < ${NEAR_DAYS})`,
    { sessionId, turnIds: JSON.stringify(turnIds) },
  );
}

/** Clears all recorded prompts, files and answers of a session. */
export function forgetCalls(connection: Connection, sessionId: string): void {
  connection.run(
    "UPDATE hook_calls SET prompt = NULL, subject = NULL, answer = NULL WHERE session_id = ?",
    sessionId,
  );
}

/** Clears prompts, files, answers and passages that match one of the needles. */
export function forgetMatchingCalls(connection: Connection, needles: readonly Needle[]): void {
  for (const [table, column] of [
    ["hook_calls", "prompt"],
    ["hook_calls", "subject"],
    ["hook_calls", "answer"],
    ["hook_call_turns", "passage"],
  ]) {
    const values = connection
      .all<{ value: string }>(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`)
      .filter(({ value }) => matches(value, needles));
    for (const { value } of values)
      connection.run(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = ?`, value);
  }
}

/**
 * Clears answers that name no turn, such as a digest of sessions, and those on the state of a session, which list files
 * besides. Whether they quote a removed turn is unknown.
 */
export function forgetLooseAnswers(connection: Connection): void {
  connection.run(
    `UPDATE hook_calls SET answer = NULL
     WHERE answer IS NOT NULL AND (event IN ('session-start', 'subagent-start')
       OR id NOT IN (SELECT call_id FROM hook_call_turns))`,
  );
}
