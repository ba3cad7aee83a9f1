import { MementorError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import type { Condition } from "./filter.ts";
import { cosineDistance, fromBytes, hammingDistances, signBits, smallest, toBytes } from "./vector-math.ts";

export type VectorBackend = "auto" | "extension" | "scan";

/** Path of sqlite-vec's loadable library, or where to get it when it is needed; null where there is none. */
export type VecLibrary = string | (() => string | Promise<string>) | null;

/** Two ways to the same answers; `scan` needs nothing of SQLite but what every build has. */
export interface VectorSearch {
  readonly backend: "extension" | "scan";
  /** The chunks whose signs are nearest to the query's, nearest first, lower ids before higher ones. */
  candidates(modelId: number, query: Float32Array, limit: number, turns: Condition): number[];
  /** Cosine distances of those of the chunks that have a vector, nearest first. */
  distances(modelId: number, query: Float32Array, chunkIds: readonly number[]): ChunkDistance[];
}

export interface ChunkDistance {
  chunkId: number;
  turnId: number;
  distance: number;
}

/** sqlite-vec's, which is only found by itself in a file called `vec0`. */
const ENTRY_POINT = "sqlite3_vec_init";

/** Loads the extension, or falls back to the scan where the choice is free. */
export async function openVectorSearch(
  c: Connection,
  options: { vectorBackend: VectorBackend; vecLibrary: VecLibrary; log?: (message: string) => void },
): Promise<VectorSearch> {
  if (options.vectorBackend === "scan") return scan(c);
  try {
    const { vecLibrary } = options;
    if (vecLibrary === null) throw new Error("no library given");
    const file = typeof vecLibrary === "string" ? vecLibrary : await vecLibrary();
    c.db.loadExtension(file, ENTRY_POINT);
    return extension(c);
  } catch (cause) {
    const message = `sqlite-vec cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`;
    if (options.vectorBackend === "extension") throw new MementorError("assets_broken", message, { cause });
    options.log?.(`${message}; vectors are scanned without it`);
    return scan(c);
  }
}

const STORED = `FROM json_each(?) j CROSS JOIN chunk_bits b ON b.model_id = ? AND b.chunk_id = j.value
  CROSS JOIN chunk_vectors v ON v.chunk_id = b.chunk_id AND v.model_id = b.model_id`;

function extension(c: Connection): VectorSearch {
  return {
    backend: "extension",
    candidates(modelId, query, limit, turns) {
      return c
        .all<{ chunk_id: number }>(
          `SELECT b.chunk_id FROM chunk_bits b WHERE b.model_id = ? AND ${turns.sql("b.turn_id")}
           ORDER BY vec_distance_hamming(vec_bit(b.bits), vec_bit(?)), b.chunk_id LIMIT ?`,
          modelId,
          ...turns.params,
          signBits(query),
          limit,
        )
        .map((row) => row.chunk_id);
    },
    distances(modelId, query, chunkIds) {
      return c.all<ChunkDistance>(
        `SELECT v.chunk_id AS chunkId, b.turn_id AS turnId,
           coalesce(vec_distance_cosine(v.embedding, ?), 1.0) AS distance ${STORED} ORDER BY 3, 1`,
        toBytes(query),
        JSON.stringify(chunkIds),
        modelId,
      );
    },
  };
}

function scan(c: Connection): VectorSearch {
  return {
    backend: "scan",
    candidates(modelId, query, limit, turns) {
      // One value for all rows: a hundred thousand small ones cost ten times as much.
      const row = c.get<{ ids: string; codes: Uint8Array | null }>(
        `SELECT json_group_array(chunk_id) AS ids, CAST(group_concat(bits, '') AS BLOB) AS codes FROM (
           SELECT b.chunk_id, b.bits FROM chunk_bits b WHERE b.model_id = ? AND ${turns.sql("b.turn_id")}
           ORDER BY b.chunk_id)`,
        modelId,
        ...turns.params,
      );
      if (row === null || row.codes === null) return [];
      const ids: number[] = JSON.parse(row.ids);
      return smallest(hammingDistances(row.codes, signBits(query)), limit).flatMap((at) => ids[at] ?? []);
    },
    distances(modelId, query, chunkIds) {
      return c
        .all<{ chunkId: number; turnId: number; embedding: Uint8Array }>(
          `SELECT v.chunk_id AS chunkId, b.turn_id AS turnId, v.embedding ${STORED}`,
          JSON.stringify(chunkIds),
          modelId,
        )
        .map(({ chunkId, turnId, embedding }) => ({
          chunkId,
          turnId,
          distance: cosineDistance(query, fromBytes(embedding)),
        }))
        .sort((a, b) => a.distance - b.distance || a.chunkId - b.chunkId);
    },
  };
}
