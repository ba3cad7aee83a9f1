import type { LocalSearchStore } from "../../contract/store.ts";
import { isFile, isPath } from "../../shared/resources.ts";
import type { Connection } from "../connection/connection.ts";
import { sessionCondition } from "../filter.ts";
import { fromBytes } from "../vectors/math.ts";
import { activeModel } from "../vectors/models.ts";
import type { VectorSearch } from "../vectors/vector-search.ts";

/** What sessions touched: files and web addresses, and their vectors. */
export function byTouched(connection: Connection, vectors: () => Promise<VectorSearch>) {
  const modelId = () => activeModel(connection)?.id ?? 0;
  return {
    async accessPattern(sessionId, window) {
      const row = connection.get<{ centroid: Uint8Array }>(
        "SELECT centroid FROM session_access_patterns WHERE session_id = ? AND window_type = ? AND model_id = ?",
        sessionId,
        window,
        modelId(),
      );
      return row === null ? null : fromBytes(row.centroid);
    },
    async nearestSessions(pattern, limit, exceptSessionId, filter = {}) {
      const wanted = { exceptId: exceptSessionId, fits: sessionCondition(filter) };
      return (await vectors()).sessions(modelId(), pattern, limit, wanted);
    },
    async resourceVector(resource) {
      const row = connection.get<{ embedding: Uint8Array }>(
        "SELECT embedding FROM resource_embeddings WHERE resource = ? AND model_id = ?",
        resource,
        modelId(),
      );
      return row === null ? null : fromBytes(row.embedding);
    },
    async recentResources(sessionId, limits) {
      const files = new Set<string>();
      const urls = new Set<string>();
      const rows = connection.all<{ resource: string; url: number }>(
        RECENT_RESOURCES,
        sessionId,
        JSON.stringify([...(limits.except ?? [])]),
      );
      for (const { resource, url } of rows) {
        const [kept, limit] = url ? [urls, limits.urls] : [files, limits.files];
        if (kept.size < limit) kept.add(resource);
      }
      return { files: [...files], urls: [...urls] };
    },
  } satisfies Partial<LocalSearchStore>;
}

const RECENT_RESOURCES = `SELECT m.file_path AS resource, NOT ${isPath("m.file_path")} AS url
  FROM turns t CROSS JOIN file_mentions m ON m.turn_id = t.id WHERE t.session_id = ?
    AND (NOT ${isPath("m.file_path")} OR ${isFile("m.file_path")}) AND t.foreign_origin IS NULL AND t.id NOT IN (SELECT value FROM json_each(?))
  ORDER BY t.created_at IS NULL, t.created_at DESC, t.line_index DESC, m.rowid DESC`;
