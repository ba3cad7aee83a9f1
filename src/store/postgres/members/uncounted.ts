import type { Database, Statements } from "../client/database.ts";
import { sqlStateOf } from "../client/errors.ts";

/** Connections that a member may have open at once: several machines, each with hooks, a worker and MCP servers. */
export const MEMBER_CONNECTIONS = 20;

const DENIED = "42501";

/** Functions of the server that make large objects or write to them. */
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
 * Takes from members what no quota counts: connections without a limit, temporary tables and large objects. All roles have
 * the right to these by default; those that log in and are not of the team keep it. Returns the statements that this role
 * may not run, or that changed nothing.
 */
export async function takeUncounted(server: Database, name: string): Promise<string[]> {
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

/** What is still to be taken from a member. */
function missing(server: Database, name: string): Promise<Taking[]> {
  return server.transaction(async (sql) => {
    const [open] = await sql<{
      connections: boolean;
      temporary: boolean;
      objects: boolean;
      database: string;
    }>`
      SELECT r.rolconnlimit < 0 AS connections, quote_ident(pg_catalog.current_database()) AS database,
        pg_catalog.has_database_privilege(r.oid, pg_catalog.current_database(), 'TEMPORARY') AS temporary,
        pg_catalog.has_function_privilege(r.oid, 'pg_catalog.lo_create(oid)', 'EXECUTE') AS objects
      FROM pg_catalog.pg_roles r WHERE r.rolname = ${name}`;
    if (open === undefined) return [];
    const others = await otherRoles(sql);
    return [
      ...(open.connections ? [{ what: "connections", statements: [limitConnections(name)] }] : []),
      ...(open.temporary ? [taking("TEMPORARY", `DATABASE ${open.database}`, others)] : []),
      ...(open.objects ? [taking("EXECUTE", `FUNCTION ${LARGE_OBJECTS}`, others)] : []),
    ];
  });
}

function taking(right: string, on: string, others: readonly string[]): Taking {
  const grant = others.length === 0 ? [] : [`GRANT ${right} ON ${on} TO ${others.join(", ")}`];
  return { what: right, statements: [...grant, `REVOKE ${right} ON ${on} FROM PUBLIC`] };
}

/** The roles that log in and are not of the team, as SQL identifiers. */
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
    if (sqlStateOf(error) !== DENIED) throw error;
    return false;
  }
}
