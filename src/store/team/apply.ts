import type { Connection } from "../connection/connection.ts";
import type { Applied } from "../contract/team.ts";
import { NO_PLAN } from "../forget/plan.ts";
import { removeTurns } from "../forget/remove.ts";
import { isMadeHere, pulledTurn, writeForeignTurn } from "./foreign-turn.ts";
import { membershipOf } from "./membership.ts";
import type { DeviceName, IncomingChange, Keep } from "./types.ts";

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
  for (const { kind, target, turnKey, turn } of changes) {
    const author = target === self ? null : target;
    if (kind === "remove") {
      const id = buried(connection, author, turnKey);
      if (id !== null) gone.push(id);
      continue;
    }
    if (kind === "void" || turn === null || target !== device.author) continue;
    if (keep.from !== null && author !== null && (turn.createdAt ?? "") < keep.from) continue;
    if (isHidden(connection, author, turnKey) || isMadeHere(connection, turn, turnKey)) continue;
    const isNew = writeForeignTurn(
      connection,
      turn,
      { author, deviceId: device.deviceId, turnKey },
      models,
    );
    applied[isNew ? "added" : "updated"]++;
  }
  applied.removed = withdraw(connection, gone);
  const last = changes.at(-1);
  if (last !== undefined)
    connection.run(
      `INSERT INTO team_cursors (author, device_id, number, chain) VALUES ($author, $deviceId, $number, $chain)
       ON CONFLICT (author, device_id) DO UPDATE SET number = excluded.number, chain = excluded.chain`,
      { ...device, number: last.number, chain: last.chain },
    );
  return applied;
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

function withdraw(connection: Connection, turnIds: readonly number[]): number {
  return turnIds.length === 0 ? 0 : removeTurns(connection, { ...NO_PLAN, turnIds }, "withdraw");
}

/** Notes that a turn is gone for good. Returns the pulled turn; one's own stays, and is not shared again. */
function buried(connection: Connection, author: string | null, turnKey: Uint8Array): number | null {
  connection.run(
    "INSERT OR IGNORE INTO team_hidden (author, turn_key) VALUES (?, ?)",
    author ?? "",
    turnKey,
  );
  if (author === null) connection.run("INSERT OR IGNORE INTO team_unshared (turn_key) VALUES (?)", turnKey);
  return pulledTurn(connection, author, turnKey)?.id ?? null;
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
