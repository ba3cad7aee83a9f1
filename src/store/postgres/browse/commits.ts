import { HEAD_CHARS } from "../../../turn/first-words.ts";
import { type CommitRow, commitOf, type PrRow, prOf } from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import { AUTHOR, FOREIGN, SESSION } from "../columns.ts";
import { commitCondition, sessionCondition, turnCondition } from "../filter.ts";
import type { Query } from "../query.ts";

/** Returns pull requests, the latest first, with those of their sessions that fit. */
export const prs: Query<BrowseStore["prs"]> = async (database, { limit, prNumber, filter = {} }) => {
  const fits = sessionCondition(filter);
  const rows = await database.all<PrRow>(
    `SELECT min(p.pr_number) AS "prNumber", min(p.pr_repository) AS "prRepository", p.pr_url AS "prUrl", max(p.time) AS time,
       jsonb_agg(p.session_id ORDER BY p.time DESC NULLS LAST, p.session_id)::text AS "sessionIds", (
         SELECT jsonb_build_object('turnId', t.turn_id, 'of', (SELECT count(*) ${OF_TURN}),
           'at', (SELECT count(*) ${OF_TURN} AND (x.timestamp, x.pr_number) < (o.timestamp, o.pr_number)))::text
         FROM mementor.pr_links o JOIN mementor.turns t ON t.project_id = :project AND t.session_id = o.session_id
           AND t.author = o.author AND t.agent_id IS NULL AND o.timestamp BETWEEN t.created_at AND coalesce(t.ended_at, t.created_at)
         WHERE o.project_id = :project AND o.pr_url = p.pr_url AND ${fits.sql("o.session_id")}
         ORDER BY o.timestamp, t.turn_id LIMIT 1) AS opened
     FROM (SELECT pr_url, session_id, min(pr_number) AS pr_number, min(pr_repository) AS pr_repository,
         max(timestamp) AS time FROM mementor.pr_links WHERE project_id = :project GROUP BY pr_url, session_id) p
     WHERE ${fits.sql("p.session_id")} AND (?::bigint IS NULL OR p.pr_number = ?)
     GROUP BY p.pr_url ORDER BY time DESC NULLS LAST, "prNumber" DESC LIMIT ?`,
    ...fits.params,
    ...fits.params,
    prNumber ?? null,
    prNumber ?? null,
    limit,
  );
  return rows.map(prOf);
};

/** In SQL, the pull requests of the turn `t`. */
const OF_TURN = `FROM mementor.pr_links x WHERE x.project_id = :project AND x.author = t.author
  AND x.session_id = t.session_id AND x.timestamp BETWEEN t.created_at AND coalesce(t.ended_at, t.created_at)`;

/** Returns commits with the turns that made them, the latest first. */
export const commits: Query<BrowseStore["commits"]> = async (database, { limit, hash, filter }) => {
  const fits = turnCondition(filter);
  const wanted = hash === undefined ? { sql: "true", params: [] } : commitCondition(hash);
  const rows = await database.all<CommitRow>(
    `SELECT k.hash, k.message, t.turn_id AS "turnId", t.session_id AS "sessionId", s.title AS "sessionTitle",
       left(t.full_text, ?) AS head, t.parts, t.created_at AS "createdAt", t.branch, ${FOREIGN} AS "foreign",
       ${AUTHOR} AS author
     FROM mementor.commits k JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = k.turn_id ${SESSION}
     WHERE k.project_id = :project AND ${wanted.sql} AND ${fits.sql("k.turn_id")}
     ORDER BY t.created_at DESC NULLS LAST, t.turn_id DESC, k.hash LIMIT ?`,
    HEAD_CHARS,
    ...wanted.params,
    ...fits.params,
    limit,
  );
  return rows.map(commitOf);
};
