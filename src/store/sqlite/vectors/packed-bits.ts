import type { Connection } from "../connection/connection.ts";
import { ANYTHING, type Condition } from "../filter.ts";
import { signBits, toBytes } from "./math.ts";

/** Signs of chunks: their codes one after the other, in the order of the ids. */
export interface SignPage {
  chunkIds: Uint32Array;
  codes: Uint8Array;
}

/** A page as `packed_bits` holds it. */
interface PackedRow {
  chunkIds: Uint8Array;
  codes: Uint8Array;
}

/** A page made of single rows, its ids as JSON. */
interface LooseRow {
  chunkIds: string;
  codes: Uint8Array | null;
}

/** Chunk ids that a packed row covers. The triggers of `packed_bits` use the same number. */
const BLOCK = 1_024;
/** Blocks to pack at a time: about 16 ms, during which other writers may wait. */
const PACKED_AT_A_TIME = 16;
/** Blocks to read at a time: 3 MB, about 2 ms from memory. */
const BLOCKS_AT_A_TIME = 64;

const PACKED = `SELECT chunk_ids AS chunkIds, bits AS codes FROM packed_bits
  WHERE model_id = ? AND block >= ? AND block < ? ORDER BY block`;

/** Yields the signs of all chunks that have a vector, however they are packed; each step reads some thousands of chunks. */
export function* allSigns(connection: Connection, modelId: number): Generator<SignPage> {
  const { blocks, last } = unpackedBlocks(connection, modelId);
  if (blocks.length <= last)
    for (let from = 0; from <= last; from += BLOCKS_AT_A_TIME)
      for (const row of connection.all<PackedRow>(PACKED, modelId, from, from + BLOCKS_AT_A_TIME))
        yield packedPage(row);
  for (const [from, to] of rangesOf(blocks)) {
    const page = loosePage(connection.get<LooseRow>(rows(ANYTHING), modelId, from * BLOCK, to * BLOCK));
    if (page.chunkIds.length > 0) yield page;
  }
}

/** Returns the signs of the chunks of some turns, in order. */
export function signsOf(connection: Connection, modelId: number, turns: Condition): SignPage[] {
  const row = connection.get<LooseRow>(rows(turns), modelId, 0, Number.MAX_SAFE_INTEGER, ...turns.params);
  return [loosePage(row)];
}

/**
 * Packs the signs of full blocks whose chunks all have vectors, a few at a time, within a transaction of the caller.
 * Leaves out the last block, since the next chunks go into it.
 */
export function packBits(connection: Connection, modelId: number): void {
  const { blocks, last } = unpackedBlocks(connection, modelId);
  const full = blocks.filter((block) => block < last && !isWaiting(connection, modelId, block));
  for (const block of full.slice(0, PACKED_AT_A_TIME)) {
    const row = connection.get<LooseRow>(rows(ANYTHING), modelId, block * BLOCK, (block + 1) * BLOCK);
    const { chunkIds, codes } = loosePage(row);
    connection.run(
      "INSERT INTO packed_bits (model_id, block, chunk_ids, bits) VALUES ($modelId, $block, $chunkIds, $codes)",
      { modelId, block, chunkIds: new Uint8Array(chunkIds.buffer), codes },
    );
  }
}

/** One value for all rows: a hundred thousand small values take ten times as long. */
function rows(turns: Condition): string {
  return `SELECT json_group_array(chunk_id) AS chunkIds, CAST(group_concat(bits, '') AS BLOB) AS codes FROM (
    SELECT b.chunk_id, b.bits FROM chunk_bits b WHERE b.model_id = ?1 AND b.chunk_id >= ?2 AND b.chunk_id < ?3
      AND ${turns.sql("b.turn_id")} ORDER BY b.chunk_id)`;
}

function unpackedBlocks(connection: Connection, modelId: number): { blocks: number[]; last: number } {
  const highest = connection.get<{ id: number | null }>(
    "SELECT max(chunk_id) AS id FROM chunk_bits WHERE model_id = ?",
    modelId,
  );
  const last = Math.floor((highest?.id ?? 0) / BLOCK);
  const rows = connection.column<number>("SELECT block FROM packed_bits WHERE model_id = ?", modelId);
  const packed = new Set(rows);
  const all = Array.from({ length: last + 1 }, (_, block) => block);
  return { blocks: all.filter((block) => !packed.has(block)), last };
}

function isWaiting(connection: Connection, modelId: number, block: number): boolean {
  return (
    // The plus chooses the index: few chunks of a block wait for a vector, but any number may wait for a model.
    connection.get(
      "SELECT 1 FROM pending_vectors p WHERE p.chunk_id >= ? AND p.chunk_id < ? AND +p.model_id = ? LIMIT 1",
      block * BLOCK,
      (block + 1) * BLOCK,
      modelId,
    ) !== null
  );
}

/** Neighbouring blocks as ranges of at most `BLOCKS_AT_A_TIME`, without the end. */
function rangesOf(blocks: readonly number[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const block of blocks) {
    const last = ranges.at(-1);
    if (last?.[1] === block && block - last[0] < BLOCKS_AT_A_TIME) last[1] = block + 1;
    else ranges.push([block, block + 1]);
  }
  return ranges;
}

function packedPage({ chunkIds, codes }: PackedRow): SignPage {
  return { chunkIds: new Uint32Array(chunkIds.slice().buffer), codes };
}

function loosePage(row: LooseRow | null): SignPage {
  const ids: number[] = row === null ? [] : JSON.parse(row.chunkIds);
  return { chunkIds: Uint32Array.from(ids), codes: row?.codes ?? new Uint8Array() };
}

/** Stores the vector of a chunk and of others with the same text that wait for one. Skips a chunk that no longer exists. */
export function saveVector(
  connection: Connection,
  modelId: number,
  chunkId: number,
  vector: Float32Array,
): void {
  const targets = connection.all<{ id: number; turnId: number }>(
    `SELECT o.id, o.turn_id AS turnId FROM chunks c CROSS JOIN chunks o ON o.content_hash = c.content_hash
     WHERE c.id = ?1 AND (o.id = ?1 OR o.vector_rank IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = o.id AND v.model_id = ?2))`,
    chunkId,
    modelId,
  );
  for (const { id, turnId } of targets) insertVector(connection, { modelId, chunkId: id, turnId }, vector);
}

/** Stores the vector of one chunk, whatever has the same text. */
export function insertVector(
  connection: Connection,
  { modelId, chunkId, turnId }: { modelId: number; chunkId: number; turnId: number },
  vector: Float32Array,
): void {
  connection.run(
    `INSERT INTO chunk_vectors (chunk_id, model_id, embedding) VALUES (?, ?, ?)
     ON CONFLICT (chunk_id, model_id) DO UPDATE SET embedding = excluded.embedding`,
    chunkId,
    modelId,
    toBytes(vector),
  );
  connection.run(
    `INSERT INTO chunk_bits (model_id, chunk_id, turn_id, bits) VALUES ($modelId, $chunkId, $turnId, $bits)
     ON CONFLICT (model_id, chunk_id) DO UPDATE SET bits = excluded.bits`,
    { modelId, chunkId, turnId, bits: signBits(vector) },
  );
}
