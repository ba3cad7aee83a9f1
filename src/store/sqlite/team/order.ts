import type { Connection } from "../connection/connection.ts";
import { type ChangeRow, insertAfter, lastPosition } from "./changes.ts";

/**
 * Puts the changes that were never sent in the order in which they are best sent: what is unshared, since a full server
 * takes that and it makes room; then turns that replace what the server has; then new ones. `stored` is what the server has
 * counted. Returns the last number of each kind but the last: a batch of one kind is not refused for another's sake.
 */
export function putInOrder(connection: Connection, stored: number): number[] {
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
