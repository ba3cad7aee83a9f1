import { chainHash, hashTurn, removalDigest, sameBytes } from "../../identity.ts";
import {
  type Exclusions,
  type Membership,
  type OutgoingChange,
  type Position,
  type Sharing,
  START,
  type TeamChange,
  type TeamTurn,
} from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { ownTurns } from "./own-turns.ts";
import { changedTurns, leavingTurn, markExamined } from "./read-turn.ts";
import { isWithTeam, type OwnTurn } from "./rules.ts";

/** Changes to read at once: about 20 ms, so that answers of a server do not wait for long. */
const CHANGES_PER_STEP = 25;

/** A row of `team_changes`. */
export interface ChangeRow extends TeamChange {
  turnId: number | null;
}

const CHANGE =
  "SELECT number, kind, target, turn_key AS turnKey, turn_id AS turnId, digest, chain FROM team_changes";

/** Numbers a limited number of changes; open turns wait. Returns false when nothing was left. */
export function noteChanges(connection: Connection, exclusions: Exclusions): boolean {
  noteRemovals(connection);
  const sharing = readMembership(connection)?.sharing ?? null;
  if (sharing === null) return false;
  const changed = changedTurns(connection, "team", exclusions.openSince);
  if (changed.length === 0) return false;
  for (const own of ownTurns(connection, changed, exclusions.openSince)) {
    const turn = leavingTurn(connection, own, { circle: "team", sharing, exclusions });
    if (turn === null) continue;
    const digest = hashTurn(turn);
    const live = liveChange(connection, own.key, null);
    if (live?.kind === "put" && sameBytes(live.digest, digest)) {
      connection.run("UPDATE team_changes SET turn_id = ? WHERE number = ?", own.turnId, live.number);
      continue;
    }
    append(connection, { kind: "put", target: null, turnKey: own.key, turnId: own.turnId, digest });
  }
  markExamined(connection, "team", changed);
  return true;
}

// The table `team_unshared` lists unshared turns, added by a command or by the transaction that removed the turn.
function noteRemovals(connection: Connection): void {
  const rows = connection.all<{ turnKey: Uint8Array; turnId: number | null }>(
    `SELECT c.turn_key AS turnKey, max(c.turn_id) AS turnId FROM team_unshared u JOIN team_changes c ON c.turn_key = u.turn_key
     WHERE c.target IS NULL GROUP BY c.turn_key HAVING sum(c.kind = 'remove') = 0 ORDER BY max(c.number)`,
  );
  for (const { turnKey, turnId } of rows) appendRemoval(connection, null, turnKey, turnId);
}

/** Numbers the removal of a turn. `target` names a colleague whose turn it is. */
export function appendRemoval(
  connection: Connection,
  target: string | null,
  turnKey: Uint8Array,
  turnId: number | null,
): void {
  if (liveChange(connection, turnKey, target)?.kind === "remove") return;
  append(connection, { kind: "remove", target, turnKey, turnId, digest: removalDigest(target, turnKey) });
}

function append(connection: Connection, change: Omit<ChangeRow, "number" | "chain">): void {
  connection.run(
    "UPDATE team_changes SET kind = 'void' WHERE turn_key = ? AND coalesce(target, '') = ? AND kind <> 'void'",
    change.turnKey,
    change.target ?? "",
  );
  insertAfter(connection, lastPosition(connection), change);
}

/** Stores a change with the next number after a position. Returns the change's own position. */
export function insertAfter(
  connection: Connection,
  { number, chain }: Position,
  { kind, target, turnKey, turnId, digest }: Omit<ChangeRow, "number" | "chain">,
): Position {
  const next = { number: number + 1, chain: chainHash(chain, digest) };
  connection.run(
    `INSERT INTO team_changes (number, kind, target, turn_key, turn_id, digest, chain)
     VALUES ($number, $kind, $target, $turnKey, $turnId, $digest, $chain)`,
    { kind, target, turnKey, turnId, digest, ...next },
  );
  return next;
}

function liveChange(connection: Connection, key: Uint8Array, target: string | null): ChangeRow | null {
  return connection.get<ChangeRow>(
    `${CHANGE} WHERE turn_key = ? AND coalesce(target, '') = ? AND kind <> 'void'`,
    key,
    target ?? "",
  );
}

export function lastPosition(connection: Connection): Position {
  return (
    connection.get<Position>("SELECT number, chain FROM team_changes ORDER BY number DESC LIMIT 1") ?? START
  );
}

/** Tells whether this memory made the changes up to a position. */
export function knowsPosition(connection: Connection, { number, chain }: Position): boolean {
  if (number === 0) return true;
  const row = connection.get<Position>("SELECT number, chain FROM team_changes WHERE number = ?", number);
  return row !== null && sameBytes(row.chain, chain);
}

/** Gives the memory a new device id, and numbers everything shared and unshared again. */
export function renewDevice(connection: Connection): void {
  const live = connection.all<ChangeRow>(`${CHANGE} WHERE kind <> 'void' ORDER BY number`);
  connection.run("DELETE FROM team_changes");
  connection.run("UPDATE team SET device_id = ?, confirmed = 0", crypto.randomUUID());
  for (const change of live) append(connection, change);
}

