import type { Applied, DeviceName, IncomingChange, Keep, TeamTurn } from "../../team.ts";
import type { Connection } from "../connection/connection.ts";
import { NO_PLAN } from "../forget/plan.ts";
import { removeTurns } from "../forget/remove.ts";
import { type BuriedTurn, isBuried, isForgotten } from "../forget/tombstones.ts";
import { KeywordQueue, writeKeywords } from "../write/keywords.ts";
import { type Counting, counting, type OwnCopy, settle, turnMadeHere } from "./arrival.ts";
import { hide, noteUnshared, pulledTurns } from "./forget-shared.ts";
import { isWithTeam, ownTurns } from "./own-turns.ts";
import { arriving } from "./rules.ts";
import { appendRemoval, membershipOf } from "./team-changes.ts";
import { type Arriving, type Ownership, pulledTurn, writePulledTurn } from "./write-turn.ts";

/** Stores changes of a device and how far it was pulled. The caller runs it in a transaction. */
export function apply(
  connection: Connection,
  device: DeviceName,
  changes: readonly IncomingChange[],
  keep: Keep,
): Applied {
  const self = membershipOf(connection)?.author ?? "";
  const together = { models: modelsOf(connection), keywords: new KeywordQueue() };
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

/** Stores a turn that arrives, or settles it with what is here. Returns what it was if it was stored. */
function take(
  connection: Connection,
  given: TeamTurn,
  ownership: Ownership,
  { keep, together }: { keep: Keep; together: Arriving },
): "added" | "updated" | null {
  const turn = arriving(given, keep.until);
  if (turn === null) return null;
  const arrival = arrivalOf(connection, turn, ownership, keep);
  if (arrival === "gone") appendRemoval(connection, null, ownership.turnKey, null);
  if (arrival === "gone" || arrival === "unwanted") return null;
  if (arrival !== "wanted") {
    settle(connection, arrival.here, arrival.counts, ownership);
    if (arrival.counts !== "there") return null;
  }
  return writePulledTurn(connection, turn, ownership, together) ? "added" : "updated";
}

/**
 * What a turn is that arrives: `wanted`; not to be stored here (`unwanted`); unshared or forgotten here, which the team is told
 * (`gone`); or one's own, of which there is a copy from a transcript.
 */
type Arrival = "wanted" | "unwanted" | "gone" | { here: OwnCopy; counts: Counting };

function arrivalOf(
  connection: Connection,
  turn: TeamTurn,
  { author, turnKey }: Ownership,
  keep: Keep,
): Arrival {
  if (keep.from !== null && author !== null && (turn.createdAt ?? "") < keep.from) return "unwanted";
  if (author === null && isUnsharedOrForgotten(connection, turn, turnKey)) return "gone";
  // One that says the same as a forgotten one is not stored here, and stays with the team: it may be another.
  if (author === null && isForgotten(connection, buriedOf(turn))) return "unwanted";
  if (isHidden(connection, author, turnKey)) return "unwanted";
  const here = turnMadeHere(connection, turn, turnKey);
  if (here === null) return "wanted";
  return author === null ? { here, counts: counting(here, turn) } : "unwanted";
}

/** Removes colleagues' turns beyond the limits. Returns their number. */
export function trim(connection: Connection, { from, maxTurns }: Keep): number {
  const rows = connection.column<number>(
    `SELECT id FROM turns WHERE author IS NOT NULL AND created_at < $from
     UNION SELECT id FROM (SELECT id FROM turns WHERE author IS NOT NULL ORDER BY created_at DESC, id DESC
       LIMIT -1 OFFSET $maxTurns)`,
    { from: from ?? "", maxTurns },
  );
  return withdraw(connection, rows);
}

/** Removes all that was pulled. Returns the number of turns. */
export function withdrawAll(connection: Connection): number {
  const rows = connection.column<number>("SELECT id FROM turns WHERE device_id IS NOT NULL");
  return withdraw(connection, rows);
}

/** Notes that a turn is gone for good. Returns the pulled turn; one's own stays, and is not shared again. */
function buried(connection: Connection, { author, turnKey }: Ownership): number[] {
  hide(connection, { author, turnKey }, true);
  const found = pulledTurn(connection, author, turnKey);
  return found === null ? [] : [found.id];
}

/** Whether this memory unshared or forgot the turn, before it left the team or since. */
function isUnsharedOrForgotten(connection: Connection, turn: TeamTurn, turnKey: Uint8Array): boolean {
  return (
    connection.get("SELECT 1 FROM team_unshared WHERE turn_key = ?", turnKey) !== null ||
    isBuried(connection, buriedOf(turn))
  );
}

function buriedOf(turn: TeamTurn): BuriedTurn {
  return { ...turn, sessionId: turn.session.sessionId, lineIndex: -1, entryUuids: [] };
}

function isHidden(connection: Connection, author: string | null, turnKey: Uint8Array): boolean {
  const sql = "SELECT 1 FROM team_hidden WHERE author = ? AND turn_key = ?";
  return connection.get(sql, author ?? "", turnKey) !== null;
}

export function modelsOf(connection: Connection): Arriving["models"] {
  const rows = connection.all<{ name: string; id: number; dimensions: number }>(
    "SELECT name, id, dimensions FROM models",
  );
  return new Map(rows.map(({ name, ...model }) => [name, model]));
}

/**
 * Removes turns from the team: one's own stay here, pulled ones are removed here too. Returns how many were shared. The
 * server lets only an admin remove turns of colleagues.
 */
export function unshare(connection: Connection, turnIds: readonly number[]): number {
  const own = ownTurns(connection, turnIds, null);
  for (const turn of own) {
    noteUnshared(connection, turn);
    lookAgain(connection, turn.sessionId);
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

/** Removes pulled turns with their bytes; one's own that a folder brought, too, stay. Returns their number. */
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

// Other turns of the session may quote this prompt, and the first may carry a title that tells of it.
function lookAgain(connection: Connection, sessionId: string): void {
  connection.run(
    `INSERT OR IGNORE INTO team_dirty (turn_id) SELECT id FROM turns WHERE session_id = ? AND author IS NULL
       AND device_id IS NULL`,
    sessionId,
  );
}
