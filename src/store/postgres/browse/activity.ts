import { utc } from "../../../filter/time.ts";
import type { ClientCount } from "../../browse.ts";
import { withoutNotes } from "../../filter-sql.ts";
import type { BrowseStore } from "../../store.ts";
import { SESSION } from "../columns.ts";
import { turnCondition } from "../filter.ts";
import type { Query } from "../query.ts";

/** Returns when the turns that fit began, and when their sessions did, oldest first. */
export const activity: Query<BrowseStore["activity"]> = async (database, filter) => {
  const fits = turnCondition(filter);
  const turns = await database.all<{ time: string }>(
    `SELECT t.created_at AS time FROM mementor.turns t ${SESSION} WHERE t.project_id = :project
       AND t.created_at IS NOT NULL AND ${fits.sql("t.turn_id")}${withoutNotes("s.client", filter)} ORDER BY t.created_at`,
    ...fits.params,
  );
  // A session that began before the filter's time counts from its first turn that fits.
  const sessions = await database.all<{ time: string }>(
    `SELECT time FROM (SELECT CASE WHEN min(s.started_at) >= ? THEN min(s.started_at) ELSE min(t.created_at) END AS time
       FROM mementor.turns t ${SESSION}
       WHERE t.project_id = :project AND s.started_at IS NOT NULL AND ${fits.sql("t.turn_id")}${withoutNotes("s.client", filter)}
       GROUP BY s.session_id) x WHERE time IS NOT NULL ORDER BY time`,
    filter.since === undefined ? "" : utc(filter.since),
    ...fits.params,
  );
  const times = (rows: readonly { time: string }[]) => rows.map(({ time }) => time);
  return { turns: times(turns), sessions: times(sessions) };
};

/** Returns the coding agents of the turns that fit, the busiest first. */
export const clients: Query<BrowseStore["clients"]> = (database, filter) => {
  const fits = turnCondition(filter);
  return database.all<ClientCount>(
    `SELECT s.client, count(DISTINCT s.session_id) AS sessions, count(*) AS turns
     FROM mementor.turns t ${SESSION} WHERE t.project_id = :project AND ${fits.sql("t.turn_id")}
     GROUP BY s.client ORDER BY turns DESC, s.client`,
    ...fits.params,
  );
};
