import type { Connection } from "./connection/connection.ts";
import { clause, filterSql } from "./filter-sql.ts";
import { isFile } from "./resources.ts";
import { IS_OWN } from "./turns/author.ts";

export { ANYTHING, type Condition, commitCondition } from "./filter-sql.ts";

const { turnCondition, sessionCondition, pathCondition, inContext } = filterSql({
  turnId: "t.id",
  from: (table, alias) => `FROM ${table} ${alias} WHERE`,
  isFile,
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
});

export { pathCondition, sessionCondition, turnCondition };

/** Returns the ids of the chunks that the session's client still sees. */
export function chunksInContext(connection: Connection, sessionId: string): Set<number> {
  const { sql, params } = inContext(sessionId);
  const chunks = `SELECT c.id FROM chunks c WHERE c.turn_id IN (${sql})`;
  return new Set(connection.all<{ id: number }>(chunks, ...params).map(({ id }) => id));
}
