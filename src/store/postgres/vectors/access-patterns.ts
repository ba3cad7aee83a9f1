import type { WindowType } from "../../../domain.ts";
import { mean, WINDOWS } from "../../vectors/access-patterns.ts";
import type { ActiveModel } from "../../vectors/models.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../text.ts";
import { activeModel } from "./models.ts";
import { parseVector, vectorLiteral } from "./vector-text.ts";

const OWN = "project_id = :project AND author = current_user";

/** Returns resources that the caller's turns mention and that have no embedding of the model, ordered by name. */
export async function pendingResources(
  database: ProjectDatabase,
  limit: number,
  model: ActiveModel | null,
): Promise<string[]> {
  const rows = await database.all<{ resource: string }>(
    `SELECT DISTINCT m.file_path AS resource FROM mementor.file_mentions m
     WHERE m.project_id = :project AND m.author = current_user AND NOT EXISTS (SELECT 1 FROM mementor.resource_embeddings r
       WHERE r.project_id = :project AND r.model_id = ? AND r.resource = m.file_path AND r.author = current_user)
     ORDER BY m.file_path LIMIT ?`,
    model?.id ?? 0,
    model === null ? 0 : limit,
  );
  return rows.map(({ resource }) => resource);
}

/** Stores embeddings of resources and marks the caller's sessions that touched them for recomputation. */
export async function saveResources(
  database: ProjectDatabase,
  resources: readonly { resource: string; vector: Float32Array }[],
  model: ActiveModel,
): Promise<void> {
  const names = json(resources.map(({ resource }) => resource));
  await database.run(
    // A resource without mentions was removed in the meantime.
    `INSERT INTO mementor.resource_embeddings (project_id, model_id, resource, embedding)
     SELECT :project, ?, r.resource, r.vector::vector FROM json_to_recordset(?::text::json) AS r (resource text, vector text)
     WHERE EXISTS (SELECT 1 FROM mementor.file_mentions m WHERE m.project_id = :project AND m.author = current_user
       AND m.file_path = r.resource) ON CONFLICT DO NOTHING`,
    model.id,
    json(resources.map(({ resource, vector }) => ({ resource, vector: vectorLiteral(vector) }))),
  );
  // Access patterns of the next model are computed when it becomes active.
  if ((await activeModel(database))?.id !== model.id) return;
  await database.run(
    `INSERT INTO mementor.stale_access_patterns (project_id, session_id)
     SELECT DISTINCT :project, t.session_id FROM jsonb_array_elements_text(?::text::jsonb) AS j (value)
     JOIN mementor.file_mentions m ON m.project_id = :project AND m.author = current_user AND m.file_path = j.value
     JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = m.turn_id ON CONFLICT DO NOTHING`,
    names,
  );
}

/** Recomputes the access patterns of the caller's sessions whose resources changed. */
export async function refreshAccessPatterns(database: ProjectDatabase): Promise<void> {
  const model = await activeModel(database);
  if (model === null) return;
  const stale = await database.all<{ id: string }>(
    `SELECT session_id AS id FROM mementor.stale_access_patterns WHERE ${OWN}`,
  );
  for (const { id } of stale) await recompute(database, model.id, id);
  await database.run(`DELETE FROM mementor.stale_access_patterns WHERE ${OWN}`);
}

/** Computes the access patterns of the caller's sessions for a model that becomes active. */
export async function computeAccessPatterns(database: ProjectDatabase, modelId: number): Promise<void> {
  const sessions = await database.all<{ id: string }>(
    `SELECT session_id AS id FROM mementor.sessions WHERE ${OWN}`,
  );
  for (const { id } of sessions) await recompute(database, modelId, id);
  await database.run(`DELETE FROM mementor.stale_access_patterns WHERE ${OWN}`);
}

export async function markAllStale(database: ProjectDatabase): Promise<void> {
  await database.run(
    `INSERT INTO mementor.stale_access_patterns (project_id, session_id)
     SELECT :project, session_id FROM mementor.sessions WHERE ${OWN} ON CONFLICT DO NOTHING`,
  );
}

// Read in order of name, so that the sum does not depend on the order of the turns.
const RESOURCES = `WITH touching AS (
    SELECT t.turn_id FROM mementor.turns t WHERE t.project_id = :project AND t.author = current_user AND t.session_id = ?
      AND EXISTS (SELECT 1 FROM mementor.file_mentions m WHERE m.project_id = :project AND m.turn_id = t.turn_id)
    ORDER BY t.created_at DESC NULLS LAST, t.line_index DESC NULLS LAST, coalesce(t.agent_id, '') LIMIT ?),
  touched AS (SELECT DISTINCT m.file_path FROM touching
    JOIN mementor.file_mentions m ON m.project_id = :project AND m.turn_id = touching.turn_id)
  SELECT r.embedding::text AS embedding FROM touched JOIN mementor.resource_embeddings r ON r.project_id = :project
    AND r.model_id = ? AND r.resource = touched.file_path AND r.author = current_user ORDER BY r.resource`;

async function recompute(database: ProjectDatabase, modelId: number, sessionId: string): Promise<void> {
  await database.run(
    `DELETE FROM mementor.session_access_patterns WHERE ${OWN} AND session_id = ? AND model_id = ?`,
    sessionId,
    modelId,
  );
  for (const [window, turns] of WINDOWS) await refresh(database, modelId, sessionId, { window, turns });
}

async function refresh(
  database: ProjectDatabase,
  modelId: number,
  sessionId: string,
  { window, turns }: { window: WindowType; turns: number | null },
): Promise<void> {
  const rows = await database.all<{ embedding: string }>(RESOURCES, sessionId, turns, modelId);
  if (rows.length === 0) return;
  await database.run(
    `INSERT INTO mementor.session_access_patterns (project_id, session_id, model_id, window_type, centroid)
     SELECT :project, s.session_id, ?, ?, ?::text::vector FROM mementor.sessions s
     WHERE s.project_id = :project AND s.author = current_user AND s.session_id = ?`,
    modelId,
    window,
    vectorLiteral(mean(rows.map((row) => parseVector(row.embedding)))),
    sessionId,
  );
}
