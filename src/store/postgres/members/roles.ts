import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import * as v from "valibot";
import { MementorError } from "../../../errors.ts";
import { isReservedName } from "../../../text/names.ts";
import type { Database, Statements } from "../client/database.ts";
import { findSqlState } from "../client/errors.ts";

/** Returns the statements that create a member's login role. `name` comes from `roleName`. */
export function roleStatements(name: string, password: string): string[] {
  return [
    `CREATE ROLE "${name}" LOGIN CONNECTION LIMIT ${MEMBER_CONNECTIONS} PASSWORD '${scramVerifier(password)}'`,
    `GRANT mementor_member TO "${name}"`,
  ];
}

/** Returns the statement that changes a role's password. */
export function passwordStatement(name: string, password: string): string {
  return `ALTER ROLE "${name}" PASSWORD '${scramVerifier(password)}'`;
}

export function allowLogin(name: string): string {
  return `ALTER ROLE "${name}" LOGIN`;
}

/**
 * Returns the statement that disables a former member's login. The role stays, because its remaining turns must not fall to
 * another member.
 */
export function forbidLogin(name: string): string {
  return `ALTER ROLE "${name}" NOLOGIN`;
}

/**
 * State of a role. `member`: a role of the team that may log in; `former`: one that may not; `other`: a role outside the team.
 */
type RoleState = "none" | "member" | "former" | "other";

export async function roleState(sql: Statements, name: string): Promise<RoleState> {
  const [found] = await sql<{ canLogin: boolean; isOfTeam: boolean; hasMore: boolean }>`
    SELECT r.rolcanlogin AS "canLogin", r.rolsuper OR r.rolcreaterole OR r.rolbypassrls AS "hasMore",
      pg_catalog.pg_has_role(r.oid, 'mementor_member', 'MEMBER') AS "isOfTeam"
    FROM pg_catalog.pg_roles r WHERE r.rolname = ${name}`;
  if (found === undefined) return "none";
  if (!found.isOfTeam || found.hasMore) return "other";
  return found.canLogin ? "member" : "former";
}

/** PostgreSQL's default. */
const ITERATIONS = 4096;

/**
 * Returns the verifier that the server stores for a password. Passing it to `CREATE ROLE` keeps the password itself out of the
 * connection and the server's log. The password must be ASCII.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5803
 */
function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const key = (name: string) => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(key("Client Key")).digest("base64");
  const salt64 = Buffer.from(salt).toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt64}$${stored}:${key("Server Key").toString("base64")}`;
}

/** Generates a password of 24 characters that need no encoding in a URL. */
export function newPassword(): string {
  return randomBytes(18).toString("base64url");
}

const NAME = v.pipe(
  v.string(),
  v.regex(/^[a-z_][a-z0-9_.-]{0,62}$/),
  v.check((name) => !/^(?:pg_|mementor_)/.test(name) && name !== "public" && name !== "none"),
);

/** Checks the name of a new member. It must not have another meaning in lists and filters. Throws `usage`. */
export function newRoleName(typed: string): string {
  const name = roleName(typed);
  if (!isReservedName(name)) return name;
  throw new MementorError("usage", `"${name}" cannot be a member's name: it has another meaning here.`, {
    hint: "Use the person's name, such as ada or ada.lovelace.",
  });
}

/** Checks the name of a member, which is also a database role. Throws `usage`. */
export function roleName(typed: string): string {
  const parsed = v.safeParse(NAME, typed);
  if (parsed.success) return parsed.output;
  throw new MementorError("usage", `"${typed}" cannot be a member's name.`, {
    hint: "Use lower-case letters, digits, and . _ -, such as ada or ada.lovelace; not pg_… or mementor_….",
  });
}

/** Maximum open connections of a member: several machines, each with hooks, a worker and MCP servers. */
export const MEMBER_CONNECTIONS = 20;

const DENIED = "42501";

