import { MementorError } from "../../../errors.ts";
import type { Database, Statements } from "../client/database.ts";
import { findSqlState } from "../client/errors.ts";
import initial from "../migrations/001_initial.sql" with { type: "text" };
import policies from "../migrations/002_policies.sql" with { type: "text" };
import triggers from "../migrations/003_triggers.sql" with { type: "text" };
import functions from "../migrations/004_functions.sql" with { type: "text" };
import search from "../migrations/005_search.sql" with { type: "text" };
import members from "../migrations/006_members.sql" with { type: "text" };
import growth from "../migrations/007_growth.sql" with { type: "text" };
import limits from "../migrations/008_limits.sql" with { type: "text" };

/** Migrations in order: the nth one upgrades a database from version `n - 1` to `n`. */
const MIGRATIONS = [
  initial,
  policies,
  triggers,
  functions,
  search,
  members,
  growth,
  limits,
] as const satisfies {
  length: typeof SCHEMA_VERSION;
};

/** SQL of the version table, which must exist before the first migration can read and lock it. */
const FIRST = `
  CREATE TABLE IF NOT EXISTS mementor.meta (
    id             integer PRIMARY KEY CHECK (id = 1),
    schema_version integer NOT NULL,
    -- A member notices that it talks to another server.
    server_id      uuid NOT NULL DEFAULT gen_random_uuid()
  );
  INSERT INTO mementor.meta (id, schema_version) VALUES (1, 0) ON CONFLICT DO NOTHING`;

/** Errors that occur when two programs set up a database at once, and the later one finds existing objects. */
const MADE_MEANWHILE = new Set(["23505", "42710", "42P06", "42P07", "XX000"]);
const MAX_ATTEMPTS = 5;

interface SetUp {
  /** Version of the schema before the call; 0 for a new database. */
  from: number;
  to: number;
}

/**
 * Creates roles, extension and schema of a team's database, or upgrades an older one. Repeating it changes nothing. The role must
 * be able to create roles and the extension `vector`, unless both exist.
 *
 * @throws `db_newer` when a newer program has changed the schema.
 */
export async function setUpDatabase(server: Database): Promise<SetUp> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await server.transaction(async (sql) => {
        for (const statement of GROUND_STATEMENTS) await sql.script(statement);
        return migrate(sql);
      });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !MADE_MEANWHILE.has(findSqlState(error) ?? "")) throw error;
    }
  }
}

/** Upgrades the schema. The role must be a member of `mementor_owner`. */
async function migrate(sql: Statements): Promise<SetUp> {
  const [extension] = await sql.query<{ schema: string }>(
    `SELECT quote_ident(n.nspname) AS schema FROM pg_catalog.pg_extension e
     JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  await sql.script("SET LOCAL ROLE mementor_owner");
  await sql.script(`SET LOCAL search_path TO mementor, ${extension?.schema ?? "public"}`);
  await sql.script("GRANT USAGE ON SCHEMA mementor TO mementor_member");
  await sql.script(FIRST);
  // A second program waits here, and then finds nothing to do.
  const [meta] = await sql.query<{ version: number }>(
    "SELECT schema_version AS version FROM mementor.meta WHERE id = 1 FOR UPDATE",
  );
  const from = meta?.version ?? 0;
  if (from > SCHEMA_VERSION) throw writeRefusal(from);
  for (const migration of MIGRATIONS.slice(from)) await sql.script(migration);
  await sql.run("UPDATE mementor.meta SET schema_version = $1 WHERE id = 1 AND schema_version <> $1", [
    SCHEMA_VERSION,
  ]);
  return { from, to: SCHEMA_VERSION };
}

/**
 * Prerequisites of a team's tables: roles, pgvector, the schema. They need the right to create roles and, on some servers,
 * extensions; existing objects stay unchanged. If a provider forbids them, its administrator runs them.
 */
const GROUND_STATEMENTS: readonly string[] = groundStatements("CURRENT_USER");

/** Returns these statements for `role`, an SQL identifier that runs them. */
export function groundStatements(role: string): string[] {
  const name =
    role === "CURRENT_USER" ? "current_user" : `'${role.replaceAll('"', "").replaceAll("'", "''")}'`;
  return [
    createRole("mementor_owner"),
    createRole("mementor_member"),
    unless(`pg_catalog.pg_has_role(${name}, 'mementor_owner', 'MEMBER')`, `GRANT mementor_owner TO ${role}`),
    "CREATE EXTENSION IF NOT EXISTS vector",
    unless(
      "EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'mementor')",
      "CREATE SCHEMA mementor AUTHORIZATION mementor_owner",
    ),
  ];
}

function createRole(name: string): string {
  return unless(
    `EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '${name}')`,
    `CREATE ROLE ${name} NOLOGIN`,
  );
}

function unless(condition: string, statement: string): string {
  return `DO $$ BEGIN IF NOT ${condition} THEN ${statement}; END IF; END $$`;
}

/** Version of the schema that this program knows, and number of migrations. */
export const SCHEMA_VERSION = 8;

/** Returns the error for writing to a database with another schema; null for the program's own. */
export function writeRefusal(found: number): MementorError | null {
  if (found === SCHEMA_VERSION) return null;
  return found > SCHEMA_VERSION ? newerSchema(found) : olderSchema(found);
}

function newerSchema(found: number): MementorError {
  return new MementorError("db_newer", "the team's database was changed by a newer mementor", {
    hint: `It has version ${found}, this program supports ${SCHEMA_VERSION}. You can read it; to write, update mementor.`,
  });
}

function olderSchema(found: number): MementorError {
  return new MementorError("db_older", "the team's database was made by an older mementor", {
    hint: `It has version ${found}, this program needs ${SCHEMA_VERSION}: an administrator runs \`mementor team init\` again.`,
  });
}
