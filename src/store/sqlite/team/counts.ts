import type { TeamCounts } from "../../contract/team.ts";
import type { Connection } from "../connection/connection.ts";
import { IS_OPEN } from "./own-turn.ts";

/** Counts what a memory shares, what waits for the next sync, and what came from others. */
export function countTeam(connection: Connection, openSince: string): TeamCounts {
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

/** In SQL, whether a turn was not unshared. */
const STAYS = "turn_key NOT IN (SELECT turn_key FROM team_unshared)";
