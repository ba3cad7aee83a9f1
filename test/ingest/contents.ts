import { Database } from "bun:sqlite";

/** All that a database remembers, by table and in an order of its own: nothing in it depends on the way it came there. */
export type Contents = Record<string, unknown[][]>;

const PATH = "(SELECT path FROM sources WHERE id = source_id)";
const TURN = `t.session_id, (SELECT path FROM sources WHERE id = t.source_id), t.line_index, coalesce(t.agent_id, '')`;
const TURN_OF = `concat_ws(' ', t.session_id, (SELECT path FROM sources WHERE id = t.source_id), coalesce(t.line_index, 'none'), t.agent_id)`;

const TABLES: Record<string, string> = {
  turns: `SELECT ${TURN}, provisional, role, origin, is_sidechain, created_at, ended_at, branch, cwd, model,
    client_version, prompt_uuid, tool_summary, full_text FROM turns t`,
  entries: `SELECT CASE typeof(e.uuid) WHEN 'blob' THEN hex(e.uuid) ELSE e.uuid END, ${TURN}
    FROM entries e JOIN turns t ON t.id = e.turn_id`,
  copies: `SELECT y.session_id, y.path, y.line_index, ${TURN}
    FROM (SELECT *, ${PATH} AS path FROM turn_copies) y JOIN turns t ON t.id = y.turn_id`,
  chunks: `SELECT ${TURN}, c.chunk_index, c.start, c."end", hex(c.content_hash), c.content
    FROM chunks c JOIN turns t ON t.id = c.turn_id`,
  vectors: `SELECT ${TURN}, c.chunk_index, hex(v.embedding), hex(b.bits), b.turn_id = t.id FROM chunk_vectors v
    LEFT JOIN chunks c ON c.id = v.chunk_id LEFT JOIN turns t ON t.id = c.turn_id
    LEFT JOIN chunk_bits b ON b.chunk_id = v.chunk_id AND b.model_id = v.model_id`,
  stray: `SELECT (SELECT count(*) FROM chunk_bits) - (SELECT count(*) FROM chunk_vectors),
    (SELECT count(*) FROM pending_vectors WHERE chunk_id NOT IN (SELECT id FROM chunks))`,
  pending: `SELECT ${TURN}, c.chunk_index FROM pending_vectors p JOIN chunks c ON c.id = p.chunk_id
    JOIN turns t ON t.id = c.turn_id`,
  mentions: `SELECT ${TURN}, m.file_path, m.file_name, m.tool_name FROM file_mentions m JOIN turns t ON t.id = m.turn_id`,
  fileTotals: "SELECT file_path, touches, changes FROM file_totals",
  commits: `SELECT ${TURN}, k.hash, k.message FROM commits k JOIN turns t ON t.id = k.turn_id`,
  sessions: `SELECT session_id, transcript_path, client, project_dir, title, title_source, first_prompt, automated, branch, started_at, ended_at FROM sessions`,
  subagents: "SELECT session_id, agent_id, agent_type, task FROM subagent_sessions",
  sources: `SELECT path, session_id, agent_id, byte_offset, line_index, resume_offset, resume_line, fingerprint, size,
    skipped, sessions, left_out FROM sources`,
  prLinks: "SELECT session_id, pr_number, pr_url, pr_repository, timestamp FROM pr_links",
  compactions: `SELECT session_id, ${PATH}, line_index, trigger, pre_tokens, timestamp, provisional FROM compactions`,
  // One that nothing mentions any more stays: it may be mentioned again.
  resources: `SELECT resource, hex(embedding) FROM resource_embeddings
    WHERE resource IN (SELECT file_path FROM file_mentions)`,
  pendingResources: "SELECT resource FROM pending_resources",
  patterns: "SELECT session_id, window_type, hex(centroid) FROM session_access_patterns",
  stale: "SELECT session_id FROM stale_access_patterns",
  turnWords: `SELECT v.term, v.offset, ${TURN_OF} FROM temp.turn_words v LEFT JOIN turns t ON t.id = v.doc`,
  chunkWords: `SELECT v.term, v.offset, c.chunk_index, ${TURN_OF} FROM temp.chunk_words v
    LEFT JOIN chunks c ON c.id = v.doc LEFT JOIN turns t ON t.id = c.turn_id`,
  integrity: "PRAGMA integrity_check",
};

/** Reads what a database remembers, ids and times of writing left out. */
export function contentsOf(file: string): Contents {
  const db = new Database(file, { readwrite: true });
  try {
    for (const words of ["turn", "chunk"])
      db.run(
        `CREATE VIRTUAL TABLE temp.${words}_words USING fts5vocab(main, '${words}_keywords', 'instance')`,
      );
    const read = ([name, sql]: [string, string]) => [name, sorted(db.query(sql).values())];
    return Object.fromEntries(Object.entries(TABLES).map(read));
  } finally {
    db.close();
  }
}

function sorted(rows: unknown[][]): unknown[][] {
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
}

/** Without what only says how the files were read. */
export function remembered(contents: Contents): Contents {
  const { sources: _, ...rest } = contents;
  return rest;
}
