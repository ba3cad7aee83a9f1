import type { Chunk, Commit, FileMention, PrLink } from "../../../domain.ts";
import { UNTRUSTED } from "../../../io/untrusted.ts";
import type { TeamChunk, TeamTurn } from "../../team.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../sql.ts";
import { FIRST, type TurnRow, turnOf } from "./received.ts";

interface ChunkRow extends Chunk {
  turnId: number;
  vector: Uint8Array | null;
}

/** A name that a session has, cut where it is none: it comes with each turn. */
const name = (column: string) => `left(${column}, ${UNTRUSTED.wordChars})`;

const IDS = "(SELECT value::bigint AS id FROM jsonb_array_elements_text(?::text::jsonb)) j";

/** Reads turns as they travel, by id. What a colleague wrote and does not fit is left out. */
export async function readTurns(
  database: ProjectDatabase,
  turnIds: readonly number[],
  model: string | null,
): Promise<Map<number, TeamTurn>> {
  if (turnIds.length === 0) return new Map();
  const ids = json([...new Set(turnIds)]);
  const rows = await database.all<TurnRow>(
    `SELECT t.turn_id AS id, t.session_id AS "sessionId", ${name("s.client")} AS client, s.automated,
       ${name("s.branch")} AS "sessionBranch", CASE WHEN f.opens THEN ${name("s.title")} END AS title,
       s.title_source AS "titleSource", CASE WHEN f.opens THEN s.first_prompt END AS "firstPrompt", f.is_first AS "isFirst",
       ${name("a.agent_type")} AS "agentType", CASE WHEN f.is_first THEN a.task END AS task, t.agent_id AS "agentId", t.is_sidechain AS "isSidechain", t.origin,
       t.full_text AS text, t.parts, t.failures, t.tool_summary AS "toolSummary", t.created_at AS "createdAt",
       t.ended_at AS "endedAt", t.branch, t.model, t.client_version AS "clientVersion", t.prompt_uuid AS "promptUuid"
     FROM ${IDS} JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = j.id
     ${FIRST}
     JOIN mementor.sessions s ON s.project_id = t.project_id AND s.author = t.author AND s.session_id = t.session_id
     LEFT JOIN mementor.subagent_sessions a ON a.project_id = t.project_id AND a.author = t.author
       AND a.session_id = t.session_id AND a.agent_id = t.agent_id`,
    ids,
  );
  const chunks = await chunksOf(database, ids, model);
  const mentions = await byTurn<FileMention & { turnId: number }>(
    database,
    `SELECT m.turn_id AS "turnId", m.file_path AS "filePath", m.tool_name AS "toolName"
     FROM ${IDS} JOIN mementor.file_mentions m ON m.project_id = :project AND m.turn_id = j.id`,
    ids,
  );
  const commits = await byTurn<Commit & { turnId: number }>(
    database,
    `SELECT k.turn_id AS "turnId", k.hash, k.message
     FROM ${IDS} JOIN mementor.commits k ON k.project_id = :project AND k.turn_id = j.id`,
    ids,
  );
  const links = await byTurn<PrLink & { turnId: number }>(
    database,
    `SELECT t.turn_id AS "turnId", p.session_id AS "sessionId", p.pr_number AS "prNumber", p.pr_url AS "prUrl",
       p.pr_repository AS "prRepository", p.timestamp
     FROM ${IDS} JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = j.id
     ${FIRST}
     JOIN mementor.pr_links p ON f.opens AND p.project_id = t.project_id AND p.author = t.author AND p.session_id = t.session_id`,
    ids,
  );
  const dimensions = chunks.dimensions;
  return new Map(
    rows.flatMap((row) => {
      const turn = turnOf(row, {
        chunks: chunks.byTurn.get(row.id) ?? [],
        mentions: mentions.get(row.id) ?? [],
        commits: commits.get(row.id) ?? [],
        links: links.get(row.id) ?? [],
        vectorModel: model === null || dimensions === null ? null : { id: model, dimensions },
      });
      return turn === null ? [] : [[row.id, turn] as const];
    }),
  );
}

async function chunksOf(
  database: ProjectDatabase,
  ids: string,
  model: string | null,
): Promise<{ byTurn: Map<number, TeamChunk[]>; dimensions: number | null }> {
  const rows = await database.all<ChunkRow>(
    `SELECT c.turn_id AS "turnId", c.chunk_index AS "chunkIndex", c.start, c."end", c.content,
       halfvec_send(v.embedding) AS vector
     FROM ${IDS} JOIN mementor.chunks c ON c.project_id = :project AND c.turn_id = j.id
     LEFT JOIN mementor.models m ON m.project_id = c.project_id AND m.name = ?
     LEFT JOIN mementor.chunk_vectors v ON v.project_id = c.project_id AND v.model_id = m.model_id
       AND v.chunk_id = c.chunk_id
     ORDER BY c.turn_id, c.chunk_index`,
    ids,
    model,
  );
  let dimensions: number | null = null;
  const chunks = rows.map(({ turnId, vector, ...chunk }) => {
    const decoded = vector === null ? null : fromHalf(vector);
    dimensions ??= decoded?.length ?? null;
    return { turnId, chunk: { ...chunk, vector: decoded } };
  });
  const grouped = new Map<number, TeamChunk[]>();
  for (const { turnId, chunk } of chunks) {
    const known = grouped.get(turnId);
    if (known === undefined) grouped.set(turnId, [chunk]);
    else known.push(chunk);
  }
  return { byTurn: grouped, dimensions };
}

async function byTurn<Row extends { turnId: number }>(
  database: ProjectDatabase,
  sql: string,
  ids: string,
): Promise<Map<number, Row[]>> {
  return Map.groupBy(await database.all<Row>(sql, ids), ({ turnId }) => turnId);
}

/** The bytes of a `halfvec` as the server sends it: its length and a reserved number, 16 bits each, before the values. */
const HEADER_BYTES = 4;

/** Decodes a vector that `halfvec_send` wrote. */
function fromHalf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.max(0, (bytes.byteLength - HEADER_BYTES) >> 1);
  return Float32Array.from({ length }, (_, i) => view.getFloat16(HEADER_BYTES + 2 * i));
}
