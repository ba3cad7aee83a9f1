import * as v from "valibot";
import type {
  Chunk,
  Commit,
  FileMention,
  PrLink,
  SessionFacts,
  SubagentFacts,
  TurnFacts,
} from "../../../domain.ts";
import { UNTRUSTED } from "../../../io/untrusted.ts";
import type { TeamChunk, TeamTurn } from "../../team.ts";
import { TravellingTurn } from "../../travelling-turn.ts";
import { decodeParts } from "../../turn-rows.ts";
import { json, type ProjectDatabase } from "../query.ts";

interface ChunkRow extends Chunk {
  turnId: number;
  vector: Uint8Array | null;
}

/** SQL of a session's name, cut to a sane length, because it is sent with each turn. */
const name = (column: string) => `left(${column}, ${UNTRUSTED.wordChars})`;

const IDS = "(SELECT value::bigint AS id FROM jsonb_array_elements_text(?::text::jsonb)) j";

/** Reads turns in their travelling form by id. Leaves out a colleague's turn that does not have this form. */
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
       t.full_text AS text, t.parts, t.tool_summary AS "toolSummary", t.created_at AS "createdAt",
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

/** Size of a `halfvec` header: its length and a reserved number, 16 bits each. */
const HEADER_BYTES = 4;

/** Decodes a vector written by `halfvec_send`. */
function fromHalf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.max(0, (bytes.byteLength - HEADER_BYTES) >> 1);
  return Float32Array.from({ length }, (_, i) => view.getFloat16(HEADER_BYTES + 2 * i));
}

/** A turn's row with its session. */
interface TurnRow
  extends Omit<TurnFacts, "lineIndex" | "provisional" | "role" | "cwd">,
    Pick<SubagentFacts, "agentType" | "task">,
    Pick<SessionFacts, "title" | "firstPrompt"> {
  id: number;
  client: string;
  automated: boolean;
  sessionBranch: string | null;
  titleSource: string | null;
  /** True for the first turn of its session or, if it belongs to a subagent, of the subagent. */
  isFirst: boolean;
  origin: string;
  text: string;
  parts: string;
  toolSummary: string;
  promptUuid: string | null;
}

interface Belongings {
  chunks: TeamChunk[];
  mentions: FileMention[];
  commits: Commit[];
  links: PrLink[];
  vectorModel: TeamTurn["vectorModel"];
}

const Time = v.nullable(v.pipe(v.string(), v.isoTimestamp()));
const Received = v.object({ ...TravellingTurn.entries, createdAt: Time, endedAt: Time });

/** Returns a turn as a colleague sent it; null for an invalid row, which no mementor writes. */
function turnOf(row: TurnRow, { chunks, vectorModel, links, ...touched }: Belongings): TeamTurn | null {
  const { agentId, isFirst, title, titleSource, firstPrompt, createdAt, endedAt, text } = row;
  const fits = ({ start, end }: { start: number; end: number }) => start <= end && end <= text.length;
  const checked = v.safeParse(Received, {
    ...row,
    ...touched,
    ...decoded(row),
    session: {
      ...row,
      branch: row.sessionBranch,
      startedAt: createdAt,
      endedAt: endedAt ?? createdAt,
      opening: isFirst && agentId === null ? { title, titleSource, firstPrompt, links } : null,
    },
    subagent: isFirst && agentId !== null ? row : null,
    vectorModel: chunks.some(({ vector }) => vector !== null) ? vectorModel : null,
  });
  if (!checked.success || row.sessionId === "" || text.length > UNTRUSTED.textChars) return null;
  const turn = checked.output;
  const areWhole = turn.parts.every(fits) && chunks.every((chunk) => chunk.start >= 0 && fits(chunk));
  return areWhole ? { ...turn, chunks } : null;
}

/** Decodes the JSON columns; empty when they are invalid. */
function decoded({ parts, toolSummary }: TurnRow) {
  try {
    return {
      parts: decodeParts(parts),
      toolSummary: JSON.parse(toolSummary),
    };
  } catch {
    return { parts: null };
  }
}

/** Bytes to read from the server at once. A larger turn is read alone. */
const PAGE_BYTES = 16_000_000;
/** Maximum size of a turn with all its rows. Its text has at most 8,000,000 characters, as in an import. */
const TURN_BYTES = 64_000_000;
const TEXT_BYTES = 4 * UNTRUSTED.textChars;
/** Maximum rows of a turn. */
const TURN_ROWS = UNTRUSTED.listItems;

const LEAST_ROW_BYTES = 100;

/**
 * SQL that marks the first turn `t` of its session or subagent (`is_first`) and of a session (`opens`). Only that turn carries
 * the data of its session or subagent: with every turn, a long title would be fetched again.
 */
const FIRST = `LEFT JOIN LATERAL (SELECT x.is_first, x.is_first AND t.agent_id IS NULL AS opens
  FROM (SELECT NOT EXISTS (SELECT 1 FROM mementor.turns e WHERE e.project_id = t.project_id AND e.author = t.author
    AND e.session_id = t.session_id AND e.agent_id IS NOT DISTINCT FROM t.agent_id
    AND (coalesce(e.created_at, ''), e.turn_id) < (coalesce(t.created_at, ''), t.turn_id)) AS is_first) x) f ON true`;

/** SQL of a turn's size without reading its text: the server knows the sizes of stored values. */
const SIZES = `SELECT t.turn_id AS id, octet_length(t.full_text)::float8 AS text,
  octet_length(t.full_text)::float8 + octet_length(t.tool_summary) + octet_length(t.parts)
    + coalesce(octet_length(t.failures), 0)
    + CASE WHEN f.opens THEN coalesce(octet_length(s.first_prompt), 0) ELSE 0 END
    + CASE WHEN f.is_first THEN coalesce(octet_length(a.task), 0) ELSE 0 END
    + coalesce(c.bytes, 0) + coalesce(k.bytes, 0) + coalesce(m.bytes, 0) + coalesce(p.bytes, 0) AS bytes,
  coalesce(c.n, 0) + coalesce(m.n, 0) + coalesce(k.n, 0) + coalesce(p.n, 0) AS rows
FROM (SELECT value::bigint AS id FROM jsonb_array_elements_text(?::text::jsonb)) j
JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = j.id
${FIRST}
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
  FROM mementor.pr_links x WHERE f.opens AND x.project_id = t.project_id AND x.author = t.author AND x.session_id = t.session_id) p ON true`;

/** The next turns to read: matching ones, up to the first that does not fit into the page. */
interface Page {
  fitting: number[];
  /** First turn of the next page; null when all fit. */
  next: number | null;
}

/** Queries the sizes of turns before any of them is read. `ids` are in reading order. */
export async function planPage(database: ProjectDatabase, ids: readonly number[]): Promise<Page> {
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
