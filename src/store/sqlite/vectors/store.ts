import type { WindowType } from "../../../domain.ts";
import { MementorError } from "../../../errors.ts";
import type { ModelStore } from "../../store.ts";
import { type ActiveModel, checkDimensions, type SwitchOutcome } from "../../stored.ts";
import { type Connection, removeMeta, writeMeta } from "../connection/connection.ts";
import { fromBytes, toBytes } from "./math.ts";
import { activate, activeModel, addModel, requireModel, setActive } from "./models.ts";

/** Number of latest turns in each window; null for the whole session. */
const WINDOWS: readonly (readonly [WindowType, number | null])[] = [
  ["full", null],
  ["recent_5", 5],
  ["recent_10", 10],
];

/** Returns resources without an embedding of a model (by default the active model), ordered by name. */
export function pendingResources(connection: Connection, limit: number, modelId?: string): string[] {
  const model = modelId === undefined ? activeModel(connection) : requireModel(connection, modelId);
  return connection.column<string>(
    "SELECT resource FROM pending_resources WHERE model_id = ? ORDER BY resource LIMIT ?",
    model?.id ?? 0,
    limit,
  );
}

/** Stores embeddings of resources and marks the sessions that touched them for recomputation. */
export function saveResources(
  connection: Connection,
  resources: readonly { resource: string; vector: Float32Array }[],
  modelId?: string,
): void {
  if (resources.length === 0) return;
  connection.transaction(() => {
    const model = requireModel(connection, modelId);
    const isActive = model.id === activeModel(connection)?.id;
    for (const { resource, vector } of resources) {
      checkDimensions(model, vector);
      connection.run(
        // A resource without mentions was forgotten in the meantime.
        `INSERT OR IGNORE INTO resource_embeddings (model_id, resource, embedding)
           SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM file_mentions WHERE file_path = ?2)`,
        model.id,
        resource,
        toBytes(vector),
      );
      connection.run("DELETE FROM pending_resources WHERE model_id = ? AND resource = ?", model.id, resource);
      // Access patterns of the next model are computed when it becomes active.
      if (!isActive) continue;
      connection.run(
        `INSERT OR IGNORE INTO stale_access_patterns (session_id) SELECT DISTINCT t.session_id
           FROM file_mentions m CROSS JOIN turns t ON t.id = m.turn_id WHERE m.file_path = ?`,
        resource,
      );
    }
  });
}

/** Recomputes the access patterns of sessions whose resources changed. */
export function refreshAccessPatterns(connection: Connection): void {
  const model = activeModel(connection);
  if (model === null) return;
  connection.transaction(() => {
    for (const { sessionId } of connection.all<{ sessionId: string }>(
      "SELECT session_id AS sessionId FROM stale_access_patterns",
    )) {
      recompute(connection, model.id, sessionId);
    }
    connection.run("DELETE FROM stale_access_patterns");
  });
}

/** Computes the access patterns of all sessions for a model that becomes active. The caller runs it in a transaction. */
function computeAccessPatterns(connection: Connection, modelId: number): void {
  for (const { id } of connection.all<{ id: string }>("SELECT session_id AS id FROM sessions"))
    recompute(connection, modelId, id);
  connection.run("DELETE FROM stale_access_patterns");
}

function recompute(connection: Connection, modelId: number, sessionId: string): void {
  connection.run(
    "DELETE FROM session_access_patterns WHERE session_id = ? AND model_id = ?",
    sessionId,
    modelId,
  );
  for (const [window, turns] of WINDOWS) refresh(connection, modelId, sessionId, window, turns);
}

// Sorted by name, so that the sum does not depend on the order of the turns.
const RESOURCES = `WITH touching AS (
    SELECT t.id FROM turns t WHERE t.session_id = ?1
      AND EXISTS (SELECT 1 FROM file_mentions m WHERE m.turn_id = t.id)
    ORDER BY t.created_at IS NULL, t.created_at DESC, t.line_index DESC, coalesce(t.agent_id, '') LIMIT ?2),
  touched AS (SELECT DISTINCT m.file_path FROM touching CROSS JOIN file_mentions m ON m.turn_id = touching.id)
  SELECT r.embedding FROM touched CROSS JOIN resource_embeddings r
    ON r.model_id = ?3 AND r.resource = touched.file_path ORDER BY r.resource`;

