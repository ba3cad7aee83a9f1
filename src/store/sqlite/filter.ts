import { type Clause, clause, filterSql } from "../shared/filter-sql.ts";
import { isPath } from "../shared/resources.ts";
import type { Connection } from "./connection/connection.ts";
import { IS_OWN } from "./turns/author.ts";

export { ANYTHING, type Condition, commitCondition } from "../shared/filter-sql.ts";

const { turnCondition, sessionCondition, pathCondition } = filterSql({
  turnId: "t.id",
  from: (table, alias) => `FROM ${table} ${alias} WHERE`,
  isPath,
  sessionIs: (condition) => `t.session_id IN (SELECT s.session_id FROM sessions s WHERE ${condition})`,
  author: (name) =>
    clause(
      `(t.id IN (SELECT f.id FROM turns f WHERE f.author = ?) OR (? IN (SELECT m.author FROM team m) AND ${IS_OWN}))`,
      name,
      name,
    ),
  othersBut(authors) {
    if (authors.length === 0) return clause(IS_OWN);
    const others = "SELECT f.id FROM turns f WHERE f.author IS NOT NULL";
    return clause(
      `t.id NOT IN (${others} AND f.author NOT IN (SELECT value FROM json_each(?)))`,
      JSON.stringify(authors),
    );
  },
  noneOf(authors) {
    const theirs = "SELECT f.id FROM turns f WHERE f.author IN (SELECT value FROM json_each(?))";
    return clause(`t.id NOT IN (${theirs})`, JSON.stringify(authors));
  },
  inContext,
});

export { pathCondition, sessionCondition, turnCondition };

// Compactions that took effect.
const BOUNDARIES = "FROM compactions k WHERE k.session_id = ? AND NOT k.provisional";
// A line says nothing about those of another file: there the times decide. What lost its line came before all of them.
const COMPACTED = `EXISTS (SELECT 1 ${BOUNDARIES} AND
  CASE WHEN t.agent_id IS NULL AND coalesce(k.source_id = t.source_id, true)
    THEN t.line_index IS NULL OR t.line_index <= k.line_index ELSE t.created_at <= k.timestamp END)`;
const IN_CONTEXT = `
  SELECT t.id FROM turns t WHERE t.session_id = ? AND NOT ${COMPACTED}
  UNION ALL
  SELECT y.turn_id FROM turn_copies y WHERE y.session_id = ? AND NOT EXISTS (SELECT 1 ${BOUNDARIES}
    AND y.line_index <= k.line_index AND coalesce(k.source_id = y.source_id, true))`;

/** Ids of the turns that the agent of a session still sees: its own after the last compaction, and copied ones. */
function inContext(sessionId: string): Clause {
  return clause(IN_CONTEXT, sessionId, sessionId, sessionId, sessionId);
}

/** Returns the ids of the chunks that the session's client still sees. */
export function chunksInContext(connection: Connection, sessionId: string): Set<number> {
  const { sql, params } = inContext(sessionId);
  const chunks = `SELECT c.id FROM chunks c WHERE c.turn_id IN (${sql})`;
  return new Set(connection.column<number>(chunks, ...params));
}
