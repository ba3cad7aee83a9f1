import type { ForgetPlan } from "../../forget.ts";
import { type TurnIdentity, turnKey } from "../../identity.ts";
import { decodeParts } from "../../turn-rows.ts";
import type { Connection } from "../connection/connection.ts";
import { isOwnSession } from "../export.ts";
import { forgetShared } from "../sync/team-changes.ts";
import { PARTS } from "../turns/columns.ts";
import { refreshAccessPatterns } from "../vectors/store.ts";
import { clearForward, clearForwards } from "./clear-forward.ts";
import { markUncompacted } from "./compact.ts";
import { forgetFields, forgetKinds } from "./fields.ts";
import {
  forgetCalls,
  forgetLooseAnswers,
  forgetMatches,
  forgetPrLinks,
  forgetPrompts,
  forgetSessionParts,
  sessionLoss,
} from "./session-parts.ts";
import { type BuriedTurn, bury, buryTurn } from "./tombstones.ts";
import { buryWordings } from "./wordings.ts";

export interface RemovedTurn extends BuriedTurn {
  turnId: number;
}

/**
 * Reason for a removal. `forget`: on purpose, for good. `prune`: to save space, only here. `withdraw`: the turns are no longer
 * shared with this memory, or their import is undone; the user's own turns stay.
 */
export type RemovalReason = "forget" | "prune" | "withdraw";

/** Side effects of a removal. */
interface Effects {
  /** True when the team must forget the turns and their quotes in earlier turns, too. */
  isForGood: boolean;
  /** Tombstones that keep the turns from coming back. */
  buries: "forgotten" | "pruned" | null;
  /** Effect on the folder through which the user's devices sync; null for none. */
  inFolder: "gone" | "kept" | null;
  /** True to remove session facts and answers about the turns, although other turns stay. */
  cutsSessions: boolean;
}

const EFFECTS: Readonly<Record<RemovalReason, Effects>> = {
  forget: { isForGood: true, buries: "forgotten", inFolder: "gone", cutsSessions: true },
  prune: { isForGood: false, buries: "pruned", inFolder: "kept", cutsSessions: false },
  withdraw: { isForGood: false, buries: null, inFolder: null, cutsSessions: true },
};

/** Approximate number of turns to remove per transaction, so that other processes can write in between. */
const TURNS_PER_TRANSACTION = 500;

/**
 * Removes the plan's turns and everything derived from them. A prune keeps the titles of sessions that keep turns, and quotes of
 * the removed turns in others. Withdrawn turns may come back.
 */
export function removeTurns(connection: Connection, plan: ForgetPlan, reason: RemovalReason): number {
  connection.exec("PRAGMA secure_delete = ON");
  const effects = EFFECTS[reason];
  let removed = 0;
  const quoting = effects.isForGood
    ? connection.transaction(() => buryWordings(connection, plan.turnIds))
    : [];
  const sessions = Map.groupBy(placesOf(connection, plan.turnIds), (place) => place.sessionId);
  for (const group of grouped([...sessions])) {
    connection.transaction(() => {
      const paths = new Set(
        group.flatMap(([, places]) =>
          pathsOf(
            connection,
            places.map(({ id }) => id),
          ),
        ),
      );
      for (const [sessionId, places] of group)
        removed += removeOfSession(
          connection,
          sessionId,
          places.map(({ id }) => id),
          plan,
          effects,
        );
      dropUnusedResources(connection, [...paths]);
      markUncompacted(connection);
    });
  }
  connection.transaction(() => {
    if (plan.sessionId !== null) {
      bury(connection, "session", plan.sessionId);
      forgetKinds(connection, plan.sessionId);
      connection.run("DELETE FROM injections WHERE session_id = ?", plan.sessionId);
      dropSession(connection, plan.sessionId);
      markUncompacted(connection);
    }
    if (effects.cutsSessions) forgetLooseAnswers(connection);
    for (const turnId of [...plan.cutTurnIds, ...quoting]) clearForward(connection, turnId);
    forgetMatches(connection, plan);
    forgetFields(connection, plan.fields);
    if (quoting.length + plan.cutTurnIds.length + plan.matchingSessions.length + plan.fields.length > 0)
      markUncompacted(connection);
  });
  refreshAccessPatterns(connection);
  return removed;
}

function placesOf(connection: Connection, turnIds: readonly number[]): { id: number; sessionId: string }[] {
  return connection.all(
    "SELECT t.id, t.session_id AS sessionId FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value",
    JSON.stringify(turnIds),
  );
}