function refresh(
  connection: Connection,
  modelId: number,
  sessionId: string,
  window: WindowType,
  turns: number | null,
): void {
  const rows = connection.all<{ embedding: Uint8Array }>(RESOURCES, sessionId, turns ?? -1, modelId);
  if (rows.length === 0) return;
  connection.run(
    `INSERT INTO session_access_patterns (session_id, model_id, window_type, centroid)
     SELECT $sessionId, $modelId, $window, $centroid
     WHERE EXISTS (SELECT 1 FROM sessions WHERE session_id = $sessionId)`,
    { sessionId, modelId, window, centroid: toBytes(mean(rows.map((row) => fromBytes(row.embedding)))) },
  );
}

/** Returns the component-wise mean of one or more vectors of equal length. */
export function mean(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  return Float32Array.from(sum, (value) => value / vectors.length);
}

/** Key in `meta` of the model that becomes active when its vectors are complete. */
const NEXT = "next_model";

/** Manages the models of a memory. Methods reject with `model_invalid` for an unknown model, or for removing one in use. */
export function modelStore(connection: Connection): ModelStore {
  return {
    active: async () => toModelInfo(activeModel(connection)),
    next: async () => toModelInfo(nextModel(connection)),
    async list() {
      const [active, next] = [activeModel(connection)?.id, nextModel(connection)?.id];
      return connection
        .all<ActiveModel & { vectors: number; pending: number }>(
          `SELECT m.id, m.name, m.dimensions,
             (SELECT count(*) FROM chunk_bits b WHERE b.model_id = m.id) AS vectors,
             (SELECT count(*) FROM pending_vectors p WHERE p.model_id = m.id) AS pending
           FROM models m ORDER BY m.id`,
        )
        .map(({ id, name, dimensions, vectors, pending }) => {
          return { id: name, dimensions, active: id === active, next: id === next, vectors, pending };
        });
    },
    async add(model) {
      connection.transaction(() => {
        const added = addModel(connection, model);
        if (activeModel(connection) === null) activate(connection, added);
      });
    },
    activate: async (id) => connection.transaction(() => activate(connection, requireModel(connection, id))),
    async prepare(model) {
      connection.transaction(() => {
        const added = addModel(connection, model);
        if (activeModel(connection)?.id === added.id) removeMeta(connection, NEXT);
        else writeMeta(connection, NEXT, String(added.id));
      });
    },
    switchTo: async (id) => connection.transaction(() => switchTo(connection, id)),
    async remove(id) {
      connection.transaction(() => {
        const model = requireModel(connection, id);
        if (activeModel(connection)?.id === model.id) {
          throw new MementorError("model_invalid", `${id} is in use; activate another model first`);
        }
        if (nextModel(connection)?.id === model.id) removeMeta(connection, NEXT);
        connection.run("DELETE FROM models WHERE id = ?", model.id);
      });
    },
  };
}

function toModelInfo(model: ActiveModel | null): { id: string; dimensions: number } | null {
  return model === null ? null : { id: model.name, dimensions: model.dimensions };
}

function nextModel(connection: Connection): ActiveModel | null {
  return connection.get<ActiveModel>(
    `SELECT m.id, m.name, m.dimensions FROM meta n JOIN models m ON m.id = CAST(n.value AS INTEGER)
     WHERE n.key = ?`,
    NEXT,
  );
}

function switchTo(connection: Connection, id: string): SwitchOutcome {
  const model = nextModel(connection);
  if (model?.name !== id) return "cancelled";
  const row = connection.get<{ missing: number }>(
    `SELECT EXISTS (SELECT 1 FROM pending_vectors WHERE model_id = ?1)
       OR EXISTS (SELECT 1 FROM pending_resources WHERE model_id = ?1) AS missing`,
    model.id,
  );
  if (row?.missing !== 0) return "pending";
  computeAccessPatterns(connection, model.id);
  setActive(connection, model);
  removeMeta(connection, NEXT);
  return "switched";
}
