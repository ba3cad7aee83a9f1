import { keywordTerms } from "../../../text/keywords.ts";
import type { ForgetPlan, Needle } from "../../forget.ts";
import type { Connection } from "../connection/connection.ts";
import { containsNeedle } from "./fields.ts";
import { type BuriedTurn, bury, buryTask } from "./tombstones.ts";

/**
 * Removes a session's data about removed turns. With `forGood`, keeps its title from coming back; with `mayReturn`, an import may
 * bring all of it again.
 */
export function forgetSessionParts(
  connection: Connection,
  loss: SessionLoss,
  gone: readonly BuriedTurn[],
  { forGood, mayReturn }: { forGood: boolean; mayReturn: boolean },
): void {
  const { sessionId, isWhole, losesTitle, losesFirstPrompt } = loss;
  if (losesTitle)
    connection.run("UPDATE sessions SET title = NULL, title_source = NULL WHERE session_id = ?", sessionId);
  // The empty text marks that there was a first prompt, so that a later read of the transcript does not restore it.
  if (losesFirstPrompt)
    connection.run(
      "UPDATE sessions SET first_prompt = ? WHERE session_id = ?",
      mayReturn ? null : "",
      sessionId,
    );
  if (forGood && (losesTitle || losesFirstPrompt)) {
    bury(connection, "title", sessionId);
    if (loss.title !== null) bury(connection, "words", loss.title);
    clearSourceFacts(connection, sessionId);
  }
  for (const agentId of new Set(gone.flatMap((turn) => turn.agentId ?? []))) {
    connection.run(
      "UPDATE subagent_sessions SET task = NULL WHERE session_id = ? AND agent_id = ?",
      sessionId,
      agentId,
    );
    if (forGood) buryTask(connection, { sessionId, agentId });
  }
  if (!isWhole) forgetBranch(connection, sessionId);
}

/** Removes titles, tasks and addresses that match a needle of the plan although no turn of their session does. */
export function forgetMatches(connection: Connection, plan: ForgetPlan): void {
  const { needles } = plan;
  for (const sessionId of plan.matchingSessions) {
    const row = connection.get<{ title: string | null; firstPrompt: string | null }>(
      "SELECT title, first_prompt AS firstPrompt FROM sessions WHERE session_id = ?",
      sessionId,
    );
    if (row === null) continue;
    const isMatch = (text: string | null) => containsNeedle(text ?? "", needles);
    const loss = { losesTitle: isMatch(row.title), losesFirstPrompt: isMatch(row.firstPrompt) };
    forgetSessionParts(connection, { sessionId, isWhole: false, title: row.title, ...loss }, [], {
      forGood: true,
      mayReturn: false,
    });
    forgetTasks(connection, sessionId, needles);
    forgetLinks(connection, sessionId, needles);
  }
  const subjects = connection
    .all<{ subject: string }>("SELECT DISTINCT subject FROM injections WHERE subject IS NOT NULL")
    .filter(({ subject }) => containsNeedle(subject, needles));
  for (const { subject } of subjects) connection.run("DELETE FROM injections WHERE subject = ?", subject);
  if (needles.length > 0) forgetMatchingCalls(connection, needles);
}

function forgetTasks(connection: Connection, sessionId: string, needles: readonly Needle[]): void {
  const rows = connection.all<{ agentId: string; task: string | null }>(
    "SELECT agent_id AS agentId, task FROM subagent_sessions WHERE session_id = ?",
    sessionId,
  );
  for (const { agentId, task } of rows) {
    if (!containsNeedle(task ?? "", needles)) continue;
    connection.run(
      "UPDATE subagent_sessions SET task = NULL WHERE session_id = ? AND agent_id = ?",
      sessionId,
      agentId,
    );
    buryTask(connection, { sessionId, agentId });
  }
}

function forgetLinks(connection: Connection, sessionId: string, needles: readonly Needle[]): void {
  const rows = connection.all<{ url: string }>(
    "SELECT pr_url AS url FROM pr_links WHERE session_id = ?",
    sessionId,
  );
  for (const { url } of rows) {
    if (!containsNeedle(url, needles)) continue;
    connection.run("DELETE FROM pr_links WHERE session_id = ? AND pr_url = ?", sessionId, url);
    bury(connection, "address", url);
  }
}

/** Removes the pull requests of a session that were created or finished in removed turns, or that only these mention. */
export function forgetPrLinks(
  connection: Connection,
  sessionId: string,
  gone: readonly number[],
  isWhole: boolean,
): void {
  const links = connection.all<{ url: string; timestamp: string | null }>(
    `SELECT pr_url AS url, timestamp FROM pr_links l WHERE session_id = $sessionId AND ($isWhole OR EXISTS
       (SELECT 1 FROM json_each($gone) j CROSS JOIN turns t ON t.id = j.value
        WHERE l.timestamp BETWEEN t.created_at AND t.ended_at OR instr(t.full_text, l.pr_url) > 0))`,
    { sessionId, gone: JSON.stringify(gone), isWhole },
  );
  for (const { url, timestamp } of links) {
    connection.run("DELETE FROM pr_links WHERE session_id = ? AND pr_url = ?", sessionId, url);
    bury(connection, "link", `${sessionId}\n${url}`);
    bury(connection, "address", `${url}\n${timestamp ?? ""}`);
  }
}

