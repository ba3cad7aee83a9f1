import type { DeviceName, Position, TeamCounts, TeamStore } from "../../team.ts";
import { type Connection, withJournalInMemory } from "../connection/connection.ts";
import { IS_OPEN, ownTurnIds, ownTurns } from "./own-turns.ts";
import { readTurn } from "./read-turn.ts";
import { decideSharing, isWithTeam } from "./rules.ts";
import { applyChanges, trimTeamTurns, unshareTurns, withdrawAll } from "./team-arrivals.ts";
import {
  type ChangeRow,
  forgetTeam,
  insertAfter,
  join,
  knowsPosition,
  lastPosition,
  noteChanges,
  outgoing,
  pulledTurns,
  readMembership,
  renewDevice,
  setSharing,
} from "./team-changes.ts";

export function teamStore(connection: Connection): TeamStore {
  const write = <Result>(work: () => Result) => connection.transaction(work);
  return {
    membership: async () => readMembership(connection),
    join: async (team) => write(() => join(connection, team)),
    leave: async () => {
      const removed = withdrawAll(connection);
      write(() => forgetTeam(connection));
      return removed;
    },
    share: async (sharing) => write(() => setSharing(connection, sharing)),
    ...sharedTurns(connection),
    noteChanges: async (exclusions) => write(() => noteChanges(connection, exclusions)),
    knows: async (position) => knowsPosition(connection, position),
    renew: async () => write(() => renewDevice(connection)),
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
      withJournalInMemory(connection, () => write(() => applyChanges(connection, device, changes, keep))),
    trim: async (keep) => trimTeamTurns(connection, keep),
    counts: async (openSince) => connection.snapshot(() => countTeam(connection, openSince)),
    lastSync: async () =>
      connection.get<{ json: string | null }>("SELECT last_sync AS json FROM team")?.json ?? null,
    saveLastSync: async (json) => {
      connection.run("UPDATE team SET last_sync = ?", json);
    },
  };
}

/** Queries about the user's shared turns, and operations that unshare them. */
function sharedTurns(connection: Connection) {
  const write = <Result>(work: () => Result) => connection.transaction(work);
  return {
    fates: async (sharing, exclusions, after, limit) =>
      connection.snapshot(() =>
        ownTurns(connection, ownTurnIds(connection, after, limit), exclusions.openSince).map((turn) => ({
          turnId: turn.turnId,
          fate: decideSharing(turn, sharing, exclusions),
        })),
      ),
    preview: async (turnId, sharing, exclusions) =>
      connection.snapshot(() => {
        const [own] = ownTurns(connection, [turnId], exclusions.openSince);
        const turn =
          own === undefined ? null : readTurn(connection, own, { circle: "team", sharing, exclusions });
        return own === undefined || turn === null ? null : { turn, isShared: isWithTeam(own) };
      }),
    unshare: async (turnIds) => write(() => unshareTurns(connection, turnIds)),
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
        return unshareTurns(connection, rows);
      }),
  } satisfies Partial<TeamStore>;
}

// The server lost changes of this device. The user's own ones are shared again from here, because their device may be gone.
function restart(connection: Connection, { author, deviceId }: DeviceName): void {
  connection.run("DELETE FROM team_cursors WHERE author = ? AND device_id = ?", author, deviceId);
  if (readMembership(connection)?.author !== author) return;
  connection.run("UPDATE turns SET device_id = NULL WHERE device_id = ? AND author IS NULL", deviceId);
}

/**
 * Reorders the changes that were never sent: first removals, since a full server accepts them and they make room; then
 * replacements of turns on the server; then new turns. `stored` is the number up to which the server has counted. Returns the
 * last number of each kind except the last, so that a batch of one kind is not refused for another's sake.
 */
function putInOrder(connection: Connection, stored: number): number[] {
  const sent = Math.max(stored, confirmed(connection));
  const waiting = connection.all<ChangeRow & { place: number }>(
    `SELECT number, kind, target, turn_key AS turnKey, turn_id AS turnId, digest, chain,
       CASE WHEN kind = 'remove' THEN 0
         WHEN turn_key IN (SELECT turn_key FROM team_changes WHERE number <= $sent) THEN 1 ELSE 2 END AS place
     FROM team_changes WHERE number > $sent AND kind <> 'void' ORDER BY place, number`,
    { sent },
  );
  if (waiting.some(({ number }, i) => number < (waiting[i - 1]?.number ?? 0))) {
    connection.run("DELETE FROM team_changes WHERE number > ?", sent);
    let last = lastPosition(connection);
    for (const change of waiting) last = insertAfter(connection, last, change);
    return putInOrder(connection, stored);
  }
  return waiting.flatMap(({ place, number }, i) => {
    const next = waiting[i + 1];
    return next !== undefined && next.place !== place ? [number] : [];
  });
}

function confirmed(connection: Connection): number {
  return connection.get<{ confirmed: number }>("SELECT confirmed FROM team")?.confirmed ?? 0;
}

/** Counts the shared turns, the changes that wait for the next sync, and the turns of others. */
function countTeam(connection: Connection, openSince: string): TeamCounts {
  const count = (sql: string, values: Record<string, string> = {}) =>
    connection.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, values)?.n ?? 0;
  const unnumbered = count(
    `team_changes c JOIN team_unshared u ON u.turn_key = c.turn_key
     WHERE c.kind = 'put' AND c.target IS NULL AND c.number <= (SELECT confirmed FROM team)`,
  );
  const unsent = "number > (SELECT confirmed FROM team)";
  return {
    shared:
      count(`team_changes WHERE kind = 'put' AND ${STAYS}`) +
      count(
        `turns t WHERE coalesce(author, '') = '' AND turn_key IS NOT NULL AND device_id IS NULL AND ${STAYS}
           AND NOT EXISTS (SELECT 1 FROM team_changes c WHERE c.turn_id = t.id AND c.kind = 'put')`,
      ),
    waiting:
      count(`team_changes WHERE kind <> 'void' AND ${unsent}`) +
      count(`team_dirty d LEFT JOIN turns t ON t.id = d.turn_id WHERE ${IS_OPEN} IS NOT TRUE`, {
        openSince,
      }) +
      unnumbered,
    removals: count(`team_changes WHERE kind = 'remove' AND ${unsent}`) + unnumbered,
    pulled: connection
      .all<{ author: string | null; turns: number; isFormer: number | null }>(
        `SELECT author, count(*) AS turns, author IN (SELECT author FROM team_former) AS isFormer
         FROM turns WHERE device_id IS NOT NULL GROUP BY author ORDER BY author`,
      )
      .map(({ isFormer, ...row }) => ({ ...row, isFormer: isFormer === 1 })),
    hidden: count("team_hidden WHERE author <> '' AND NOT is_gone"),
  };
}

/** SQL condition that a turn was not unshared. */
const STAYS = "turn_key NOT IN (SELECT turn_key FROM team_unshared)";

/**
 * Records current and former members. Keeps members that the server does not list, because a restored server may have lost them.
 */
function noteMembers(
  connection: Connection,
  authors: readonly { author: string; isMember: boolean }[],
): void {
  const json = JSON.stringify(authors);
  connection.run(
    `DELETE FROM team_former WHERE author IN
       (SELECT value ->> 'author' FROM json_each(?) WHERE value ->> 'isMember')`,
    json,
  );
  connection.run(
    `INSERT OR IGNORE INTO team_former (author)
     SELECT value ->> 'author' FROM json_each(?) WHERE NOT value ->> 'isMember'`,
    json,
  );
}
