import type { Connection } from "../connection/connection.ts";
import { says } from "./needles.ts";
import { withoutSessions } from "./reader-state.ts";
import type { SessionLoss } from "./titles.ts";
import { type BuriedTurn, bury, buryTask } from "./tombstones.ts";
import type { ForgetPlan, Needle } from "./types.ts";

/** Removes what a session tells of turns that are gone, and keeps its title from coming back. */
export function forgetSessionParts(c: Connection, loss: SessionLoss, gone: readonly BuriedTurn[]): void {
  const { sessionId, isWhole, losesTitle, losesFirstPrompt } = loss;
  if (losesTitle)
    c.run("UPDATE sessions SET title = NULL, title_source = NULL WHERE session_id = ?", sessionId);
  // The empty text says that there was one: a later read of the transcript does not bring it back.
  if (losesFirstPrompt) c.run("UPDATE sessions SET first_prompt = '' WHERE session_id = ?", sessionId);
  if (losesTitle || losesFirstPrompt) {
    bury(c, "title", sessionId);
    if (loss.title !== null) bury(c, "words", loss.title);
    clearReaderStates(c, sessionId);
  }
  for (const agentId of new Set(gone.flatMap((turn) => turn.agentId ?? []))) {
    c.run(
      "UPDATE subagent_sessions SET task = NULL WHERE session_id = ? AND agent_id = ?",
      sessionId,
      agentId,
    );
    buryTask(c, { sessionId, agentId });
  }
  if (!isWhole) forgetBranch(c, sessionId);
}

/** Removes titles, tasks and addresses that say one of the plan's needles though no turn of their session did. */
export function forgetSayings(c: Connection, plan: ForgetPlan): void {
  const { needles } = plan;
  for (const sessionId of plan.sayingSessions) {
    const row = c.get<{ title: string | null; firstPrompt: string | null }>(
      "SELECT title, first_prompt AS firstPrompt FROM sessions WHERE session_id = ?",
      sessionId,
    );
    if (row === null) continue;
    const isSaid = (text: string | null) => says(text ?? "", needles);
    const loss = { losesTitle: isSaid(row.title), losesFirstPrompt: isSaid(row.firstPrompt) };
    forgetSessionParts(c, { sessionId, isWhole: false, title: row.title, ...loss }, []);
    forgetTasks(c, sessionId, needles);
    forgetLinks(c, sessionId, needles);
  }
  const subjects = c
    .all<{ subject: string }>("SELECT DISTINCT subject FROM injections WHERE subject IS NOT NULL")
    .filter(({ subject }) => says(subject, needles));
  for (const { subject } of subjects) c.run("DELETE FROM injections WHERE subject = ?", subject);
}

function forgetTasks(c: Connection, sessionId: string, needles: readonly Needle[]): void {
  const rows = c.all<{ agentId: string; task: string | null }>(
    "SELECT agent_id AS agentId, task FROM subagent_sessions WHERE session_id = ?",
    sessionId,
  );
  for (const { agentId, task } of rows) {
    if (!says(task ?? "", needles)) continue;
    c.run(
      "UPDATE subagent_sessions SET task = NULL WHERE session_id = ? AND agent_id = ?",
      sessionId,
      agentId,
    );
    buryTask(c, { sessionId, agentId });
  }
}

function forgetLinks(c: Connection, sessionId: string, needles: readonly Needle[]): void {
  const rows = c.all<{ url: string }>("SELECT pr_url AS url FROM pr_links WHERE session_id = ?", sessionId);
  for (const { url } of rows) {
    if (!says(url, needles)) continue;
    c.run("DELETE FROM pr_links WHERE session_id = ? AND pr_url = ?", sessionId, url);
    bury(c, "link", `${sessionId}\n${url}`);
  }
}

// The branch that a session was on last may have been that of a turn that is gone.
function forgetBranch(c: Connection, sessionId: string): void {
  c.run(
    `UPDATE sessions SET branch = (SELECT t.branch FROM turns t WHERE t.session_id = ?1 AND t.branch IS NOT NULL
       ORDER BY t.created_at DESC LIMIT 1)
     WHERE session_id = ?1 AND branch NOT IN
       (SELECT t.branch FROM turns t WHERE t.session_id = ?1 AND t.branch IS NOT NULL)`,
    sessionId,
  );
}

function clearReaderStates(c: Connection, sessionId: string): void {
  const rows = c.all<{ id: number; state: string }>(
    "SELECT id, reader_state AS state FROM sources WHERE instr(reader_state, ?) > 0",
    sessionId,
  );
  for (const { id, state } of rows)
    c.run(
      "UPDATE sources SET reader_state = ? WHERE id = ?",
      withoutSessions(state, (facts) => facts.sessionId === sessionId),
      id,
    );
}
