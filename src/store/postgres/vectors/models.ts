import { MementorError } from "../../../errors.ts";
import type { ActiveModel } from "../../vectors/models.ts";
import type { ProjectDatabase } from "../query.ts";

const MODEL = `SELECT m.model_id AS id, m.name, m.dimensions FROM mementor.models m WHERE m.project_id = :project`;
const OF_PROJECT = (column: "active_model" | "next_model") =>
  `m.model_id = (SELECT p.${column} FROM mementor.projects p WHERE p.project_id = :project)`;

/** Returns the active model; null in a project without one. */
export function activeModel(database: ProjectDatabase): Promise<ActiveModel | null> {
  return database.get<ActiveModel>(`${MODEL} AND ${OF_PROJECT("active_model")}`);
}

/** Returns the model that becomes active when its vectors are complete; null without one. */
export function nextModel(database: ProjectDatabase): Promise<ActiveModel | null> {
  return database.get<ActiveModel>(`${MODEL} AND ${OF_PROJECT("next_model")}`);
}

/** Returns the model with this id, by default the active model. Throws when there is none. */
export async function requireModel(database: ProjectDatabase, name?: string): Promise<ActiveModel> {
  const model =
    name === undefined
      ? await activeModel(database)
      : await database.get<ActiveModel>(`${MODEL} AND m.name = ?`, name);
  if (model !== null) return model;
  throw new MementorError("model_invalid", `the database has no vectors of ${name ?? "any model"}`);
}

/** Registers a model. Every chunk then lacks a vector of it. The first model becomes the active one. */
export async function addModel(
  database: ProjectDatabase,
  model: { id: string; dimensions: number },
): Promise<ActiveModel> {
  const known = await database.get<ActiveModel>(`${MODEL} AND m.name = ?`, model.id);
  if (known !== null && known.dimensions !== model.dimensions)
    throw new MementorError(
      "model_invalid",
      `${model.id} has ${known.dimensions} dimensions in this database`,
    );
  const row = await database.get<{ id: number }>(
    "SELECT mementor.add_model(:project, ?, ?) AS id",
    model.id,
    model.dimensions,
  );
  return { id: row?.id ?? 0, name: model.id, dimensions: model.dimensions };
}

/** Sets the active and the next model; the rights of an admin of the project are needed. */
export async function setModels(
  database: ProjectDatabase,
  active: number | null,
  next: number | null,
): Promise<void> {
  await database.get("SELECT mementor.set_models(:project, ?, ?)", active, next);
}
