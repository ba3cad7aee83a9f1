import { MAX_LATER } from "../../browse/failures.ts";
import { type LaterCallRow, laterCallOf } from "../../browse/rows.ts";
import type { BrowseStore } from "../../store.ts";
import { decodeFailures } from "../../turns/parts.ts";
import { TURNS_BY_ID } from "../columns.ts";
import type { Query } from "../query.ts";
import { json } from "../text.ts";

/** Returns what failed in those of the turns whose text has errors, in the order asked for. */
export const failures: Query<BrowseStore["failures"]> = async (database, turnIds) => {
  const rows = await database.all<{ turnId: number; failures: string | null }>(
    `SELECT t.turn_id AS "turnId", t.failures FROM ${TURNS_BY_ID}
     WHERE strpos(t.parts, '"errors"') > 0 ORDER BY j.key`,
    json(turnIds),
  );
  return rows.map(({ turnId, failures }) => ({ turnId, failures: decodeFailures(failures) }));
};

/** Returns turns after a turn that made a call, in order of time: of its session, and of the given ones. */
export const laterCalls: Query<BrowseStore["laterCalls"]> = async (database, turnId, call, turnIds) => {
  const rows = await database.all<LaterCallRow>(LATER_CALLS, turnId, MAX_LATER, json(turnIds), call);
  return rows.map(laterCallOf);
};

const LATER_CALLS = `WITH later AS (
    (SELECT t.turn_id FROM mementor.turns this JOIN mementor.turns t ON t.project_id = :project
        AND t.session_id = this.session_id AND t.author = this.author AND t.created_at > this.created_at
      WHERE this.project_id = :project AND this.turn_id = ? ORDER BY t.created_at LIMIT ?)
    UNION SELECT value::bigint FROM jsonb_array_elements_text(?::text::jsonb))
  SELECT t.turn_id AS "turnId", t.created_at AS "createdAt", c.place - 1 AS place, t.failures,
    strpos(t.parts, '"errors"') AS errors
  FROM later JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = later.turn_id
    CROSS JOIN LATERAL jsonb_array_elements_text(t.tool_summary::jsonb) WITH ORDINALITY AS c (value, place)
  WHERE c.value = ? ORDER BY t.created_at NULLS FIRST, t.turn_id`;
