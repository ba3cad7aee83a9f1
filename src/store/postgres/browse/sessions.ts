import { HEAD_CHARS } from "../../../turn/first-words.ts";
import type { SessionSummary } from "../../browse.ts";
import { withoutNotes } from "../../filter-sql.ts";
import { ambiguous, CANDIDATES_SHOWN, OPENING_TURNS, type SessionRow, sessionOf } from "../../list-rows.ts";
import type { BrowseStore } from "../../store.ts";
import { OF_MAIN, TEXTS } from "../columns.ts";
import { sessionCondition } from "../filter.ts";
import type { ProjectDatabase, Query } from "../query.ts";
import { isFile } from "../resources.ts";
import { json } from "../text.ts";

/** Returns a page of the sessions that fit, the latest first, and how many fit in all. */
export const sessions: Query<BrowseStore["sessions"]> = async (database, filter, { limit, offset = 0 }) => {
  const fits = sessionCondition(filter);
  const where = `s.project_id = :project AND EXISTS (SELECT 1 FROM mementor.turns t WHERE t.project_id = :project
    AND t.session_id = s.session_id) AND ${fits.sql("s.session_id")}${withoutNotes("s.client", filter)}`;
  const ids = await database.all<{ id: string }>(
    `SELECT s.session_id AS id FROM mementor.sessions s WHERE ${where} GROUP BY s.session_id
     ORDER BY max(s.ended_at) DESC NULLS LAST, s.session_id DESC LIMIT ? OFFSET ?`,
    ...fits.params,
    limit < 0 ? null : limit,
    offset,
  );
  const total = await database.get<{ n: number }>(
    `SELECT count(DISTINCT s.session_id) AS n FROM mementor.sessions s WHERE ${where}`,
    ...fits.params,
  );
  return { sessions: await summariesOf(database, ids), total: total?.n ?? 0 };
};

function summariesOf(database: ProjectDatabase, found: readonly { id: string }[]): Promise<SessionSummary[]> {
  const ids = found.map(({ id }) => id);
  return ids.length === 0 ? Promise.resolve([]) : summaries(database, ids);
}

/** Returns the sessions in the order asked for; ids that do not exist are left out. */
export const summaries: Query<BrowseStore["summaries"]> = async (database, sessionIds) =>
  (await database.all<SessionRow>(SUMMARIES, json(sessionIds))).map(sessionOf);

// Of a transcript that several members have, the caller's copy describes the session.
const SUMMARIES = `SELECT s.session_id AS "sessionId", s.client, s.title, s.first_prompt AS "firstPrompt", s.automated, s.branch,
    NULL AS "projectDir", NULL AS "transcriptPath", s.started_at AS "startedAt", s.ended_at AS "endedAt", held.turns, coalesce(touched.files, 0) AS files, CASE WHEN s.author <> current_user::text THEN 'team' END AS "foreign",
    nullif(s.author, current_user::text) AS author,
    CASE WHEN s.title IS NULL AND coalesce(s.first_prompt, '') = '' THEN (SELECT json_agg(json_build_array(o.head, o.parts) ORDER BY o.turn_id)::text
      FROM (SELECT t.turn_id, left(t.full_text, ${HEAD_CHARS}) AS head, t.parts FROM mementor.turns t WHERE t.project_id = :project
        AND t.session_id = s.session_id AND ${OF_MAIN} ORDER BY t.turn_id LIMIT ${OPENING_TURNS}) o) END AS opening
  FROM ${TEXTS} CROSS JOIN LATERAL (SELECT * FROM mementor.sessions s WHERE s.project_id = :project
      AND s.session_id = j.value ORDER BY s.author = current_user DESC, s.ended_at DESC NULLS LAST LIMIT 1) s
    CROSS JOIN LATERAL (SELECT count(*) AS turns FROM mementor.turns t WHERE t.project_id = :project AND t.session_id = s.session_id) held
    CROSS JOIN LATERAL (SELECT count(DISTINCT m.file_path) AS files FROM mementor.turns t
      JOIN mementor.file_mentions m ON m.project_id = t.project_id AND m.turn_id = t.turn_id
      WHERE t.project_id = :project AND t.session_id = s.session_id AND ${isFile("m.file_path")}) touched
  ORDER BY j.key`;

/** Returns the session with this id, or with the only id that starts like it. Rejects with `usage` when several do. */
export const session: Query<BrowseStore["session"]> = async (database, idOrPrefix) => {
  const found = await database.all<{ id: string }>(
    `SELECT session_id AS id FROM mementor.sessions WHERE project_id = :project
       AND (session_id = ? OR (? <> '' AND session_id >= ? AND session_id < ? || chr(1114111)))
     GROUP BY session_id ORDER BY session_id <> ?, max(ended_at) DESC NULLS LAST LIMIT ?`,
    ...Array(5).fill(idOrPrefix),
    CANDIDATES_SHOWN + 1,
  );
  const wanted = found[0]?.id === idOrPrefix ? found.slice(0, 1) : found;
  const [first, ...others] = await summariesOf(database, wanted);
  if (first !== undefined && others.length > 0) throw ambiguous(idOrPrefix, [first, ...others]);
  return first ?? null;
};