/** Returns the next few changes after a number, up to the number `last`, with their shared turns. */
export function outgoing(
  connection: Connection,
  after: number,
  last: number,
  exclusions: Exclusions,
): OutgoingChange[] {
  const sharing = lastSharing(connection);
  const rows = connection.all<ChangeRow>(
    `${CHANGE} WHERE number > ? AND number <= ? ORDER BY number LIMIT ?`,
    after,
    last,
    CHANGES_PER_STEP,
  );
  return rows.map(({ turnId, ...row }) => {
    const turn =
      row.kind === "put" && turnId !== null
        ? present(connection, turnId, row.digest, sharing, exclusions)
        : null;
    // A turn that changed or was removed since it was numbered is sent with a later number, or not at all.
    return { ...row, kind: row.kind === "put" && turn === null ? "void" : row.kind, turn };
  });
}

function present(
  connection: Connection,
  turnId: number,
  digest: Uint8Array,
  sharing: Sharing,
  exclusions: Exclusions,
): TeamTurn | null {
  const [own] = ownTurns(connection, [turnId], exclusions.openSince);
  const turn =
    own === undefined ? null : leavingTurn(connection, own, { circle: "team", sharing, exclusions });
  if (turn === null) return null;
  if (sameBytes(hashTurn(turn), digest)) return turn;
  connection.run("INSERT OR IGNORE INTO team_dirty (turn_id) VALUES (?)", turnId);
  return null;
}

/** Shares all the user's turns, including those of subagents. */
const EVERYTHING: Sharing = { since: null, branches: [], onlyMarked: false, subagents: true };

export function readMembership(connection: Connection): Membership | null {
  const row = connection.get<Omit<Membership, "sharing"> & { sharing: string | null }>(
    "SELECT project, author, device_id AS deviceId, sharing FROM team",
  );
  return row && { ...row, sharing: row.sharing === null ? null : JSON.parse(row.sharing) };
}

/** Returns the current rules of sharing, or the last ones. */
function lastSharing(connection: Connection): Sharing {
  const row = connection.get<{ sharing: string | null }>("SELECT last_sharing AS sharing FROM team");
  return row?.sharing == null ? EVERYTHING : JSON.parse(row.sharing);
}

/** Makes the memory a member's. Joining another project, or as another author, starts afresh. */
export function join(connection: Connection, { project, author }: { project: string; author: string }): void {
  const known = readMembership(connection);
  if (known?.project === project && known.author === author) return;
  if (known !== null) forgetTeam(connection);
  connection.run(
    "INSERT INTO team (id, project, author, device_id) VALUES (1, ?, ?, ?)",
    project,
    author,
    crypto.randomUUID(),
  );
}

/** Sets the rules of sharing from now on. Every turn is examined again. */
export function setSharing(connection: Connection, sharing: Sharing | null): void {
  const json = sharing === null ? null : JSON.stringify(sharing);
  connection.run("UPDATE team SET sharing = ?1, last_sharing = coalesce(?1, last_sharing)", json);
  if (sharing === null) {
    // Turns that were not sent yet stay here.
    connection.run(
      "UPDATE team_changes SET kind = 'void' WHERE kind = 'put' AND number > (SELECT confirmed FROM team)",
    );
    connection.run("DELETE FROM team_dirty");
    return;
  }
  connection.run(
    "INSERT OR IGNORE INTO team_dirty (turn_id) SELECT id FROM turns WHERE author IS NULL AND device_id IS NULL",
  );
}

/** Removes the memory's knowledge of its team, except which turns were unshared or hidden. */
export function forgetTeam(connection: Connection): void {
  for (const table of ["team", "team_changes", "team_dirty", "team_cursors", "team_former"])
    connection.run(`DELETE FROM ${table}`);
  // Another team has none of them.
  connection.run("UPDATE turns SET turn_key = NULL WHERE coalesce(author, '') = '' AND turn_key IS NOT NULL");
}

/** A pulled turn; `author` is null for the user's own from another device. */
interface Pulled {
  id: number;
  author: string | null;
  turnKey: Uint8Array;
}

/**
 * Records, in the transaction that forgets turns, what the team must forget: the user's own turns there, colleagues' turns here.
 */
export function forgetShared(connection: Connection, turnIds: readonly number[]): void {
  if (connection.get("SELECT 1 FROM team") === null) return;
  for (const turn of ownTurns(connection, turnIds, null).filter(isWithTeam)) noteUnshared(connection, turn);
  for (const turn of pulledTurns(connection, turnIds)) {
    hide(connection, turn);
    if (turn.author === null) appendRemoval(connection, null, turn.turnKey, null);
  }
}

/** Keeps one of the user's turns from being shared again, and removes it from the team if another device shared it. */
export function noteUnshared(
  connection: Connection,
  { key, isShared, wasShared }: Pick<OwnTurn, "key" | "isShared" | "wasShared">,
): void {
  connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", key);
  if (wasShared && !isShared) appendRemoval(connection, null, key, null);
}

/** Keeps a turn from being pulled again, because it is unwanted here or gone everywhere. */
export function hide(connection: Connection, { author, turnKey }: Omit<Pulled, "id">, isGone = false): void {
  connection.run(
    "INSERT OR IGNORE INTO team_hidden (author, turn_key, is_gone) VALUES (?, ?, ?)",
    author ?? "",
    turnKey,
    isGone,
  );
  if (author === null) connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", turnKey);
}

export function pulledTurns(connection: Connection, turnIds: readonly number[]): Pulled[] {
  return connection.all<Pulled>(
    `SELECT t.id, t.author, t.turn_key AS turnKey FROM json_each(?) j CROSS JOIN turns t ON t.id = j.value
     WHERE t.device_id IS NOT NULL`,
    JSON.stringify(turnIds),
  );
}
