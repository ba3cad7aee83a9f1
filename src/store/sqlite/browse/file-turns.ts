import { CHANGES_SQL } from "../../resources.ts";
import type { LocalBrowseStore } from "../../store.ts";
import type { Query } from "../connection/connection.ts";
import { turnCondition } from "../filter.ts";

/** Maximum mentions whose turns are looked up for their times. For more, walking all turns from the newest is faster. */
export const FEW_MENTIONS = 100;

/**
 * Returns the ids of the turns that touched a path, newest first. Turns that changed the file come before others, unless
 * `byTime`.
 */
export const fileTurns: Query<LocalBrowseStore["fileTurns"]> = (
  connection,
  path,
  { limit, filter, byTime = false },
) => {
  const few = (connection.get<{ n: number }>(COUNT, path, FEW_MENTIONS + 1)?.n ?? 0) <= FEW_MENTIONS;
  const fits = turnCondition(filter);
  const newest = (turns: string, max: number) =>
    connection.column<number>(
      (few ? LOOK_UP_TURNS : WALK_TURNS)(turns, fits.sql("+t.id")),
      path,
      ...fits.params,
      max,
    );
  if (byTime) return newest(TOUCHED, limit);
  const changed = newest(CHANGED, limit);
  return changed.length < limit ? [...changed, ...newest(ONLY_READ, limit - changed.length)] : changed;
};

const COUNT = "SELECT count(*) AS n FROM (SELECT 1 FROM file_mentions WHERE file_path = ? LIMIT ?)";

const TOUCHED = "SELECT turn_id AS id FROM file_mentions WHERE file_path = ?1";
const CHANGED = `${TOUCHED} AND tool_name IN ${CHANGES_SQL}`;
const ONLY_READ = `${TOUCHED} EXCEPT ${CHANGED}`;

// The parameters of the filter come after the numbered one, then the limit.
const NEWEST = (fits: string) => `${fits} ORDER BY t.created_at DESC, t.id DESC LIMIT ?`;

const LOOK_UP_TURNS = (turns: string, fits: string) =>
  `SELECT DISTINCT t.id FROM (${turns}) m CROSS JOIN turns t ON t.id = m.id WHERE ${NEWEST(fits)}`;

// The plus keeps SQLite from looking up each turn: the index of times is already in order.
const WALK_TURNS = (turns: string, fits: string) =>
  `SELECT t.id FROM turns t WHERE +t.id IN (${turns}) AND ${NEWEST(fits)}`;

/** Returns the first known path of `exact`; otherwise all paths that end in `suffix`, most touches first. */
export const findPaths: Query<LocalBrowseStore["findPaths"]> = (connection, { exact, suffix }) => {
  for (const path of exact) {
    if (connection.get("SELECT 1 FROM file_mentions WHERE file_path = ? LIMIT 1", path) !== null)
      return [path];
  }
  if (suffix === null) return [];
  const name = suffix.slice(suffix.lastIndexOf("/") + 1);
  return connection.column<string>(
    `SELECT file_path AS path FROM file_mentions WHERE file_name = ?1
         AND (file_path = ?2 OR substr(file_path, -length(?2) - 1) = '/' || ?2)
       GROUP BY file_path ORDER BY count(*) DESC, file_path`,
    name,
    suffix,
  );
};
