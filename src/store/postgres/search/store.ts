import { NOTE } from "../../../constants.ts";
import type { Filter } from "../../filter.ts";
import { hintedPath } from "../../filter-sql.ts";
import { memoized } from "../../rare-words.ts";
import type { SearchStore } from "../../store.ts";
import type { ActiveModel, MemoryTotals, TurnHit } from "../../stored.ts";
import { checkDimensions } from "../../stored.ts";
import { browseStore } from "../browse/store.ts";
import {
  type Condition,
  commitCondition,
  json,
  type ProjectDatabase,
  pathCondition,
  readerInTransaction,
  SESSION_JOIN,
  type SqlValue,
  storedChunks,
  storedTurns,
  type TeamProject,
  turnCondition,
} from "../query.ts";
import { nearestChunks, sampleDistances, searchedModel, turnDistances } from "../vectors.ts";
import { rarestTerms, searchWords, type TextKind, turnsByTerm } from "./keywords.ts";

/** Counts the matching turns with their sessions and chunks. */
async function countFitting(
  database: ProjectDatabase,
  turns: Condition,
): Promise<Omit<MemoryTotals, "pendingChunks"> | null> {
  return database.get(
    `WITH fitting AS (SELECT t.turn_id, t.session_id, s.client = '${NOTE.client}' AS noted FROM mementor.turns t ${SESSION_JOIN}
       WHERE t.project_id = :project AND ${turns.sql("t.turn_id")})
     SELECT (SELECT count(DISTINCT session_id) FROM fitting WHERE NOT noted) AS sessions,
       (SELECT count(*) FROM fitting WHERE NOT noted) AS turns, (SELECT count(*) FROM fitting WHERE noted) AS notes,
       (SELECT count(*) FROM fitting f JOIN mementor.chunks c ON c.project_id = :project AND c.turn_id = f.turn_id) AS chunks`,
    ...turns.params,
  );
}

/** Sums up the contents of the project from the accounts of its authors. */
async function totals(database: ProjectDatabase): Promise<MemoryTotals> {
  const row = await database.get<Omit<MemoryTotals, "pendingChunks">>(
    `SELECT (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project AND s.client <> '${NOTE.client}') AS sessions,
       (SELECT count(DISTINCT s.session_id) FROM mementor.sessions s WHERE s.project_id = :project AND s.client = '${NOTE.client}') AS notes,
       coalesce(sum(u.turns), 0)::bigint AS turns, coalesce(sum(u.chunks), 0)::bigint AS chunks
     FROM mementor.usage u WHERE u.project_id = :project`,
  );
  if (row === null) return { sessions: 0, turns: 0, notes: 0, chunks: 0, pendingChunks: 0 };
  // A note is one turn in its own session, and the accounts count it as a turn. No vectors are pending here, because members make
  // them.
  return { ...row, turns: Math.max(0, row.turns - row.notes), pendingChunks: 0 };
}

// A transaction sees one unchanging view, so its totals are read once.
const totalsOf = memoized(totals);
const modelOf = memoized(searchedModel);

