import type { Filter } from "../../../filter/filter.ts";
import { utc } from "../../../filter/time.ts";
import type { AskedCall, RecallCounts } from "../../browse.ts";
import type { LocalBrowseStore } from "../../store.ts";
import type { Connection } from "../connection/connection.ts";
import type { Query } from "../connection/query.ts";
import { asksMemory } from "../tool-calls.ts";

interface Range extends Pick<Filter, "since" | "until"> {
  sessionId?: string | undefined;
}

/** Returns the latest calls with which agents asked this memory, the newest first. */
export const asked: Query<LocalBrowseStore["asked"]> = (connection, { limit, ...range }) =>
  connection.all<AskedCall>(
    `SELECT turn_id AS turnId, session_id AS sessionId, time, call ${ASKED}
     ORDER BY time DESC, turn_id DESC, place DESC LIMIT ?4`,
    ...boundsOf(range),
    limit,
  );

/** Counts the calls with which agents asked this memory, and the sessions that did. */
export function countAsked(connection: Connection, range: Range): RecallCounts["asked"] {
  const counted = connection.get<RecallCounts["asked"]>(
    `SELECT count(*) AS calls, count(DISTINCT session_id) AS sessions ${ASKED}`,
    ...boundsOf(range),
  );
  return counted ?? { calls: 0, sessions: 0 };
}

function boundsOf({ since, until, sessionId = "" }: Range): [string, string, string] {
  return [since === undefined ? "" : utc(since), until === undefined ? "~" : utc(until), sessionId];
}

const ASKED = `FROM (SELECT t.id AS turn_id, t.session_id, j.key AS place, j.value AS call,
      coalesce(t.ended_at, t.created_at, '') AS time
    FROM turns t CROSS JOIN json_each(t.tool_summary) j
    WHERE t.foreign_origin IS NULL AND t.tool_summary GLOB '*mementor*' AND ${asksMemory("j.value")})
  WHERE time BETWEEN ?1 AND ?2 AND substr(session_id, 1, length(?3)) = ?3`;
