import type { Chunk, Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import { type ChunkMatches, type ExistingChunk, matchChunks } from "../../write/chunk-matches.ts";
import { IDS } from "../columns.ts";
import type { ProjectDatabase } from "../query.ts";
import { WordIndexer } from "../search/word-indexer.ts";
import { json } from "../text.ts";
import type { Ids } from "./ids.ts";
import type { Writer } from "./writer.ts";

/** A stored turn and the chunks that it gets. */
export interface ChunkOwner {
  id: number;
  turn: Clean<Turn>;
  chunks: readonly Clean<Chunk>[];
}

interface Change {
  turnId: number;
  matches: ChunkMatches<Clean<Chunk>>;
}

/** Replaces the chunks of turns. Chunks with unchanged text keep their row; others reuse vectors of the same text elsewhere. */
export async function writeChunks(
  { database }: Writer,
  ids: Ids,
  owners: readonly ChunkOwner[],
): Promise<{ chunksWritten: number; vectorsReused: number }> {
  // Of a turn that came twice in a batch, the last one counts.
  const latest = new Map(owners.map((owner) => [owner.id, owner]));
  const existing = await existingChunks(database, [...latest.keys()]);
  const changes = [...latest.values()]
    .map(({ id, chunks }): Change => ({ turnId: id, matches: matchChunks(existing.get(id) ?? [], chunks) }))
    .filter(({ matches }) => !matches.unchanged);
  await removeSpare(database, changes);
  await moveKept(database, changes);
  const added = changes.flatMap(({ turnId, matches }) =>
    matches.wanted.flatMap(({ chunk, hash, kept }) =>
      kept === undefined ? [{ id: ids.take("chunks"), turnId, chunk, hash }] : [],
    ),
  );
  await insert(database, added);
  const kept = changes.flatMap(({ matches }) => matches.wanted.flatMap((each) => each.kept?.id ?? []));
  await copyVectors(
    database,
    added.map(({ id }) => id),
  );
  const vectorsReused = await countEmbedded(database, [...kept, ...added.map(({ id }) => id)]);
  return { chunksWritten: added.length, vectorsReused };
}

async function existingChunks(
  database: ProjectDatabase,
  turnIds: readonly number[],
): Promise<Map<number, ExistingChunk[]>> {
  const rows = await database.all<ExistingChunk & { turnId: number }>(
    `SELECT c.chunk_id AS id, c.turn_id AS "turnId", c.chunk_index AS "chunkIndex", c.start, c."end",
       encode(c.content_hash, 'hex') AS hash
     FROM ${IDS} JOIN mementor.chunks c ON c.project_id = :project AND c.turn_id = j.value
     ORDER BY c.turn_id, c.chunk_index`,
    json(turnIds),
  );
  return Map.groupBy(rows, ({ turnId }) => turnId);
}

async function removeSpare(database: ProjectDatabase, changes: readonly Change[]): Promise<void> {
  const spare = changes.flatMap(({ matches }) => matches.spare.map(({ id }) => id));
  if (spare.length === 0) return;
  await database.run(
    `DELETE FROM mementor.chunks c USING ${IDS} WHERE c.project_id = :project AND c.chunk_id = j.value`,
    json(spare),
  );
}

async function moveKept(database: ProjectDatabase, changes: readonly Change[]): Promise<void> {
  const moved = changes.flatMap(({ matches }) =>
    matches.wanted.flatMap(({ chunk: { chunkIndex, start, end }, kept }) =>
      kept === undefined ? [] : [{ id: kept.id, index: chunkIndex, first: start, last: end }],
    ),
  );
  if (moved.length === 0) return;
  // No two chunks of a turn may have one index, not even for the time of a statement.
  await database.run(
    `UPDATE mementor.chunks c SET chunk_index = -1 - c.chunk_index FROM ${IDS}
     WHERE c.project_id = :project AND c.chunk_id = j.value`,
    json(moved.map(({ id }) => id)),
  );
  await database.run(
    `UPDATE mementor.chunks c SET chunk_index = r.index, start = r.first, "end" = r.last
     FROM json_to_recordset(?::text::json) AS r (id bigint, index integer, first integer, last integer)
     WHERE c.project_id = :project AND c.chunk_id = r.id`,
    json(moved),
  );
}

interface Added {
  id: number;
  turnId: number;
  chunk: Clean<Chunk>;
  hash: Uint8Array;
}

async function insert(database: ProjectDatabase, added: readonly Added[]): Promise<void> {
  if (added.length === 0) return;
  const words = new WordIndexer(database.project).index(added.map(({ chunk }) => chunk.content));
  const rows = added.map(({ id, turnId, hash, chunk: { chunkIndex, start, end, content } }, i) => ({
    id,
    turn_id: turnId,
    index: chunkIndex,
    hash: Buffer.from(hash).toString("hex"),
    first: start,
    last: end,
    content,
    ...words[i],
  }));
  await database.run(
    `INSERT INTO mementor.chunks (project_id, chunk_id, turn_id, chunk_index, content_hash, start, "end", content, words,
       repeats, length)
     SELECT :project, r.id, r.turn_id, r.index, decode(r.hash, 'hex'), r.first, r.last, r.content, r.words::tsvector,
       r.repeats::jsonb, r.length
     FROM json_to_recordset(?::text::json) AS r (id bigint, turn_id bigint, index integer, hash text, first integer,
       last integer, content text, words text, repeats text, length integer)`,
    json(rows),
  );
}

/** Copies vectors from chunks with the same text, whoever wrote them. */
async function copyVectors(database: ProjectDatabase, chunkIds: readonly number[]): Promise<void> {
  if (chunkIds.length === 0) return;
  await database.run(
    `INSERT INTO mementor.chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding)
     SELECT DISTINCT ON (v.model_id, c.chunk_id) :project, v.model_id, c.chunk_id, c.turn_id, v.embedding
     FROM ${IDS} JOIN mementor.chunks c ON c.project_id = :project AND c.chunk_id = j.value
     JOIN mementor.chunks o ON o.project_id = :project AND o.content_hash = c.content_hash
     JOIN mementor.chunk_vectors v ON v.project_id = :project AND v.chunk_id = o.chunk_id
     ORDER BY v.model_id, c.chunk_id, o.chunk_id`,
    json(chunkIds),
  );
}

async function countEmbedded(database: ProjectDatabase, chunkIds: readonly number[]): Promise<number> {
  if (chunkIds.length === 0) return 0;
  const row = await database.get<{ n: number }>(
    `SELECT count(DISTINCT v.chunk_id) AS n FROM ${IDS}
     JOIN mementor.chunk_vectors v ON v.project_id = :project AND v.chunk_id = j.value`,
    json(chunkIds),
  );
  return row?.n ?? 0;
}
