import { HEAD_CHARS } from "../../../turn/title.ts";
import { withoutNotes } from "../../filter-sql.ts";
import { ambiguous, CANDIDATES_SHOWN, OPENING_TURNS, type SessionRow, sessionOf } from "../../list-rows.ts";
import { isFile } from "../../resources.ts";
import type { BrowseStore } from "../../store.ts";
import type { Query } from "../connection/connection.ts";
import { sessionCondition } from "../filter.ts";
import { AUTHOR, PARTS, SESSION_PROMPT_ONLY } from "../turns/columns.ts";

/** Returns a page of the sessions that fit, the latest first, and how many fit in all. */
export const sessions: Query<BrowseStore["sessions"]> = (connection, filter, { limit, offset = 0 }) => {
  const fits = sessionCondition(filter);
  const { params } = fits;
  const sql = `EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id) AND ${fits.sql("s.session_id")}${withoutNotes("s.client", filter)}`;
  const ids = connection.column<string>(
    `SELECT s.session_id AS id FROM sessions s WHERE ${sql} ORDER BY s.ended_at DESC, s.rowid DESC LIMIT ? OFFSET ?`,
    ...params,
    limit,
    offset,
  );
  const total =
    connection.get<{ n: number }>(`SELECT count(*) AS n FROM sessions s WHERE ${sql}`, ...params)?.n ?? 0;
  return {
    sessions: summaries(connection, ids),
    total,
  };
};

/** Returns the sessions in the order asked for; ids that do not exist are left out. */
export const summaries: Query<BrowseStore["summaries"]> = (connection, sessionIds) => {
  return connection.all<SessionRow>(SUMMARIES, JSON.stringify(sessionIds)).map(sessionOf);
};

/** A session with one turn of one's own is one's own, whatever others brought with its id. Any member may bring some: all are named. */
const OF_OTHERS = "CASE WHEN count(*) = count(t.foreign_origin)";
const SUMMARIES = `SELECT s.session_id AS sessionId, s.client, s.title, s.first_prompt AS firstPrompt, s.automated, s.branch,
    s.project_dir AS projectDir, s.transcript_path AS transcriptPath, s.started_at AS startedAt,
    s.ended_at AS endedAt, (SELECT count(*) FROM turns t WHERE t.session_id = s.session_id) AS turns,
    (SELECT count(DISTINCT m.file_path) FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id
      WHERE t.session_id = s.session_id AND ${isFile("m.file_path")}) AS files,
    (SELECT ${OF_OTHERS} THEN max(t.foreign_origin) END FROM turns t WHERE t.session_id = s.session_id) AS "foreign",
    (SELECT ${OF_OTHERS} THEN (SELECT group_concat(author, ', ') FROM (SELECT DISTINCT ${AUTHOR} AS author FROM turns t
        WHERE t.session_id = s.session_id ORDER BY 1)) END FROM turns t WHERE t.session_id = s.session_id) AS author,
    (SELECT CASE WHEN count(*) = count(f.turn_id) THEN max(w.name) END FROM turns t LEFT JOIN folder_turns f ON f.turn_id = t.id
       LEFT JOIN folder_names w ON w.writer = f.home WHERE t.session_id = s.session_id) AS device,
    ${SESSION_PROMPT_ONLY} AS promptOnly,
    CASE WHEN s.title IS NULL AND coalesce(s.first_prompt, '') = '' THEN (SELECT json_group_array(json_array(o.head, o.parts))
      FROM (SELECT substr(t.full_text, 1, ${HEAD_CHARS}) AS head, ${PARTS} AS parts FROM turns t
        WHERE t.session_id = s.session_id AND t.agent_id IS NULL ORDER BY t.line_index, t.id LIMIT ${OPENING_TURNS}) o) END AS opening
  FROM json_each(?) j CROSS JOIN sessions s ON s.session_id = j.value ORDER BY j.key`;

/** Returns the session with this id, or with the only id that starts like it. Rejects with `usage` when several do. */
export const session: Query<BrowseStore["session"]> = (connection, idOrPrefix) => {
  const ids = connection.column<string>(
    `SELECT session_id AS id FROM sessions WHERE session_id = ?1 OR (?1 <> '' AND session_id >= ?1
         AND session_id < ?1 || char(0x10ffff)) ORDER BY session_id <> ?1, ended_at DESC LIMIT ?2`,
    idOrPrefix,
    CANDIDATES_SHOWN + 1,
  );
  if (ids.length > 1 && ids[0] !== idOrPrefix) throw ambiguous(idOrPrefix, summaries(connection, ids));
  return summaries(connection, ids)[0] ?? null;
};