/** Groups items into batches of whole sessions, so that the loss of each session is determined once. */
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
  connection: Connection,
  sessionId: string,
  turnIds: readonly number[],
  plan: ForgetPlan,
  { isForGood, buries, inFolder, cutsSessions }: Effects,
): number {
  const turns = turnsToBury(connection, turnIds);
  const loss = sessionLoss(connection, sessionId, turnIds, plan.needles);
  if (inFolder === "gone") forgetEverywhere(connection, turnIds);
  if (inFolder === "kept") keepInFolder(connection, turnIds);
  if (isForGood) {
    forgetShared(connection, turnIds);
    clearForwards(connection, sessionId, turns);
    forgetPrLinks(connection, sessionId, turnIds, loss.isWhole);
  }
  forgetPrompts(connection, sessionId, turnIds);
  if (buries !== null) bury(connection, "held", sessionId);
  for (const turn of turns) {
    if (buries !== null) buryTurn(connection, turn, buries === "pruned");
    connection.run("DELETE FROM turns WHERE id = ?", turn.turnId);
  }
  const isUntouched = plan.undoesImport && isOwnSession(connection, sessionId);
  if (loss.isWhole || (cutsSessions && !isUntouched))
    forgetSessionParts(connection, loss, turns, { forGood: buries !== null, mayReturn: plan.undoesImport });
  if (loss.isWhole) dropSession(connection, sessionId);
  else {
    connection.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) VALUES (?)", sessionId);
    connection.run("DELETE FROM session_access_patterns WHERE session_id = ?", sessionId);
  }
  return turns.length;
}

function turnsToBury(connection: Connection, turnIds: readonly number[]): RemovedTurn[] {
  return connection
    .all<Omit<RemovedTurn, "entryUuids" | "parts"> & { entryUuids: string; parts: string | null }>(
      `SELECT t.id AS turnId, t.session_id AS sessionId, t.agent_id AS agentId, coalesce(t.line_index, -1) AS lineIndex,
         t.prompt_uuid AS promptUuid, t.full_text AS text, ${PARTS} AS parts, (SELECT json_group_array(
           iif(typeof(e.uuid) = 'blob', lower(hex(e.uuid)), e.uuid)) FROM entries e WHERE e.turn_id = t.id) AS entryUuids
       FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value`,
      JSON.stringify(turnIds),
    )
    .map((row) => ({
      ...row,
      parts: decodeParts(row.parts),
      entryUuids: JSON.parse(row.entryUuids),
    }));
}

function pathsOf(connection: Connection, turnIds: readonly number[]): string[] {
  return connection.column<string>(
    `SELECT DISTINCT m.file_path AS path FROM json_each(?) j CROSS JOIN file_mentions m ON m.turn_id = j.value`,
    JSON.stringify(turnIds),
  );
}

/** Removes a session that has no turns left. */
function dropSession(connection: Connection, sessionId: string): void {
  forgetCalls(connection, sessionId);
  for (const table of ["turn_copies", "compactions", "stale_access_patterns", "sessions"])
    connection.run(`DELETE FROM ${table} WHERE session_id = ?`, sessionId);
}

function dropUnusedResources(connection: Connection, paths: readonly string[]): void {
  const unused = "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT file_path FROM file_mentions)";
  for (const [table, column] of [
    ["resource_embeddings", "resource"],
    ["pending_resources", "resource"],
    ["injections", "subject"],
  ])
    connection.run(`DELETE FROM ${table} WHERE ${column} IN (${unused})`, JSON.stringify(paths));
  connection.run(`UPDATE hook_calls SET subject = NULL WHERE subject IN (${unused})`, JSON.stringify(paths));
}

/**
 * Records, in the transaction that forgets turns, that all devices of the user must forget them, even before there is a second
 * device. Imported turns and those of colleagues never left through a folder.
 */
function forgetEverywhere(connection: Connection, turnIds: readonly number[]): void {
  for (const key of keysOf(connection, turnIds)) {
    connection.run("INSERT OR IGNORE INTO folder_gone (turn_key) VALUES (?)", key);
    connection.run("DELETE FROM folder_items WHERE turn_key = ?", key);
    connection.run("DELETE FROM folder_marks WHERE turn_key = ?", key);
  }
}

/** Records that turns are pruned here but stay in the folder for other devices. */
function keepInFolder(connection: Connection, turnIds: readonly number[]): void {
  connection.run(
    "UPDATE folder_items SET turn_id = NULL WHERE turn_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(turnIds),
  );
}

function keysOf(connection: Connection, turnIds: readonly number[]): string[] {
  return connection
    .all<TurnIdentity & { key: string | null }>(
      `SELECT s.client, t.session_id AS sessionId, t.agent_id AS agentId, t.prompt_uuid AS promptUuid,
         t.line_index AS lineIndex, t.created_at AS createdAt, coalesce(
           (SELECT i.turn_key FROM folder_items i WHERE i.turn_id = t.id AND i.mark = ''),
           (SELECT f.turn_key FROM folder_turns f WHERE f.turn_id = t.id), lower(hex(t.turn_key))) AS key
       FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value JOIN sessions s ON s.session_id = t.session_id
       WHERE t.author IS NULL AND t.foreign_origin IS NULL`,
      JSON.stringify(turnIds),
    )
    .map(({ key, ...identity }) => key || Buffer.from(turnKey(identity)).toString("hex"));
}
