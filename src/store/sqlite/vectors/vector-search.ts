import type { WindowType } from "../../../domain.ts";
import { MementorError } from "../../../errors.ts";
import type { ChunkDistance } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import type { Condition } from "../filter.ts";
import { cosineDistance, fromBytes, toBytes } from "./math.ts";

export type VectorBackend = "auto" | "extension" | "scan";

/** Path of the sqlite-vec library, or a function that returns it; null without one. */
export type VecLibrary = string | (() => string | Promise<string>) | null;

/** Exact vector search by an extension or a scan, with equal results. `scan` works with every build of SQLite. */
export interface VectorSearch {
  readonly backend: "extension" | "scan";
  /** Returns the cosine distances of those chunks that have a vector, nearest first; of equal distances, the lower id first. */
  distances(modelId: number, query: Float32Array, chunkIds: readonly number[]): ChunkDistance[];
  /** Returns the other matching sessions by the distance of their access patterns, nearest first. */
  sessions(
    modelId: number,
    pattern: Float32Array,
    limit: number,
    wanted: { exceptId: string; fits: Condition },
  ): SessionDistance[];
}

export interface SessionDistance {
  sessionId: string;
  distance: number;
}

/** The entry point of sqlite-vec. SQLite finds it by itself only in a file called `vec0`. */
const ENTRY_POINT = "sqlite3_vec_init";

/**
 * Loads the extension, or falls back to the scan for `auto`.
 *
 * @throws `assets_broken` when the extension was requested and cannot be loaded.
 */
export async function openVectorSearch(
  connection: Connection,
  options: { vectorBackend: VectorBackend; vecLibrary: VecLibrary; log?: (message: string) => void },
): Promise<VectorSearch> {
  if (options.vectorBackend === "scan") return scan(connection);
  try {
    const { vecLibrary } = options;
    if (vecLibrary === null) throw new Error("no library given");
    const file = typeof vecLibrary === "string" ? vecLibrary : await vecLibrary();
    connection.db.loadExtension(file, ENTRY_POINT);
    return extension(connection);
  } catch (cause) {
    const message = `sqlite-vec cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`;
    if (options.vectorBackend === "extension") throw new MementorError("assets_broken", message, { cause });
    options.log?.(`${message}; vectors are scanned without it`);
    return scan(connection);
  }
}

const PATTERNS = `FROM session_access_patterns
  WHERE window_type = '${"full" satisfies WindowType}' AND model_id = ? AND session_id <> ?`;
const STORED = `FROM json_each(?) j CROSS JOIN chunk_vectors v ON v.chunk_id = j.value AND v.model_id = ?`;

function extension(connection: Connection): VectorSearch {
  return {
    backend: "extension",
    distances(modelId, query, chunkIds) {
      return connection.all<ChunkDistance>(
        `SELECT v.chunk_id AS chunkId, coalesce(vec_distance_cosine(v.embedding, ?), 1.0) AS distance
         ${STORED} ORDER BY 2, 1`,
        toBytes(query),
        JSON.stringify(chunkIds),
        modelId,
      );
    },
    sessions(modelId, pattern, limit, { exceptId, fits }) {
      return connection.all<SessionDistance>(
        `SELECT session_id AS sessionId, coalesce(vec_distance_cosine(centroid, ?), 1.0) AS distance
         ${PATTERNS} AND ${fits.sql("session_id")} ORDER BY 2, 1 LIMIT ?`,
        toBytes(pattern),
        modelId,
        exceptId,
        ...fits.params,
        limit,
      );
    },
  };
}

function scan(connection: Connection): VectorSearch {
  return {
    backend: "scan",
    distances(modelId, query, chunkIds) {
      return connection
        .all<{ chunkId: number; embedding: Uint8Array }>(
          `SELECT v.chunk_id AS chunkId, v.embedding ${STORED}`,
          JSON.stringify(chunkIds),
          modelId,
        )
        .map(({ chunkId, embedding }) => ({ chunkId, distance: cosineDistance(query, fromBytes(embedding)) }))
        .sort((a, b) => a.distance - b.distance || a.chunkId - b.chunkId);
    },
    sessions(modelId, pattern, limit, { exceptId, fits }) {
      return connection
        .all<{ sessionId: string; centroid: Uint8Array }>(
          `SELECT session_id AS sessionId, centroid ${PATTERNS} AND ${fits.sql("session_id")}`,
          modelId,
          exceptId,
          ...fits.params,
        )
        .map((row) => ({
          sessionId: row.sessionId,
          distance: cosineDistance(pattern, fromBytes(row.centroid)),
        }))
        .sort((a, b) => a.distance - b.distance || (a.sessionId < b.sessionId ? -1 : 1))
        .slice(0, limit);
    },
  };
}
