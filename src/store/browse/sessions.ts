import { MementorError } from "../../errors.ts";
import type { Bindings, Connection } from "../connection/connection.ts";
import { pathCondition } from "../filter.ts";
import { hashCondition } from "./commits.ts";
import type { Page, SessionFilter, SessionSummary } from "./types.ts";

/** So many sessions are named when the start of an id fits several. */
const CANDIDATES_SHOWN = 5;

/** Returns a page of the sessions that fit, the latest first, and how many fit in all. */
export function sessions(
  connection: Connection,
  filter: SessionFilter,
  { limit, offset = 0 }: Page,
): { sessions: SessionSummary[]; total: number } {
  const { sql, params } = condition(filter);
  const ids = connection.all<{ id: string }>(
    `SELECT s.session_id AS id FROM sessions s WHERE ${sql} ORDER BY s.ended_at DESC, s.rowid DESC LIMIT ? OFFSET ?`,
    ...params,
    limit,
    offset,
  );
  const total =
    connection.get<{ n: number }>(`SELECT count(*) AS n FROM sessions s WHERE ${sql}`, ...params)?.n ?? 0;
  return {
    sessions: summaries(
      connection,
      ids.map((row) => row.id),
    ),
    total,
  };
}

function condition(filter: SessionFilter): { sql: string; params: Bindings } {
  const clauses = ["EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id)"];
  const params: Bindings = [];
  const add = (clause: string, ...values: Bindings) => {
    clauses.push(clause);
    params.push(...values);
  };
  const { branch, since, until, filePath, prNumber, commit, automated } = filter;
  if (branch !== undefined)
    add(
      "(s.branch = ? OR s.session_id IN (SELECT t.session_id FROM turns t WHERE t.branch = ?))",
      branch,
      branch,
    );
  if (since !== undefined) add("s.ended_at >= ?", since);
  if (until !== undefined) add("coalesce(s.started_at, s.ended_at) <= ?", until);
  if (prNumber !== undefined)
    add("s.session_id IN (SELECT p.session_id FROM pr_links p WHERE p.pr_number = ?)", prNumber);
  if (automated !== undefined) add("s.automated = ?", automated);
  if (filePath !== undefined) {
    const path = pathCondition(filePath);
    add(
      `s.session_id IN (SELECT t.session_id FROM file_mentions m ${ITS_TURN("m")} WHERE ${path.sql})`,
      ...path.params,
    );
  }
  if (commit !== undefined) {
    const made = hashCondition(commit);
    add(
      `s.session_id IN (SELECT t.session_id FROM commits k ${ITS_TURN("k")} WHERE ${made.sql})`,
      ...made.params,
    );
  }
  return { sql: clauses.join(" AND "), params };
}

const ITS_TURN = (table: string) => `CROSS JOIN turns t ON t.id = ${table}.turn_id`;

/** Returns the sessions in the order asked for; ids that do not exist are left out. */
export function summaries(connection: Connection, sessionIds: readonly string[]): SessionSummary[] {
  return connection
    .all<Omit<SessionSummary, "automated"> & { automated: number }>(SUMMARIES, JSON.stringify(sessionIds))
    .map((row) => ({ ...row, automated: row.automated !== 0, firstPrompt: row.firstPrompt || null }));
}

const SUMMARIES = `SELECT s.session_id AS sessionId, s.title, s.first_prompt AS firstPrompt, s.automated, s.branch,
    s.project_dir AS projectDir, s.transcript_path AS transcriptPath, s.started_at AS startedAt,
    s.ended_at AS endedAt, (SELECT count(*) FROM turns t WHERE t.session_id = s.session_id) AS turns,
    (SELECT count(DISTINCT m.file_path) FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id
      WHERE t.session_id = s.session_id AND instr(m.file_path, '://') = 0) AS files,
    (SELECT t.foreign_origin FROM turns t WHERE t.session_id = s.session_id LIMIT 1) AS "foreign"
  FROM json_each(?) j CROSS JOIN sessions s ON s.session_id = j.value ORDER BY j.key`;

/** Returns the session of this id or of the one id that starts so; rejects with `usage` when several do. */
export function session(connection: Connection, idOrPrefix: string): SessionSummary | null {
  const ids = connection
    .all<{ id: string }>(
      `SELECT session_id AS id FROM sessions WHERE session_id = ?1 OR (?1 <> '' AND session_id >= ?1
         AND session_id < ?1 || char(0x10ffff)) ORDER BY session_id <> ?1, ended_at DESC LIMIT ?2`,
      idOrPrefix,
      CANDIDATES_SHOWN + 1,
    )
    .map((row) => row.id);
  if (ids.length > 1 && ids[0] !== idOrPrefix) throw ambiguous(idOrPrefix, summaries(connection, ids));
  return summaries(connection, ids)[0] ?? null;
}

function ambiguous(prefix: string, found: readonly SessionSummary[]): MementorError {
  const shown = found.slice(0, CANDIDATES_SHOWN);
  const lines = shown.map(({ sessionId, title, firstPrompt }) =>
    `${sessionId}  ${title ?? firstPrompt ?? ""}`.trim(),
  );
  const more = found.length > shown.length ? ["..."] : [];
  return new MementorError("usage", `More than one session starts with "${prefix}".`, {
    hint: ["Which one?", ...lines, ...more].join("\n  "),
  });
}
