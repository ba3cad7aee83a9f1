/**
 * What a team's database needs before its tables: roles, pgvector, the schema. Takes the right to create roles and, on some
 * servers, extensions; what is there already is left alone. Where a provider forbids it, its administrator runs these.
 */
export const GROUND_STATEMENTS: readonly string[] = groundStatements("CURRENT_USER");

/** The same for `role`, an SQL identifier, as whoever runs them. */
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
