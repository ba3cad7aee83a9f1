import type { Filter } from "../../filter.ts";
import { hintedPath } from "../../filter-sql.ts";
import type { TurnHit } from "../../stored.ts";
import {
  commitCondition,
  json,
  type ProjectDatabase,
  pathCondition,
  SESSION,
  turnCondition,
  type Value,
} from "../query.ts";

/** What a search looks for in a project, and how much of it. */
interface Wanted {
  limit: number;
  filter: Filter | undefined;
}

/** Returns the turns that touched one of these paths, those that touched most of them first. */
export function turnsByFile(
  database: ProjectDatabase,
  hints: readonly string[],
  wanted: Wanted,
): Promise<TurnHit[]> {
  return bestTurns(
    database,
    "file",
    hints.map((hint) => {
      const { sql, params } = pathCondition(hintedPath(hint));
      const from = "FROM mementor.file_mentions m WHERE m.project_id = :project";
      return { sql: `SELECT DISTINCT m.turn_id ${from} AND ${sql}`, params };
    }),
    wanted,
  );
}

export function turnsByCommit(
  database: ProjectDatabase,
  hashes: readonly string[],
  wanted: Wanted,
): Promise<TurnHit[]> {
  return bestTurns(
    database,
    "commit",
    hashes.map((hash) => {
      const { sql, params } = commitCondition(hash);
      const from = "FROM mementor.commits k WHERE k.project_id = :project";
      return { sql: `SELECT DISTINCT k.turn_id ${from} AND ${sql}`, params };
    }),
    wanted,
  );
}

async function bestTurns(
  database: ProjectDatabase,
  source: TurnHit["source"],
  lookups: readonly { sql: string; params: readonly Value[] }[],
  { limit, filter }: Wanted,
): Promise<TurnHit[]> {
  if (lookups.length === 0) return [];
  const turns = turnCondition(filter);
  const rows = await database.all<{ turnId: number; matches: number }>(
    `SELECT t.turn_id AS "turnId", f.n AS matches
     FROM (SELECT x.turn_id, count(*) AS n FROM (${lookups.map(({ sql }) => sql).join(" UNION ALL ")}) x GROUP BY 1) f
     JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = f.turn_id
     WHERE ${turns.sql("t.turn_id")} ORDER BY f.n DESC, t.created_at DESC NULLS LAST, t.turn_id DESC LIMIT ?`,
    ...lookups.flatMap(({ params }) => params),
    ...turns.params,
    limit,
  );
  return rows.map((row) => ({ ...row, source }));
}

/** Returns the turns of sessions with these pull requests, those made at the time of the pull request first. */
export async function turnsByPr(
  database: ProjectDatabase,
  numbers: readonly number[],
  { limit, filter }: Wanted,
): Promise<TurnHit[]> {
  const turns = turnCondition(filter);
  const rows = await database.all<{
    turnId: number;
    number: number;
    createdAt: string | null;
    time: string | null;
  }>(
    `SELECT t.turn_id AS "turnId", p.pr_number AS number, t.created_at AS "createdAt", p.timestamp AS time
     FROM jsonb_array_elements_text(?::text::jsonb) AS j (value)
     JOIN mementor.pr_links p ON p.project_id = :project AND p.pr_number = j.value::bigint
     JOIN mementor.turns t ON t.project_id = :project AND t.author = p.author AND t.session_id = p.session_id
     WHERE ${turns.sql("t.turn_id")}`,
    json(numbers),
    ...turns.params,
  );
  return [...Map.groupBy(rows, ({ turnId }) => turnId)]
    .map(([turnId, links]) => ({
      turnId,
      matches: new Set(links.map(({ number }) => number)).size,
      apart: Math.min(...links.map(({ createdAt, time }) => apart(createdAt, time))),
    }))
    .sort((a, b) => b.matches - a.matches || compare(a.apart, b.apart) || b.turnId - a.turnId)
    .slice(0, limit)
    .map(({ turnId, matches }) => ({ turnId, matches, source: "pr" }));
}

/** Returns the turns of sessions whose title has each of these texts, the latest sessions first. */
export function turnsByTitle(
  database: ProjectDatabase,
  texts: readonly string[],
  { limit, filter }: Wanted,
): Promise<{ turnId: number; title: string }[]> {
  const turns = turnCondition(filter);
  const has = texts.map(() => "strpos(lower(s.title), lower(?)) > 0").join(" AND ");
  return database.all(
    `SELECT t.turn_id AS "turnId", s.title FROM mementor.turns t ${SESSION}
     WHERE t.project_id = :project AND ${has} AND ${turns.sql("t.turn_id")}
     ORDER BY s.ended_at DESC NULLS LAST, s.session_id DESC, t.turn_id LIMIT ?`,
    ...texts,
    ...turns.params,
    limit,
  );
}

/** Milliseconds between two times; infinite where one is not known. */
function apart(a: string | null, b: string | null): number {
  const between = Math.abs(Date.parse(a ?? "") - Date.parse(b ?? ""));
  return Number.isNaN(between) ? Number.POSITIVE_INFINITY : between;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
