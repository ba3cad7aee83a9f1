import type { Query } from "../connection/query.ts";
import type { BrowseStore } from "../store.ts";
import { decodeFailures } from "../turns/parts.ts";

/** Returns what failed in those of the turns whose text has errors, in the order asked for. */
export const failures: Query<BrowseStore["failures"]> = (connection, turnIds) =>
  connection
    .all<{ turnId: number; failures: string | null }>(FAILURES, JSON.stringify(turnIds))
    .map(({ turnId, failures }) => ({ turnId, failures: decodeFailures(failures) }));

const FAILURES = `SELECT p.turn_id AS turnId, p.failures
  FROM json_each(?) j CROSS JOIN turn_parts p ON p.turn_id = j.value
  WHERE instr(p.parts, '"errors"') > 0 ORDER BY j.key`;
