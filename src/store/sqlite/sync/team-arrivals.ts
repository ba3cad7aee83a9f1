import type { AppliedChanges, DeviceName, IncomingChange, Retention, TeamTurn } from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { NO_PLAN } from "../forget/plan.ts";
import { removeTurns } from "../forget/remove.ts";
import { writeKeywords } from "../write/chunks.ts";
import { ownTurns } from "./own-turns.ts";
import { isWithTeam, type Verdict } from "./rules.ts";
import { appendRemoval, hide, noteUnshared, pulledTurns, readMembership } from "./team-changes.ts";
import { type ArrivalState, acceptTurn, arrivingTogether, type Ownership } from "./write-turn.ts";

/** Stores a device's changes and the position of the pull. The caller runs it in a transaction. */
export function applyChanges(
  connection: Connection,
  device: DeviceName,
  changes: readonly IncomingChange[],
  keep: Retention,
): AppliedChanges {
  const self = readMembership(connection)?.author ?? "";
  const together = arrivingTogether(connection);
  const applied = { added: 0, updated: 0, removed: 0 };
  const gone: number[] = [];
  for (const change of changes) {
    const ownership = {
      author: change.target === self ? null : change.target,
      deviceId: device.deviceId,
      turnKey: change.turnKey,
    };
    if (change.kind === "remove") gone.push(...buried(connection, ownership));
    if (change.kind !== "put" || change.target !== device.author || change.turn === null) continue;
    const stored = take(connection, change.turn, ownership, { keep, together });
    if (stored !== null) applied[stored]++;
  }
  writeKeywords(connection, together.keywords);
  applied.removed = withdraw(connection, gone);
  const last = changes.at(-1);
  if (last !== undefined)
    connection.run(
      `INSERT INTO team_cursors (author, device_id, number, chain) VALUES ($author, $deviceId, $number, $chain)
       ON CONFLICT (author, device_id) DO UPDATE SET number = excluded.number, chain = excluded.chain`,
      { author: device.author, deviceId: device.deviceId, number: last.number, chain: last.chain },
    );
  return applied;
}

/** Stores a received turn, or reconciles it with the local one. Returns its kind if it was stored. */
function take(
  connection: Connection,
  turn: TeamTurn,
  ownership: Ownership,
  { keep: { from, until }, together }: { keep: Retention; together: ArrivalState },
): "added" | "updated" | null {
  const taken = acceptTurn(connection, { ...ownership, turn, record: null, from, until }, together);
  if (taken === null) return null;
  const { verdict, copy } = taken;
  if (verdict === "gone") appendRemoval(connection, null, ownership.turnKey, null);
  if (ownership.author === null && copy?.deviceId === null) settle(connection, copy.id, verdict, ownership);
  return verdict === "new" ? "added" : verdict === "there" ? "updated" : null;
}

/** Reconciles one of the user's turns that another device has sent, too. */
function settle(
  connection: Connection,
  id: number,
  verdict: Verdict,
  { deviceId, turnKey }: Ownership,
): void {
  if (verdict === "gone" || verdict === "unwanted") return;
  // The team has this turn of the user, whichever version wins, so it can be unshared from here.
  connection.run("UPDATE OR IGNORE turns SET turn_key = ? WHERE id = ? AND turn_key IS NULL", turnKey, id);
  if (verdict === "either") return;
  const { changes } = connection.run(
    "UPDATE team_changes SET kind = 'void' WHERE turn_key = ? AND kind = 'put' AND target IS NULL",
    turnKey,
  );
  if (verdict === "there")
    connection.run(
      "UPDATE turns SET device_id = $deviceId, turn_key = $turnKey, source_id = NULL, line_index = NULL WHERE id = $id",
      { id, deviceId, turnKey },
    );
  // The local version is sent again and replaces the other.
  else if (changes > 0) connection.run("INSERT OR IGNORE INTO team_dirty (turn_id) VALUES (?)", id);
}

/** Removes colleagues' turns beyond the limits. Returns their number. */
export function trimTeamTurns(connection: Connection, { from, maxTurns }: Retention): number {
  const rows = connection.column<number>(
    `SELECT id FROM turns WHERE author IS NOT NULL AND created_at < $from
     UNION SELECT id FROM (SELECT id FROM turns WHERE author IS NOT NULL ORDER BY created_at DESC, id DESC
       LIMIT -1 OFFSET $maxTurns)`,
    { from: from ?? "", maxTurns },
  );
  return withdraw(connection, rows);
}

/** Removes all pulled turns. Returns their number. */
export function withdrawAll(connection: Connection): number {
  const rows = connection.column<number>("SELECT id FROM turns WHERE device_id IS NOT NULL");
  return withdraw(connection, rows);
}

/** Records a turn as gone for good. Returns the pulled turn to remove; the user's own turn stays, and is not shared again. */
function buried(connection: Connection, { author, turnKey }: Ownership): number[] {
  hide(connection, { author, turnKey }, true);
  return connection.column<number>(
    "SELECT id FROM turns WHERE coalesce(author, '') = ? AND turn_key = ? AND device_id IS NOT NULL",
    author ?? "",
    turnKey,
  );
}

/**
 * Removes turns from the team: the user's own stay here, pulled ones are removed here, too. Returns how many were shared. The
 * server lets only an admin remove turns of colleagues.
 */
export function unshareTurns(connection: Connection, turnIds: readonly number[]): number {
  const own = ownTurns(connection, turnIds, null);
  for (const turn of own) {
    noteUnshared(connection, turn);
    markSessionDirty(connection, turn.sessionId);
  }
  const pulled = pulledTurns(connection, turnIds);
  for (const turn of pulled) {
    hide(connection, turn);
    appendRemoval(connection, turn.author, turn.turnKey, null);
  }
  withdraw(
    connection,
    pulled.map(({ id }) => id),
  );
  return own.filter(isWithTeam).length + pulled.length;
}

/** Removes pulled turns with their bytes, except the user's own that a folder also brought. Returns their number. */
function withdraw(connection: Connection, turnIds: readonly number[]): number {
  if (turnIds.length === 0) return 0;
  const json = JSON.stringify(turnIds);
  const both = connection.column<number>(
    "SELECT turn_id AS id FROM folder_turns WHERE turn_id IN (SELECT value FROM json_each(?))",
    json,
  );
  if (both.length === 0) return removeTurns(connection, { ...NO_PLAN, turnIds }, "withdraw");
  connection.run(
    "UPDATE turns SET device_id = NULL, turn_key = NULL WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(both),
  );
  const others = turnIds.filter((id) => !both.includes(id));
  return both.length + removeTurns(connection, { ...NO_PLAN, turnIds: others }, "withdraw");
}

// Other turns of the session may quote this prompt, and the first may carry a title that reveals it.
function markSessionDirty(connection: Connection, sessionId: string): void {
  connection.run(
    `INSERT OR IGNORE INTO team_dirty (turn_id) SELECT id FROM turns WHERE session_id = ? AND author IS NULL
       AND device_id IS NULL`,
    sessionId,
  );
}
