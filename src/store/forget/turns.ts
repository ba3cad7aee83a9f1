import type { Connection } from "../connection/connection.ts";
import { fileLine } from "../turns/lines.ts";
import { refreshAccessPatterns } from "../vectors/access-patterns.ts";
import { clearForward, clearForwards } from "./clear-forward.ts";
import { markUncompacted } from "./compact.ts";
import { forgetSayings, forgetSessionParts } from "./sessions.ts";
import { sessionLoss } from "./titles.ts";
import { type BuriedTurn, bury, buryTurn } from "./tombstones.ts";
import type { ForgetPlan } from "./types.ts";

export interface RemovedTurn extends BuriedTurn {
  turnId: number;
}

/** About so many turns are removed in one transaction, so that others can write in between. */
const TURNS_PER_TRANSACTION = 500;

/** Removes the plan's turns and all that came from them; `lightly` leaves titles and what the rest says of them. */
export function removeTurns(c: Connection, plan: ForgetPlan, lightly: boolean): number {
  c.exec("PRAGMA secure_delete = ON");
  let removed = 0;
  const sessions = Map.groupBy(placesOf(c, plan.turnIds), (place) => place.sessionId);
  for (const group of grouped([...sessions])) {
    c.transaction(() => {
      const paths = new Set(
        group.flatMap(([, places]) =>
          pathsOf(
            c,
            places.map(({ id }) => id),
          ),
        ),
      );
      for (const [sessionId, places] of group)
        removed += removeOfSession(
          c,
          sessionId,
          places.map(({ id }) => id),
          plan,
          lightly,
        );
      dropUnusedResources(c, [...paths]);
      markUncompacted(c);
    });
  }
  c.transaction(() => {
    if (plan.sessionId !== null) {
      bury(c, "session", plan.sessionId);
      c.run("DELETE FROM injections WHERE session_id = ?", plan.sessionId);
      dropSession(c, plan.sessionId);
      markUncompacted(c);
    }
    for (const turnId of plan.cutTurnIds) clearForward(c, turnId, null);
    forgetSayings(c, plan);
    if (plan.cutTurnIds.length + plan.sayingSessions.length > 0) markUncompacted(c);
  });
  refreshAccessPatterns(c);
  return removed;
}

function placesOf(c: Connection, turnIds: readonly number[]): { id: number; sessionId: string }[] {
  return c.all(
    "SELECT t.id, t.session_id AS sessionId FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value",
    JSON.stringify(turnIds),
  );
}

/** Whole sessions, so that what a session loses is decided once. */
function grouped<Item extends readonly [string, readonly unknown[]]>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (size >= TURNS_PER_TRANSACTION) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(item);
    size += item[1].length;
  }
  return groups;
}

function removeOfSession(
  c: Connection,
  sessionId: string,
  turnIds: readonly number[],
  plan: ForgetPlan,
  lightly: boolean,
): number {
  const turns = turnsToBury(c, turnIds);
  const loss = sessionLoss(c, sessionId, turnIds, plan.needles);
  if (!lightly) clearForwards(c, sessionId, turns);
  for (const turn of turns) {
    buryTurn(c, turn, lightly);
    c.run("DELETE FROM turns WHERE id = ?", turn.turnId);
  }
  if (loss.isWhole || !lightly) forgetSessionParts(c, loss, turns);
  if (loss.isWhole) dropSession(c, sessionId);
  else {
    c.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)", sessionId);
    c.run("DELETE FROM session_access_patterns WHERE session_id = ?", sessionId);
  }
  return turns.length;
}

function turnsToBury(c: Connection, turnIds: readonly number[]): RemovedTurn[] {
  return c
    .all<Omit<RemovedTurn, "entryUuids"> & { entryUuids: string }>(
      `SELECT t.id AS turnId, t.session_id AS sessionId, t.agent_id AS agentId, t.line_index AS lineIndex,
         t.prompt_uuid AS promptUuid, t.full_text AS fullText, (SELECT json_group_array(
           iif(typeof(e.uuid) = 'blob', lower(hex(e.uuid)), e.uuid)) FROM entries e WHERE e.turn_id = t.id) AS entryUuids
       FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value`,
      JSON.stringify(turnIds),
    )
    .map((row) => ({ ...row, lineIndex: fileLine(row.lineIndex), entryUuids: JSON.parse(row.entryUuids) }));
}

function pathsOf(c: Connection, turnIds: readonly number[]): string[] {
  return c
    .all<{ path: string }>(
      `SELECT DISTINCT m.file_path AS path FROM json_each(?) j CROSS JOIN file_mentions m ON m.turn_id = j.value`,
      JSON.stringify(turnIds),
    )
    .map(({ path }) => path);
}

/** Drops a session of which no turn is left. */
function dropSession(c: Connection, sessionId: string): void {
  for (const table of ["turn_copies", "compactions", "stale_access_patterns", "sessions"])
    c.run(`DELETE FROM ${table} WHERE session_id = ?`, sessionId);
}

function dropUnusedResources(c: Connection, paths: readonly string[]): void {
  const unused = "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT file_path FROM file_mentions)";
  for (const [table, column] of [
    ["resource_embeddings", "resource"],
    ["pending_resources", "resource"],
    ["injections", "subject"],
  ])
    c.run(`DELETE FROM ${table} WHERE ${column} IN (${unused})`, JSON.stringify(paths));
}
