import { firstWords, HEAD_CHARS } from "../../turn/first-words.ts";
import type { Bindings, Connection } from "../connection/connection.ts";
import { commitCondition } from "../filter.ts";
import { decodeParts, PARTS } from "../turns/parts.ts";
import type { CommitSummary, PrSummary } from "./types.ts";

/** Returns pull requests, the latest first, with the sessions that opened or named them. */
export function prs(
  connection: Connection,
  { limit, prNumber }: { limit: number; prNumber?: number },
): PrSummary[] {
  return connection
    .all<Omit<PrSummary, "sessionIds"> & { sessionIds: string }>(
      `SELECT pr_number AS prNumber, pr_repository AS prRepository, pr_url AS prUrl, max(timestamp) AS time,
         json_group_array(session_id ORDER BY timestamp DESC) AS sessionIds
       FROM pr_links WHERE ?1 IS NULL OR pr_number = ?1
       GROUP BY pr_url ORDER BY time DESC, prNumber DESC LIMIT ?2`,
      prNumber ?? null,
      limit,
    )
    .map((row) => ({ ...row, sessionIds: JSON.parse(row.sessionIds) }));
}

/** Returns commits with the turns that made them, the latest first. */
export function commits(
  connection: Connection,
  { limit, hash }: { limit: number; hash?: string },
): CommitSummary[] {
  const rows = hash === undefined ? latest(connection, limit) : ofHash(connection, hash, limit);
  return rows.map(({ head, parts, ...commit }) => ({
    ...commit,
    firstWords: firstWords({ text: head, parts: decodeParts(parts) }),
  }));
}

type CommitRow = Omit<CommitSummary, "firstWords"> & { head: string; parts: string | null };

const COLUMNS = `k.hash, k.message, t.id AS turnId, t.session_id AS sessionId, s.title AS sessionTitle,
  substr(t.full_text, 1, ?1) AS head, ${PARTS} AS parts, t.created_at AS createdAt, t.branch`;

const NEWEST = "t.created_at DESC, t.id DESC, k.rowid DESC LIMIT ?2";

// The plus makes SQLite walk the times from the newest instead of looking up each turn.
function latest(connection: Connection, limit: number): CommitRow[] {
  return connection.all<CommitRow>(
    `SELECT ${COLUMNS} FROM (SELECT id FROM turns WHERE +id IN (SELECT turn_id FROM commits)
         ORDER BY created_at DESC, id DESC LIMIT ?2) newest
       CROSS JOIN turns t ON t.id = newest.id CROSS JOIN commits k ON k.turn_id = t.id
       JOIN sessions s ON s.session_id = t.session_id ORDER BY ${NEWEST}`,
    HEAD_CHARS,
    limit,
  );
}

function ofHash(connection: Connection, hash: string, limit: number): CommitRow[] {
  const { sql, params } = hashCondition(hash);
  const found = connection.all<{ row: number }>(
    `SELECT k.rowid AS row FROM commits k WHERE ${sql}`,
    ...params,
  );
  return connection.all<CommitRow>(
    `SELECT ${COLUMNS} FROM json_each(?3) j CROSS JOIN commits k ON k.rowid = j.value
       CROSS JOIN turns t ON t.id = k.turn_id JOIN sessions s ON s.session_id = t.session_id ORDER BY ${NEWEST}`,
    HEAD_CHARS,
    limit,
    JSON.stringify(found.map(({ row }) => row)),
  );
}

/** The index knows the first digits. */
const INDEXED_DIGITS = 7;

/** Commits `k` of this hash, which may be abbreviated further than git does. */
export function hashCondition(hash: string): { sql: string; params: Bindings } {
  if (hash.length >= INDEXED_DIGITS) return commitCondition(hash);
  const digits = hash.toLowerCase();
  return { sql: "substr(k.hash, 1, 7) BETWEEN ? AND ?", params: [digits, `${digits}g`] };
}
