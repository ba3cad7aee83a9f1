import { clause, filterSql } from "../filter-sql.ts";
import { isPath, json } from "./sql.ts";

export { type Condition, commitCondition } from "../filter-sql.ts";

const { turnCondition, sessionCondition, pathCondition } = filterSql({
  turnId: "t.turn_id",
  from: (table, alias) => `FROM mementor.${table} ${alias} WHERE ${alias}.project_id = :project AND`,
  isPath,
  sessionIs: (condition) => `EXISTS (SELECT 1 FROM mementor.sessions s WHERE s.project_id = :project
    AND s.author = t.author AND s.session_id = t.session_id AND ${condition})`,
  author: (name) => clause("t.author = ?", name),
  othersBut: (authors) =>
    clause(
      "(t.author = current_user::text OR t.author IN (SELECT jsonb_array_elements_text(?::text::jsonb)))",
      json(authors),
    ),
  noneOf: (authors) =>
    clause("t.author NOT IN (SELECT jsonb_array_elements_text(?::text::jsonb))", json(authors)),
});

export { pathCondition, sessionCondition, turnCondition };
