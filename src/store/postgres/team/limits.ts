import { UNTRUSTED } from "../../../io/untrusted.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../text.ts";

/** What is read of the server at once, bytes; a turn that is larger by itself is read alone. */
const PAGE_BYTES = 16_000_000;
/** No turn is larger with all that belongs to it: its text has at most 8,000,000 characters, as in an import. */
const TURN_BYTES = 64_000_000;
const TEXT_BYTES = 4 * UNTRUSTED.textChars;
/** More rows of one kind belong to no turn. */
const TURN_ROWS = 100_000;

const LEAST_ROW_BYTES = 100;

/** Sizes of a turn without its text being read: the server knows them of what it stored. */
const SIZES = `SELECT t.turn_id AS id, octet_length(t.full_text)::float8 AS text,
  octet_length(t.full_text)::float8 + octet_length(t.tool_summary) + octet_length(t.parts)
    + coalesce(octet_length(t.failures), 0)
    + coalesce(octet_length(s.title), 0) + coalesce(octet_length(s.first_prompt), 0) + coalesce(octet_length(a.task), 0)
    + coalesce(c.bytes, 0) + coalesce(k.bytes, 0) + coalesce(m.bytes, 0) + coalesce(p.bytes, 0) AS bytes,
  coalesce(c.n, 0) + coalesce(m.n, 0) + coalesce(k.n, 0) + coalesce(p.n, 0) AS rows
FROM (SELECT value::bigint AS id FROM jsonb_array_elements_text(?::text::jsonb)) j
JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = j.id
JOIN mementor.sessions s ON s.project_id = t.project_id AND s.author = t.author AND s.session_id = t.session_id
LEFT JOIN mementor.subagent_sessions a ON a.project_id = t.project_id AND a.author = t.author
  AND a.session_id = t.session_id AND a.agent_id = t.agent_id
LEFT JOIN LATERAL (SELECT count(*)::float8 AS n, sum(octet_length(x.content) + ${LEAST_ROW_BYTES})::float8 AS bytes
  FROM mementor.chunks x WHERE x.project_id = t.project_id AND x.turn_id = t.turn_id) c ON true
LEFT JOIN LATERAL (SELECT count(*)::float8 AS n, sum(octet_length(x.message) + ${LEAST_ROW_BYTES})::float8 AS bytes
  FROM mementor.commits x WHERE x.project_id = t.project_id AND x.turn_id = t.turn_id) k ON true
LEFT JOIN LATERAL (SELECT count(*)::float8 AS n, sum(octet_length(x.file_path) + ${LEAST_ROW_BYTES})::float8 AS bytes
  FROM mementor.file_mentions x WHERE x.project_id = t.project_id AND x.turn_id = t.turn_id) m ON true
LEFT JOIN LATERAL (SELECT count(*)::float8 AS n, sum(octet_length(x.pr_url) + ${LEAST_ROW_BYTES})::float8 AS bytes
  FROM mementor.pr_links x WHERE x.project_id = t.project_id AND x.author = t.author AND x.session_id = t.session_id) p ON true`;

/** Which of some turns are read: those that fit, up to the first that the page has no room for. */
export interface Page {
  fitting: number[];
  /** The turn with which the next page begins; null when all have room. */
  next: number | null;
}

/** Asks how large turns are, before any of them is read. `ids` are in the order in which they are read. */
export async function pageOf(database: ProjectDatabase, ids: readonly number[]): Promise<Page> {
  if (ids.length === 0) return { fitting: [], next: null };
  const rows = await database.all<{ id: number; text: number; bytes: number; rows: number }>(
    SIZES,
    json([...new Set(ids)]),
  );
  const sizes = new Map(rows.map((row) => [row.id, row]));
  const fitting: number[] = [];
  let used = 0;
  for (const id of ids) {
    const size = sizes.get(id);
    if (size === undefined || size.text > TEXT_BYTES || size.bytes > TURN_BYTES || size.rows > TURN_ROWS)
      continue;
    if (fitting.length > 0 && used + size.bytes > PAGE_BYTES) return { fitting, next: id };
    used += size.bytes;
    fitting.push(id);
  }
  return { fitting, next: null };
}

/** Whether a text that arrived is one that a turn may have. */
export function isText(text: string): boolean {
  return text.length <= UNTRUSTED.textChars;
}