export function searchStore(project: Pick<TeamProject, "read">): SearchStore {
  const rareOf = memoized((terms: readonly string[]) =>
    terms.length === 0
      ? Promise.resolve([])
      : project.read(async (database) => rarestTerms(database, terms, (await totalsOf(database)).turns)),
  );
  /** Runs a query with the active model; returns `none` without one. */
  const withModel = <T>(
    query: Float32Array,
    none: T,
    read: (database: ProjectDatabase, model: ActiveModel) => Promise<T>,
  ) =>
    project.read(async (database) => {
      const model = await modelOf(database);
      if (model === null) return none;
      checkDimensions(model, query);
      return read(database, model);
    });
  const byKeywords = async (
    kind: TextKind,
    ...[terms, limit, filter]: Parameters<SearchStore["keywordChunks"]>
  ) => {
    const rare = await rareOf(terms);
    const wanted = { limit, turns: turnCondition(filter) };
    return project.read((database) => searchWords(database, kind, rare, wanted));
  };
  return {
    snapshot: (work) =>
      project.read((database) => {
        const inside = readerInTransaction(database);
        return work(searchStore(inside), browseStore(inside));
      }),
    nearestChunks: (query, limit, filter = {}) =>
      withModel(query, [], (database, model) => nearestChunks(database, { model, query, limit, filter })),
    sampleDistances: (query, sample) =>
      withModel(query, [], (database, model) => sampleDistances(database, model, query, sample)),
    turnDistances: (query, turnIds) =>
      withModel(query, [], (database, model) => turnDistances(database, model, query, turnIds)),
    keywordChunks: (...wanted) => byKeywords("chunk", ...wanted),
    keywordTurns: (...wanted) => byKeywords("turn", ...wanted),
    termTurns: (terms, maxTurns, filter) =>
      project.read((database) => turnsOfTerms(database, terms, maxTurns, filter)),
    turnsByFile: (hints, limit, filter) =>
      project.read((database) => turnsByFile(database, hints, { limit, filter })),
    turnsByCommit: (hashes, limit, filter) =>
      project.read((database) => turnsByCommit(database, hashes, { limit, filter })),
    turnsByPr: (numbers, limit, filter) =>
      project.read((database) => turnsByPr(database, numbers, { limit, filter })),
    turnsByTitle: (texts, limit, filter) =>
      project.read((database) => turnsByTitle(database, texts, { limit, filter })),
    turns: (turnIds, chars) => project.read((database) => storedTurns(database, turnIds, chars)),
    chunks: (chunkIds) => project.read((database) => storedChunks(database, chunkIds)),
    totals: (filter) =>
      project.read(async (database) => {
        const turns = turnCondition(filter);
        const all = await totalsOf(database);
        return turns.empty ? all : { ...all, ...(await countFitting(database, turns)) };
      }),
    modelId: () => project.read(async (database) => (await modelOf(database))?.name ?? null),
  };
}

/** Returns the turns of each term. Leaves out terms with too many turns. */
async function turnsOfTerms(
  database: ProjectDatabase,
  terms: readonly string[],
  maxTurns: number,
  filter: Filter | undefined,
): Promise<Map<string, number[]>> {
  const found = await turnsByTerm(database, terms, maxTurns, turnCondition(filter));
  return new Map(
    terms.flatMap((term, i) => {
      const ids = found[i] ?? null;
      return ids === null ? [] : [[term, ids] as const];
    }),
  );
}

/** The search terms of a query in a project, and its limits. */
interface Wanted {
  limit: number;
  filter: Filter | undefined;
}

/** Returns the turns that touched one of these paths, those with the most matches first. */
function turnsByFile(
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

function turnsByCommit(
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
  lookups: readonly { sql: string; params: readonly SqlValue[] }[],
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

/** Returns the turns of sessions with these pull requests, those closest in time to the pull request first. */
async function turnsByPr(
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
      apart: Math.min(...links.map(({ createdAt, time }) => timeDistance(createdAt, time))),
    }))
    .sort((a, b) => b.matches - a.matches || compare(a.apart, b.apart) || b.turnId - a.turnId)
    .slice(0, limit)
    .map(({ turnId, matches }) => ({ turnId, matches, source: "pr" }));
}

/** Returns the turns of sessions whose title contains each of these texts, latest sessions first. */
function turnsByTitle(
  database: ProjectDatabase,
  texts: readonly string[],
  { limit, filter }: Wanted,
): Promise<{ turnId: number; title: string }[]> {
  const turns = turnCondition(filter);
  const has = texts.map(() => "strpos(lower(s.title), lower(?)) > 0").join(" AND ");
  return database.all(
    `SELECT t.turn_id AS "turnId", s.title FROM mementor.turns t ${SESSION_JOIN}
     WHERE t.project_id = :project AND ${has} AND ${turns.sql("t.turn_id")}
     ORDER BY s.ended_at DESC NULLS LAST, s.session_id DESC, t.turn_id LIMIT ?`,
    ...texts,
    ...turns.params,
    limit,
  );
}

/** Returns the milliseconds between two times; infinity when one is unknown. */
function timeDistance(a: string | null, b: string | null): number {
  const between = Math.abs(Date.parse(a ?? "") - Date.parse(b ?? ""));
  return Number.isNaN(between) ? Number.POSITIVE_INFINITY : between;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
