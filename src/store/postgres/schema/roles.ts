/**
 * Makes the roles of a team's database. Needs the right to create roles; where a provider forbids that, its administrator
 * runs these statements.
 */
export const ROLE_STATEMENTS = [
  createRole("mementor_owner"),
  createRole("mementor_member"),
  "GRANT mementor_owner TO CURRENT_USER",
] as const;

function createRole(name: string): string {
  return `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '${name}') THEN CREATE ROLE ${name} NOLOGIN; END IF;
END $$`;
}
