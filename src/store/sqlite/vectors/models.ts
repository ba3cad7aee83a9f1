import { MementorError } from "../../../errors.ts";
import type { ActiveModel } from "../../stored.ts";
import type { Connection } from "../connection/connection.ts";
import { writeMeta } from "../connection/connection.ts";

const ACTIVE = `SELECT m.id, m.name, m.dimensions FROM meta a JOIN models m ON m.id = CAST(a.value AS INTEGER)
  WHERE a.key = 'active_model'`;

/** Returns the active model; null in a database without one. */
export function activeModel(connection: Connection): ActiveModel | null {
  return connection.get<ActiveModel>(ACTIVE);
}

/** Returns the model with this id, by default the active model. Throws when there is none. */
export function requireModel(connection: Connection, name?: string): ActiveModel {
  const model =
    name === undefined
      ? activeModel(connection)
      : connection.get<ActiveModel>("SELECT id, name, dimensions FROM models WHERE name = ?", name);
  if (model !== null) return model;
  throw new MementorError("model_invalid", `the database has no vectors of ${name ?? "any model"}`);
}

/**
 * Registers a model. Every chunk that needs a vector is then pending.
 *
 * @throws `model_invalid` for a model that is registered with other dimensions.
 */
export function addModel(connection: Connection, model: { id: string; dimensions: number }): ActiveModel {
  const known = connection.get<ActiveModel>(
    "SELECT id, name, dimensions FROM models WHERE name = ?",
    model.id,
  );
  if (known !== null) {
    if (known.dimensions === model.dimensions) return known;
    throw new MementorError(
      "model_invalid",
      `${model.id} has ${known.dimensions} dimensions in this database`,
    );
  }
  const { lastId } = connection.run(
    "INSERT INTO models (name, dimensions) VALUES (?, ?)",
    model.id,
    model.dimensions,
  );
  connection.run(
    `INSERT INTO pending_vectors (model_id, vector_rank, created_at, chunk_id)
       SELECT ?, c.vector_rank, coalesce(t.created_at, ''), c.id FROM chunks c JOIN turns t ON t.id = c.turn_id
       WHERE c.vector_rank IS NOT NULL`,
    lastId,
  );
  connection.run(
    "INSERT INTO pending_resources (model_id, resource) SELECT DISTINCT ?, file_path FROM file_mentions",
    lastId,
  );
  return { id: lastId, name: model.id, dimensions: model.dimensions };
}

export function activate(connection: Connection, model: ActiveModel): void {
  setActive(connection, model);
  connection.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) SELECT session_id FROM sessions");
}

export function setActive(connection: Connection, model: ActiveModel): void {
  writeMeta(connection, "active_model", String(model.id));
}
