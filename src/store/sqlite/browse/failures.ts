import { type LaterCallRow, laterCallOf } from "../../list-rows.ts";
import type { LocalBrowseStore } from "../../store.ts";
import { decodeFailures } from "../../turn-rows.ts";
import type { Query } from "../connection/query.ts";

/** Returns what failed in those of the turns whose text has errors, in the order asked for. */
export const failures: Query<LocalBrowseStore["failures"]> = (connection, turnIds) =>
  connection
    .all<{ turnId: number; failures: string | null }>(FAILURES, JSON.stringify(turnIds))
    .map(({ turnId, failures }) => ({ turnId, failures: decodeFailures(failures) }));

const FAILURES = `SELECT p.turn_id AS turnId, p.failures
  FROM json_each(?) j CROSS JOIN turn_parts p ON p.turn_id = j.value
  WHERE instr(p.parts, '"errors"') > 0 ORDER BY j.key`;

/** Only so many turns of a session after a failure are searched for the same call. */
export const MAX_LATER = 20;

/** Returns turns after a turn that made a call, in order of time: of its session, and of the given ones. */
export const laterCalls: Query<LocalBrowseStore["laterCalls"]> = (connection, turnId, call, turnIds) =>
  connection
    .all<LaterCallRow>(LATER_CALLS, { turnId, call, turnIds: JSON.stringify(turnIds), limit: MAX_LATER })
    .map(laterCallOf);

const LATER_CALLS = `WITH this AS (SELECT session_id, created_at FROM turns WHERE id = $turnId), later AS (
    SELECT id FROM (SELECT t.id FROM this JOIN turns t ON t.session_id = this.session_id
      WHERE t.created_at > this.created_at ORDER BY t.created_at LIMIT $limit)
    UNION SELECT value FROM json_each($turnIds))
  SELECT t.id AS turnId, t.created_at AS createdAt, c.key AS place, p.failures, instr(p.parts, '"errors"') AS errors
  FROM later CROSS JOIN turns t ON t.id = later.id CROSS JOIN json_each(t.tool_summary) c
    LEFT JOIN turn_parts p ON p.turn_id = t.id
  WHERE c.value = $call ORDER BY t.created_at, t.id`;