/** Server functions that create large objects or write to them. */
const LARGE_OBJECTS = [
  "lo_creat(integer)",
  "lo_create(oid)",
  "lo_from_bytea(oid, bytea)",
  "lo_import(text)",
  "lo_import(text, oid)",
  "lo_open(oid, integer)",
  "lo_put(oid, bigint, bytea)",
  "lowrite(integer, bytea)",
]
  .map((name) => `pg_catalog.${name}`)
  .join(", ");

function limitConnections(name: string): string {
  return `ALTER ROLE "${name}" CONNECTION LIMIT ${MEMBER_CONNECTIONS}`;
}

/**
 * Revokes rights that no quota limits: unlimited connections, temporary tables, large objects, and objects outside the schema
 * `mementor`, where a member could also create functions that run as a reading colleague. By default all roles have the first
 * three rights, and the last one in databases from PostgreSQL before 15. Login roles outside the team keep them. Returns the
 * statements that this role may not run, or that had no effect.
 */
export async function revokeUnlimitedRights(server: Database, name: string): Promise<string[]> {
  const left: string[] = [];
  for (const take of await missing(server, name)) {
    const isDone = await run(server, take.statements);
    if (!isDone || (await missing(server, name)).some(({ what }) => what === take.what))
      left.push(...take.statements);
  }
  return left;
}

interface Taking {
  what: string;
  statements: string[];
}

/** Returns the rights that are still to be revoked from a member. */
function missing(server: Database, name: string): Promise<Taking[]> {
  return server.transaction(async (sql) => {
    const [open] = await sql<{
      connections: boolean;
      temporary: boolean;
      objects: boolean;
      schemas: boolean;
      tables: boolean;
      database: string;
    }>`
      SELECT r.rolconnlimit < 0 AS connections, quote_ident(pg_catalog.current_database()) AS database,
        pg_catalog.has_database_privilege(r.oid, pg_catalog.current_database(), 'TEMPORARY') AS temporary,
        pg_catalog.has_database_privilege(r.oid, pg_catalog.current_database(), 'CREATE') AS schemas,
        coalesce(pg_catalog.has_schema_privilege(r.oid, to_regnamespace('public')::oid, 'CREATE'), false) AS tables,
        pg_catalog.has_function_privilege(r.oid, 'pg_catalog.lo_create(oid)', 'EXECUTE') AS objects
      FROM pg_catalog.pg_roles r WHERE r.rolname = ${name}`;
    if (open === undefined) return [];
    const others = await otherRoles(sql);
    return [
      ...(open.connections ? [{ what: "connections", statements: [limitConnections(name)] }] : []),
      ...(open.temporary ? [taking("TEMPORARY", `DATABASE ${open.database}`, others)] : []),
      ...(open.schemas ? [taking("CREATE", `DATABASE ${open.database}`, others)] : []),
      ...(open.tables ? [taking("CREATE", "SCHEMA public", others)] : []),
      ...(open.objects ? [taking("EXECUTE", `FUNCTION ${LARGE_OBJECTS}`, others)] : []),
    ];
  });
}

function taking(right: string, on: string, others: readonly string[]): Taking {
  const grant = others.length === 0 ? [] : [`GRANT ${right} ON ${on} TO ${others.join(", ")}`];
  return { what: `${right} ON ${on}`, statements: [...grant, `REVOKE ${right} ON ${on} FROM PUBLIC`] };
}

/** Returns the login roles outside the team, as SQL identifiers. */
async function otherRoles(sql: Statements): Promise<string[]> {
  const rows = await sql<{ role: string }>`
    SELECT quote_ident(r.rolname) AS role FROM pg_catalog.pg_roles r
    WHERE r.rolcanlogin AND NOT r.rolsuper AND NOT pg_catalog.pg_has_role(r.oid, 'mementor_member', 'MEMBER') ORDER BY 1`;
  return rows.map(({ role }) => role);
}

async function run(server: Database, statements: readonly string[]): Promise<boolean> {
  try {
    await server.transaction(async (sql) => {
      for (const statement of statements) await sql.script(statement);
    });
    return true;
  } catch (error) {
    if (findSqlState(error) !== DENIED) throw error;
    return false;
  }
}
