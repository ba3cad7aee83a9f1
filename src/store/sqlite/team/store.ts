import type { TeamStore } from "../../contract/team.ts";
import type { DeviceName, Position } from "../../contract/types/team.ts";
import type { Connection } from "../connection/connection.ts";
import { withJournalInMemory } from "../connection/journal.ts";
import { apply, trim, withdrawAll } from "./apply.ts";
import { knowsPosition, noteChanges, outgoing, renew } from "./changes.ts";
import { countTeam } from "./counts.ts";
import { fateOf } from "./fate.ts";
import { pulledTurns } from "./forget-shared.ts";
import { noteMembers } from "./former.ts";
import { forgetTeam, join, membershipOf, share } from "./membership.ts";
import { putInOrder } from "./order.ts";
import { isWithTeam, ownTurnIds, ownTurns } from "./own-turn.ts";
import { readTeamTurn } from "./read-turn.ts";
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
    ...sharedTurns(connection),
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
    apply: async (device, changes, keep) =>
      withJournalInMemory(connection, () => write(() => apply(connection, device, changes, keep))),
    trim: async (keep) => trim(connection, keep),
    counts: async (openSince) => connection.snapshot(() => countTeam(connection, openSince)),
    lastSync: async () =>
      connection.get<{ json: string | null }>("SELECT last_sync AS json FROM team")?.json ?? null,
    saveLastSync: async (json) => {
      connection.run("UPDATE team SET last_sync = ?", json);
    },
  };
}

/** Which of one's own turns are shared, or would be, and how they are unshared. */
function sharedTurns(connection: Connection) {
  const write = <Result>(work: () => Result) => connection.transaction(work);
  return {
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
        const turn = own === undefined ? null : readTeamTurn(connection, own, sharing, exclusions);
        return own === undefined || turn === null ? null : { turn, isShared: isWithTeam(own) };
      }),
    unshare: async (turnIds) => write(() => unshare(connection, turnIds)),
    sharedOf: async (turnIds) =>
      connection.snapshot(() => {
        const pulled = pulledTurns(connection, turnIds);
        const mine = ownTurns(connection, turnIds, null).filter(isWithTeam);
        const fromDevices = pulled.filter(({ author }) => author === null);
        return {
          own: [...mine.map(({ turnId }) => turnId), ...fromDevices.map(({ id }) => id)],
          colleagues: pulled.filter(({ author }) => author !== null).map(({ id }) => id),
        };
      }),
    unshareAll: async () =>
      write(() => {
        const rows = connection.column<number>(
          `SELECT turn_id AS id FROM team_changes WHERE kind = 'put' AND turn_id IN (SELECT id FROM turns)
           UNION SELECT id FROM turns WHERE author IS NULL AND device_id IS NOT NULL
           UNION SELECT id FROM turns WHERE coalesce(author, '') = '' AND turn_key IS NOT NULL`,
        );
        return unshare(connection, rows);
      }),
  } satisfies Partial<TeamStore>;
}

// The server lost changes of this device. Those of the user's own are shared again from here: its device may be gone.
function restart(connection: Connection, { author, deviceId }: DeviceName): void {
  connection.run("DELETE FROM team_cursors WHERE author = ? AND device_id = ?", author, deviceId);
  if (membershipOf(connection)?.author !== author) return;
  connection.run("UPDATE turns SET device_id = NULL WHERE device_id = ? AND author IS NULL", deviceId);
}