// The session's last branch may come from a removed turn.
function forgetBranch(connection: Connection, sessionId: string): void {
  connection.run(
    `UPDATE sessions SET branch = (SELECT t.branch FROM turns t WHERE t.session_id = ?1 AND t.branch IS NOT NULL
       ORDER BY t.created_at DESC LIMIT 1)
     WHERE session_id = ?1 AND branch NOT IN
       (SELECT t.branch FROM turns t WHERE t.session_id = ?1 AND t.branch IS NOT NULL)`,
    sessionId,
  );
}

// The session's reader state is cleared, and learned again from the rest of the file.
function clearSourceFacts(connection: Connection, sessionId: string): void {
  connection.run(
    `UPDATE sources SET sessions = (SELECT json_group_array(json(j.value)) FROM json_each(sessions) j
       WHERE j.value ->> 'sessionId' <> ?1)
     WHERE instr(sessions, ?1) > 0`,
    sessionId,
  );
}

/**
 * Maximum distance of a recorded prompt from the start of its turn, in days. Clients write prompts down at about the same time.
 */
const NEAR_DAYS = 10 / 86_400;
/** Number of characters that identify a prompt. */
const START = 60;

/**
 * Clears the recorded prompts of these turns, and removes answers that quote the turns. Must run before the turns are removed.
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

/** Clears prompts, files, answers and passages that match a needle. */
function forgetMatchingCalls(connection: Connection, needles: readonly Needle[]): void {
  for (const [table, column] of [
    ["hook_calls", "prompt"],
    ["hook_calls", "subject"],
    ["hook_calls", "answer"],
    ["hook_call_turns", "passage"],
  ]) {
    const values = connection
      .all<{ value: string }>(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`)
      .filter(({ value }) => containsNeedle(value, needles));
    for (const { value } of values)
      connection.run(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = ?`, value);
  }
}

/**
 * Clears answers that name no turn, such as a digest of sessions, and those about a session's state, which also list files. They
 * may quote a removed turn.
 */
export function forgetLooseAnswers(connection: Connection): void {
  connection.run(
    `UPDATE hook_calls SET answer = NULL
     WHERE answer IS NOT NULL AND (event IN ('session-start', 'subagent-start')
       OR id NOT IN (SELECT call_id FROM hook_call_turns))`,
  );
}

/** The data that a session loses with some of its turns. */
interface SessionLoss {
  sessionId: string;
  /** True when no turns of the session stay. */
  isWhole: boolean;
  /** The title to remove; null when it stays or there is none. */
  title: string | null;
  losesTitle: boolean;
  losesFirstPrompt: boolean;
}

interface Row {
  title: string | null;
  firstPrompt: string | null;
}

/**
 * Determines what a session loses when these turns are removed. Its title comes from its beginning, so it goes with the first
 * turn. It also goes when it matches a needle, or contains a word that only the removed turns contain.
 */
export function sessionLoss(
  connection: Connection,
  sessionId: string,
  turnIds: readonly number[],
  needles: readonly Needle[],
): SessionLoss {
  const row = connection.get<Row>(
    "SELECT title, first_prompt AS firstPrompt FROM sessions WHERE session_id = ?",
    sessionId,
  );
  const { title = null, firstPrompt = null } = row ?? {};
  const gone = JSON.stringify(turnIds);
  const stay = "session_id = ? AND id NOT IN (SELECT value FROM json_each(?))";
  const isWhole = connection.get(`SELECT 1 FROM turns WHERE ${stay} LIMIT 1`, sessionId, gone) === null;
  const losesFirst = isWhole || losesFirstTurn(connection, sessionId, turnIds);
  const texts = (condition: string) =>
    connection
      .all<{ text: string }>(`SELECT full_text AS text FROM turns WHERE ${condition}`, sessionId, gone)
      .map(({ text }) => text.toLowerCase());
  const isTold = () =>
    containsNeedle(title ?? "", needles) ||
    hasTermOf(
      title ?? "",
      () => texts("session_id = ? AND id IN (SELECT value FROM json_each(?))"),
      () => texts(stay),
    );
  const losesTitle = losesFirst || (title !== null && isTold());
  return {
    sessionId,
    isWhole,
    title: losesTitle ? title : null,
    losesTitle,
    losesFirstPrompt: losesFirst || containsNeedle(firstPrompt ?? "", needles),
  };
}

function losesFirstTurn(connection: Connection, sessionId: string, turnIds: readonly number[]): boolean {
  const first = connection.get<{ id: number }>(
    `SELECT id FROM turns WHERE session_id = ? AND agent_id IS NULL
     ORDER BY created_at IS NULL, created_at, line_index, id LIMIT 1`,
    sessionId,
  );
  return first !== null && turnIds.includes(first.id);
}

/** Tells whether the title contains a term that a removed text contains and no remaining text does. */
function hasTermOf(title: string, gone: () => string[], kept: () => string[]): boolean {
  const terms = keywordTerms(title);
  if (terms.length === 0) return false;
  const leaving = gone();
  const said = terms.filter((term) => leaving.some((text) => text.includes(term)));
  if (said.length === 0) return false;
  const staying = kept();
  return said.some((term) => !staying.some((text) => text.includes(term)));
}
