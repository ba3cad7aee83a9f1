import type { Applied } from "../../contract/team.ts";
import type { DeviceName, IncomingChange, Keep, TeamTurn } from "../../contract/types/team.ts";
import type { Connection } from "../connection/connection.ts";
import { isForgotten } from "../forget/tombstones.ts";
import { arriving } from "./arriving.ts";
import { appendRemoval } from "./changes.ts";
import { type Ownership, pulledTurn, turnMadeHere, writeForeignTurn, yields } from "./foreign-turn.ts";
import { hide } from "./forget-shared.ts";
import { membershipOf } from "./membership.ts";
import { withdraw } from "./unshare.ts";

/** Stores changes of a device and how far it was pulled. The caller runs it in a transaction. */
export function apply(
  connection: Connection,
  device: DeviceName,
  changes: readonly IncomingChange[],
  keep: Keep,
): Applied {
  const self = membershipOf(connection)?.author ?? "";
  const models = modelsOf(connection);
  const applied = { added: 0, updated: 0, removed: 0 };
  const gone: number[] = [];
  for (const change of changes) {
    const ownership = {
      author: change.target === self ? null : change.target,
      deviceId: device.deviceId,
      turnKey: change.turnKey,
    };
    if (change.kind === "remove") {
      gone.push(...buried(connection, ownership));
      continue;
    }
    const turn = change.turn && arriving(change.turn, keep.until);
    if (turn !== null && isWelcome(connection, device, { ...change, turn }, ownership, keep))
      applied[writeForeignTurn(connection, turn, ownership, models) ? "added" : "updated"]++;
  }
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

/** Whether a turn is to be stored: not one that is hidden, too old, or here from a transcript. */
function isWelcome(
  connection: Connection,
  device: DeviceName,
  { kind, target, turn }: IncomingChange,
  ownership: Ownership,
  keep: Keep,
): boolean {
  const { author, turnKey } = ownership;
  if (kind !== "put" || turn === null || target !== device.author) return false;
  if (keep.from !== null && author !== null && (turn.createdAt ?? "") < keep.from) return false;
  if (author === null && wasTakenBack(connection, turn, turnKey)) return false;
  if (isHidden(connection, author, turnKey)) return false;
  const here = turnMadeHere(connection, turn, turnKey);
  return here === null || (author === null && yields(connection, here, turn, ownership));
}

/** Removes colleagues' turns beyond the limits. Returns their number. */
export function trim(connection: Connection, { from, maxTurns }: Keep): number {
  const rows = connection.all<{ id: number }>(
    `SELECT id FROM turns WHERE author IS NOT NULL AND created_at < $from
     UNION SELECT id FROM (SELECT id FROM turns WHERE author IS NOT NULL ORDER BY created_at DESC, id DESC
       LIMIT -1 OFFSET $maxTurns)`,
    { from: from ?? "", maxTurns },
  );
  return withdraw(
    connection,
    rows.map(({ id }) => id),
  );
}

/** Removes all that was pulled. Returns the number of turns. */
export function withdrawAll(connection: Connection): number {
  const rows = connection.all<{ id: number }>("SELECT id FROM turns WHERE device_id IS NOT NULL");
  return withdraw(
    connection,
    rows.map(({ id }) => id),
  );
}

/** Notes that a turn is gone for good. Returns the pulled turn; one's own stays, and is not shared again. */
function buried(connection: Connection, { author, turnKey }: Ownership): number[] {
  hide(connection, { author, turnKey }, true);
  const found = pulledTurn(connection, author, turnKey);
  return found === null ? [] : [found.id];
}

// Before it left the team, or since then, this memory may have taken the turn back or forgotten it: the team is told now.
function wasTakenBack(connection: Connection, turn: TeamTurn, turnKey: Uint8Array): boolean {
  const { sessionId } = turn.session;
  const isGone =
    connection.get("SELECT 1 FROM team_unshared WHERE turn_key = ?", turnKey) !== null ||
    isForgotten(connection, { ...turn, sessionId, lineIndex: -1, entryUuids: [] });
  if (isGone) appendRemoval(connection, null, turnKey, null);
  return isGone;
}

function isHidden(connection: Connection, author: string | null, turnKey: Uint8Array): boolean {
  const sql = "SELECT 1 FROM team_hidden WHERE author = ? AND turn_key = ?";
  return connection.get(sql, author ?? "", turnKey) !== null;
}

function modelsOf(connection: Connection): Map<string, { id: number; dimensions: number }> {
  const rows = connection.all<{ name: string; id: number; dimensions: number }>(
    "SELECT name, id, dimensions FROM models",
  );
  return new Map(rows.map(({ name, ...model }) => [name, model]));
}
