import { checkDimensions } from "../../active-model.ts";
import type { IngestStore } from "../../store.ts";
import type { KnownEntry, PendingChunk, SourceState } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { fateOf } from "../export/fate.ts";
import { sourceName } from "../forget/fields.ts";
import { forgottenEntries } from "../forget/tombstones.ts";
import { letInAgain } from "../forget/undone-import.ts";
import { pendingResources, refreshAccessPatterns, saveResources } from "../vectors/access-patterns.ts";
import { activeModel, requireModel } from "../vectors/models.ts";
import { packBits, saveVector } from "../vectors/packed-bits.ts";
import { areForgotten, heldSessions, writeBatch } from "./batch.ts";
import { UUID_KEY } from "./details.ts";
import { storedId } from "./gate.ts";

type SourceRow = {
  [Key in keyof SourceState]: Key extends "skipped" | "sessions" | "leftOut" ? string : SourceState[Key];
};

export function ingestStore(connection: Connection): IngestStore {
  return {
    ...sources(connection),
    ...vectors(connection),
    async knownEntries(uuids) {
      const rows = connection.all<KnownEntry & { uuid: string }>(
        `SELECT j.value AS uuid, t.id AS turnId, t.session_id AS sessionId, t.agent_id AS agentId,
           t.prompt_uuid AS promptUuid
         FROM json_each(?) j CROSS JOIN entries e ON e.uuid = ${UUID_KEY} CROSS JOIN turns t ON t.id = e.turn_id
         WHERE t.foreign_origin IS NULL`,
        JSON.stringify(uuids),
      );
      const stored = rows.map(({ uuid, ...known }) => [uuid, known] as const);
      return new Map([...forgottenEntries(connection, uuids), ...stored]);
    },
    write: async (batch) => writeBatch(connection, batch),
    heldSessions: async (sessionIds) => heldSessions(connection, sessionIds),
    areForgotten: async (turns) => areForgotten(connection, turns),
    letInAgain: async (arriving) => letInAgain(connection, arriving),
    fates: async (turns, origin) =>
      connection.snapshot(() => turns.map((turn) => fateOf(connection, turn, origin))),
  };
}

/** How far transcripts were read. */
function sources(connection: Connection) {
  return {
    async source(path) {
      const row = connection.get<SourceRow>(
        `SELECT path, session_id AS sessionId, agent_id AS agentId, byte_offset AS byteOffset,
           line_index AS lineIndex, resume_offset AS resumeOffset, resume_line AS resumeLine, fingerprint, size,
           mtime_ms AS mtimeMs, skipped, sessions, left_out AS leftOut, reader_state AS readerState,
           reader_version AS readerVersion FROM sources WHERE path = ?`,
        sourceName(connection, storedId(path)),
      );
      if (row === null) return null;
      const { skipped, sessions, leftOut } = row;
      return {
        ...row,
        skipped: JSON.parse(skipped),
        sessions: JSON.parse(sessions),
        leftOut: JSON.parse(leftOut),
      };
    },
    async sourcesReadBefore(version) {
      // A copy that is read after its original must not replace the original.
      const sql = "SELECT path FROM sources WHERE reader_version < ? ORDER BY id";
      return connection.column<string>(sql, version);
    },
    async setReaderVersion(path, version) {
      const sql = "UPDATE sources SET reader_version = ? WHERE path = ?";
      connection.run(sql, version, sourceName(connection, path));
    },
  } satisfies Partial<IngestStore>;
}

/**
 * First the newest turns as a whole, then of every other turn what has its rank first, then the rest: while most is
 * missing, there is something of everything, and all of what is asked for most.
 */
function pendingInOrder(connection: Connection, modelId: number, limit: number): PendingChunk[] {
  const newest = connection.get<{ since: string }>(NEWEST)?.since ?? "";
  const first = connection.all<PendingChunk>(
    withContent(`model_id = ? AND vector_rank IN (0, 1) AND created_at >= ?
      ORDER BY created_at DESC, vector_rank, chunk_id DESC LIMIT ?`),
    modelId,
    newest,
    limit,
  );
  const others = connection.all<PendingChunk>(
    withContent(
      "model_id = ? AND created_at < ? ORDER BY vector_rank, created_at DESC, chunk_id DESC LIMIT ?",
    ),
    modelId,
    newest,
    limit - first.length,
  );
  return [...first, ...others];
}

/** When the newest tenth of the turns begins. */
const NEWEST = `SELECT created_at AS since FROM turns WHERE created_at IS NOT NULL
  ORDER BY created_at DESC LIMIT 1 OFFSET (SELECT count(*) / 10 FROM turns)`;

const READY = `SELECT vector_rank AS rank, count(*) AS total,
    (SELECT count(*) FROM pending_vectors p WHERE p.model_id = ? AND p.vector_rank = c.vector_rank) AS pending
  FROM chunks c WHERE vector_rank IS NOT NULL GROUP BY vector_rank`;

/** The chunks of some pending rows: only theirs are read. */
function withContent(pending: string): string {
  return `SELECT p.chunk_id AS chunkId, p.vector_rank AS rank, c.content
    FROM (SELECT chunk_id, vector_rank FROM pending_vectors WHERE ${pending}) p CROSS JOIN chunks c ON c.id = p.chunk_id`;
}

/** What has no vector yet, and the vectors that come. */
function vectors(connection: Connection) {
  return {
    async pendingCount(modelId) {
      const sql = "SELECT count(*) AS n FROM pending_vectors WHERE model_id = ?";
      const model = modelId === undefined ? activeModel(connection) : requireModel(connection, modelId);
      return connection.get<{ n: number }>(sql, model?.id ?? 0)?.n ?? 0;
    },
    async vectorsReady(modelId) {
      const model = modelId === undefined ? activeModel(connection) : requireModel(connection, modelId);
      const rows = connection.all<{ rank: number; pending: number; total: number }>(READY, model?.id ?? 0);
      const of = (rank: number) => {
        const { pending = 0, total = 0 } = rows.find((row) => row.rank === rank) ?? {};
        return { pending, total };
      };
      return { first: of(0), rest: of(1) };
    },
    async hasPendingVectors() {
      const row = connection.get<{ pending: number }>(
        `SELECT EXISTS (SELECT 1 FROM pending_vectors WHERE model_id = ?1)
           OR EXISTS (SELECT 1 FROM pending_resources WHERE model_id = ?1)
           OR EXISTS (SELECT 1 FROM stale_access_patterns) AS pending`,
        activeModel(connection)?.id ?? 0,
      );
      return row?.pending === 1;
    },
    async pendingChunks(limit, modelId) {
      const model = modelId === undefined ? activeModel(connection) : requireModel(connection, modelId);
      return model === null ? [] : pendingInOrder(connection, model.id, limit);
    },
    async latestPending(limit) {
      const model = activeModel(connection)?.id ?? 0;
      return connection.all<PendingChunk>(
        withContent("+model_id = ? ORDER BY chunk_id DESC LIMIT ?"),
        model,
        limit,
      );
    },
    async saveVectors(vectors, modelId) {
      if (vectors.length === 0) return;
      connection.transaction(() => {
        const model = requireModel(connection, modelId);
        for (const { chunkId, vector } of vectors) {
          checkDimensions(model, vector);
          saveVector(connection, model.id, chunkId, vector);
        }
        packBits(connection, model.id);
      });
    },
    pendingResources: async (limit, modelId) => pendingResources(connection, limit, modelId),
    saveResources: async (resources, modelId) => saveResources(connection, resources, modelId),
    refreshAccessPatterns: async () => refreshAccessPatterns(connection),
  } satisfies Partial<IngestStore>;
}
