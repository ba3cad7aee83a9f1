import type { Connection } from "../connection/connection.ts";
import type { TeamCounts, TeamStore } from "../contract/team.ts";
import { apply, trim, withdrawAll } from "./apply.ts";
import { knowsPosition, noteChanges, outgoing, renew } from "./changes.ts";
import { fateOf } from "./fate.ts";
import { pulledTurns } from "./forget-shared.ts";
import { noteMembers } from "./former.ts";
import { forgetTeam, join, membershipOf, share } from "./membership.ts";
import { putInOrder } from "./order.ts";
import { IS_OPEN, ownTurnIds, ownTurns } from "./own-turn.ts";
import { readTeamTurn } from "./read-turn.ts";
import type { DeviceName, Position } from "./types.ts";
import { unshare } from "./unshare.ts";

export function teamStore(connection: Connection): TeamStore {
  const write = <Result>(work: () => Result) => connection.transaction(work);
  return {
    membership: async () => membershipOf(connection),
    join: async (team) => write(() => join(connection, team)),
    leave: async () => {
      const removed = withdrawAll(connection);
      write(() => forgetTeam(connection));
      return removed;
    },
    share: async (sharing) => write(() => share(connection, sharing)),
    fates: async (sharing, exclusions, after, limit) =>
      connection.snapshot(() =>
        ownTurns(connection, ownTurnIds(connection, after, limit), exclusions.openSince).map((turn) => ({
          turnId: turn.turnId,
          fate: fateOf(turn, sharing, exclusions),
        })),
      ),
    preview: async (turnId, sharing, exclusions) =>
      connection.snapshot(() => {
        const [own] = ownTurns(connection, [turnId], exclusions.openSince);
        return own === undefined ? null : readTeamTurn(connection, own, sharing, exclusions);
      }),
    unshare: async (turnIds) => write(() => unshare(connection, turnIds)),
    sharedOf: async (turnIds) =>
      connection.snapshot(() => {
        const pulled = pulledTurns(connection, turnIds);
        const mine = ownTurns(connection, turnIds, null).filter(({ isShared }) => isShared);
        const fromDevices = pulled.filter(({ author }) => author === null);
        return {
          own: [...mine.map(({ turnId }) => turnId), ...fromDevices.map(({ id }) => id)],
          foreign: pulled.filter(({ author }) => author !== null).map(({ id }) => id),
        };
      }),
    unshareAll: async () =>
      write(() => {
        const rows = connection.all<{ id: number }>(
          `SELECT turn_id AS id FROM team_changes WHERE kind = 'put' AND turn_id IN (SELECT id FROM turns)
           UNION SELECT id FROM turns WHERE author IS NULL AND device_id IS NOT NULL`,
        );
        return unshare(
          connection,
          rows.map(({ id }) => id),
        );
      }),
    noteChanges: async (exclusions) => write(() => noteChanges(connection, exclusions)),
    knows: async (position) => knowsPosition(connection, position),
    renew: async () => write(() => renew(connection)),
    putInOrder: async (stored) => write(() => putInOrder(connection, stored)),
    outgoing: async (after, last, exclusions) => write(() => outgoing(connection, after, last, exclusions)),
    confirm: async (number) => {
      connection.run("UPDATE team SET confirmed = ?", number);
    },
    noteMembers: async (authors) => write(() => noteMembers(connection, authors)),
    cursors: async () =>
      connection.all<DeviceName & Position>(
        "SELECT author, device_id AS deviceId, number, chain FROM team_cursors",
      ),
    restart: async (device) => write(() => restart(connection, device)),
    apply: async (device, changes, keep) => write(() => apply(connection, device, changes, keep)),
    trim: async (keep) => trim(connection, keep),
    counts: async (openSince) => connection.snapshot(() => counts(connection, openSince)),
    lastSync: async () =>
      connection.get<{ json: string | null }>("SELECT last_sync AS json FROM team")?.json ?? null,
    saveLastSync: async (json) => {
      connection.run("UPDATE team SET last_sync = ?", json);
    },
  };
}

// The server lost changes of this device. Those of the user's own are shared again from here: its device may be gone.
function restart(connection: Connection, { author, deviceId }: DeviceName): void {
  connection.run("DELETE FROM team_cursors WHERE author = ? AND device_id = ?", author, deviceId);
  if (membershipOf(connection)?.author !== author) return;
  connection.run("UPDATE turns SET device_id = NULL WHERE device_id = ? AND author IS NULL", deviceId);
}

function counts(connection: Connection, openSince: string): TeamCounts {
  const count = (sql: string, values: Record<string, string> = {}) =>
    connection.get<{ n: number }>(sql, values)?.n ?? 0;
  return {
    shared: count("SELECT count(*) AS n FROM team_changes WHERE kind = 'put'"),
    waiting:
      count(
        "SELECT count(*) AS n FROM team_changes WHERE kind <> 'void' AND number > (SELECT confirmed FROM team)",
      ) +
      count(
        `SELECT count(*) AS n FROM team_dirty d LEFT JOIN turns t ON t.id = d.turn_id WHERE ${IS_OPEN} IS NOT TRUE`,
        { openSince },
      ) +
      // Taken back, and not numbered yet.
      count(
        `SELECT count(*) AS n FROM team_changes c JOIN team_unshared u ON u.turn_key = c.turn_key
         WHERE c.kind = 'put' AND c.target IS NULL AND c.number <= (SELECT confirmed FROM team)`,
      ),
    pulled: connection
      .all<{ author: string | null; turns: number; isFormer: number | null }>(
        `SELECT author, count(*) AS turns, author IN (SELECT author FROM team_former) AS isFormer
       FROM turns WHERE device_id IS NOT NULL GROUP BY author ORDER BY author`,
      )
      .map(({ isFormer, ...row }) => ({ ...row, isFormer: isFormer === 1 })),
    hidden: count("SELECT count(*) AS n FROM team_hidden"),
  };
}
