import type { Asker } from "../filter.ts";
import { type Clause, clause, filterSql } from "../filter-sql.ts";
import { isPath } from "../resources.ts";
import type { Connection } from "./connection/connection.ts";
import { IS_OWN } from "./turns/columns.ts";

export { type Condition, commitCondition, MATCH_ALL } from "../filter-sql.ts";

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
// Lines of different files cannot be compared, so times decide then. A turn without a line came before all compactions.
const COMPACTED = `EXISTS (SELECT 1 ${BOUNDARIES} AND
  CASE WHEN t.agent_id IS NULL AND coalesce(k.source_id = t.source_id, true)
    THEN t.line_index IS NULL OR t.line_index <= k.line_index ELSE t.created_at <= k.timestamp END)`;
const IN_CONTEXT = `
  SELECT t.id FROM turns t WHERE t.session_id = ? AND NOT ${COMPACTED}
  UNION ALL
  SELECT y.turn_id FROM turn_copies y WHERE y.session_id = ? AND NOT EXISTS (SELECT 1 ${BOUNDARIES}
    AND y.line_index <= k.line_index AND coalesce(k.source_id = y.source_id, true))`;

// Prompts that this transcript copied from another one that the memory has read.
const COPIED_SINCE = `SELECT t.id FROM json_each(?) j CROSS JOIN turns t ON t.prompt_uuid = j.value`;
const OF_SUBAGENT = "SELECT t.id FROM turns t WHERE t.session_id = ? AND t.agent_id = ?";

/**
 * Returns the ids of the turns in the asker's context: a session's own turns after the last compaction, and copied ones; for a
 * subagent, its own turns.
 */
function inContext({ sessionId, agentId, unread }: Asker): Clause {
  if (agentId !== undefined) return clause(OF_SUBAGENT, sessionId, agentId);
  const read = clause(IN_CONTEXT, sessionId, sessionId, sessionId, sessionId);
  if (unread === undefined) return read;
  const since = clause(COPIED_SINCE, JSON.stringify(unread.prompts));
  if (unread.isCompacted) return since;
  return clause(`${read.sql} UNION ALL ${since.sql}`, ...read.params, ...since.params);
}

/** Returns the ids of the chunks in the asker's context. */
export function chunksInContext(connection: Connection, asker: Asker): Set<number> {
  const { sql, params } = inContext(asker);
  const chunks = `SELECT c.id FROM chunks c WHERE c.turn_id IN (${sql})`;
  return new Set(connection.column<number>(chunks, ...params));
}
