import type { Database } from "../client/database.ts";
import { createIndex, dropIndex, INDEX_PREFIX, INDEXED_FROM, type IndexedVectors } from "./vector-index.ts";

interface Row {
  project: number;
  name: string;
  id: number;
  model: string;
  dimensions: number;
  state: "missing" | "invalid";
}

/** A project that gets an index of its vectors. */
export interface MissingIndex extends IndexedVectors {
  /** The name of the project. */
  name: string;
}

/**
 * Whether the role may build indexes: that of an administrator. No function can do it for the role of a member, since
 * `CREATE INDEX CONCURRENTLY` must stand outside of a transaction, and without `CONCURRENTLY` all members' pushes would wait
 * for minutes.
 */
export async function mayBuildIndexes(server: Database): Promise<boolean> {
  const [row] = await server.transaction((sql) =>
    sql.query<{ may: boolean }>("SELECT pg_has_role('mementor_owner', 'MEMBER') AS may"),
  );
  return row?.may ?? false;
}

/**
 * Builds the index of every project that has grown large enough to need one, one after the other, while others read and
 * write. The role must be a member of `mementor_owner`. An interrupted build is started anew by the next call; one that goes
 * on elsewhere is left alone.
 *
 * @param from number of chunks from which on a project needs an index.
 * @returns the projects that got an index.
 */
export async function buildVectorIndexes(
  server: Database,
  { from = INDEXED_FROM, onStart }: { from?: number; onStart?: (index: MissingIndex) => void } = {},
): Promise<MissingIndex[]> {
  const rows = await server.transaction(async (sql) => {
    await sql.run("SET LOCAL ROLE mementor_owner");
    return sql.query<Row>(MISSING, [from]);
  });
  const built: MissingIndex[] = [];
  for (const { project, name, state, ...row } of rows) {
    const missing = { project, name, model: { id: row.id, name: row.model, dimensions: row.dimensions } };
    onStart?.(missing);
    if (state === "invalid") await server.statement(dropIndex(missing));
    await server.statement(createIndex(missing));
    built.push(missing);
  }
  return built;
}

/** The active models of projects that are large enough, without a complete index. */
const MISSING = `SELECT p.project_id AS project, p.name, m.model_id AS id, m.name AS model, m.dimensions,
    CASE WHEN i.indexrelid IS NULL THEN 'missing' ELSE 'invalid' END AS state
  FROM mementor.projects p
  JOIN mementor.models m ON m.project_id = p.project_id AND m.model_id = p.active_model
  JOIN LATERAL (SELECT sum(u.chunks) AS chunks FROM mementor.usage u WHERE u.project_id = p.project_id) u ON true
  LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = 'mementor'::regnamespace
    AND c.relname = '${INDEX_PREFIX}' || p.project_id || '_' || m.model_id
  LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
  WHERE u.chunks >= $1 AND (i.indexrelid IS NULL OR NOT i.indisvalid AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_locks l WHERE l.relation = i.indrelid AND l.mode = 'ShareUpdateExclusiveLock'))
  ORDER BY p.project_id`;
