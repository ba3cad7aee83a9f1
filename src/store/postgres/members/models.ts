import { MementorError } from "../../../errors.ts";
import type { Statements } from "../client/statements.ts";

/** A model of a project, whose vectors members store. */
export interface ProjectModel {
  name: string;
  dimensions: number;
  /** Who added it; null for one of an older version. */
  author: string | null;
  vectors: number;
  /** Searches compare vectors of this model. */
  isActive: boolean;
}

export async function listModels(sql: Statements, project: number): Promise<ProjectModel[]> {
  return sql<ProjectModel>`SELECT m.name, m.dimensions, m.author, m.vectors, m.is_active AS "isActive"
    FROM mementor.project_models(${project}::bigint) m`;
}

/**
 * Removes a model of a project with its vectors or, without a name, all that have none. Run it as the owner. Returns the
 * names of what went. Rejects with `not_found` for an unknown name.
 */
export async function eraseModels(sql: Statements, project: number, name: string | null): Promise<string[]> {
  const [row] = await sql<{ gone: string }>`
    SELECT pg_catalog.array_to_json(mementor.erase_models(${project}::bigint, ${name}::text))::text AS gone`;
  const gone: string[] = JSON.parse(row?.gone ?? "[]");
  if (name !== null && gone.length === 0)
    throw new MementorError("not_found", `The project has no model "${name}".`, {
      hint: "See which it has: mementor team models.",
    });
  return gone;
}
