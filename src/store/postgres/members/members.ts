import { MementorError } from "../../../errors.ts";
import type { Database, Statements } from "../client/database.ts";
import { writeRefusal } from "../schema/migrate.ts";

/** A member of a project with the size of their data. */
export interface Member {
  role: string;
  isAdmin: boolean;
  maxBytes: number;
  usedBytes: number;
  turns: number;
  /** Time when one of their devices last sent something, ISO 8601; null before the first. */
  lastSent: string | null;
}

/** A member's rights in a project. Absent rights stay unchanged. */
interface Rights {
  isAdmin?: boolean | undefined;
  maxBytes?: number | undefined;
}

/** Runs statements as the owner of the team's tables. Rejects with `server_denied` for a role without administrator rights. */
export function asOwner<T>(server: Database, work: (sql: Statements) => Promise<T>): Promise<T> {
  return server.transaction(async (sql) => {
    await becomeOwner(sql);
    return work(sql);
  });
}

/**
 * Switches the rest of the transaction to the owner.
 *
 * @throws `db_newer` or `db_older` when the schema is not this program's.
 */
export async function becomeOwner(sql: Statements): Promise<void> {
  await sql.script("SET LOCAL ROLE mementor_owner");
  const [meta] = await sql.query<{ version: number }>("SELECT schema_version AS version FROM mementor.meta");
  const refusal = writeRefusal(meta?.version ?? 0);
  if (refusal !== null) throw refusal;
}

/** Switches to the owner like `becomeOwner` if the role may. Otherwise the role sees what a member sees. */
export async function ownerIfAllowed(sql: Statements): Promise<void> {
  const [right] = await sql<{ isOwner: boolean }>`
    SELECT pg_catalog.pg_has_role('mementor_owner', 'MEMBER') AS "isOwner"`;
  if (right?.isOwner) await becomeOwner(sql);
}

/** Returns the id of a project; null when the team has none of this name. */
async function findProject(sql: Statements, name: string): Promise<number | null> {
  const [found] = await sql<{ id: number }>`
    SELECT project_id AS id FROM mementor.projects WHERE name = ${name}`;
  return found?.id ?? null;
}

/** Returns the id of a project. Rejects with `not_found` when the team has none of this name. */
export async function requireProject(sql: Statements, name: string): Promise<number> {
  const id = await findProject(sql, name);
  if (id !== null) return id;
  const known = await sql<{ name: string }>`SELECT name FROM mementor.projects ORDER BY name LIMIT 10`;
  const names = known.map((project) => project.name).join(", ");
  throw new MementorError("not_found", `The team has no project "${name}".`, {
    hint:
      names === "" ? "Add its first member: mementor team add NAME --project PROJECT." : `It has: ${names}.`,
  });
}

/** Rejects with `not_found` for a role that is not a member of the project. */
export async function requireMember(sql: Statements, project: string, role: string): Promise<void> {
  const id = await requireProject(sql, project);
  const [found] =
    await sql`SELECT 1 FROM mementor.members WHERE project_id = ${id}::bigint AND role = ${role}`;
  if (found === undefined) throw notMember(role, project);
}

/** Creates the project if it is new, and gives the member these rights. Returns true for a new project. */
export async function putMember(
  sql: Statements,
  project: string,
  role: string,
  { isAdmin, maxBytes }: Rights,
): Promise<boolean> {
  const made = await sql.run("INSERT INTO mementor.projects (name) VALUES ($1) ON CONFLICT DO NOTHING", [
    project,
  ]);
  const id = await requireProject(sql, project);
  await sql.run("INSERT INTO mementor.members (project_id, role) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    id,
    role,
  ]);
  await sql.run(
    `UPDATE mementor.members SET is_admin = coalesce($3::boolean, is_admin), max_bytes = coalesce($4::bigint, max_bytes)
     WHERE project_id = $1 AND role = $2`,
    [id, role, isAdmin ?? null, maxBytes ?? null],
  );
  return made > 0;
}

/**
 * Removes a role from a project. Returns the number of erased turns. Rejects with `not_found` for a role that is not a member.
 */
export async function removeMember(
  sql: Statements,
  project: string,
  role: string,
  options: { erase: boolean },
): Promise<number> {
  const id = await requireProject(sql, project);
  const removed = await sql.run("DELETE FROM mementor.members WHERE project_id = $1 AND role = $2", [
    id,
    role,
  ]);
  if (removed === 0 && !options.erase) throw notMember(role, project);
  if (!options.erase) return 0;
  const [erased] = await sql<{
    turns: number;
  }>`SELECT mementor.erase_author(${id}::bigint, ${role}::text) AS turns`;
  return erased?.turns ?? 0;
}

/** Lists the projects of a role by name. */
export async function listProjects(sql: Statements, role: string): Promise<string[]> {
  const rows = await sql<{
    name: string;
  }>`SELECT p.name FROM mementor.members m JOIN mementor.projects p USING (project_id)
    WHERE m.role = ${role} ORDER BY p.name`;
  return rows.map(({ name }) => name);
}

/** Lists the members of a project, as a member or an administrator sees them. */
export async function listMembers(sql: Statements, project: number): Promise<Member[]> {
  return sql<Member>`SELECT m.role, m.is_admin AS "isAdmin", m.max_bytes AS "maxBytes", m.used_bytes AS "usedBytes", m.turns,
      (SELECT to_char(max(d.seen_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM mementor.devices d
       WHERE d.project_id = ${project}::bigint AND d.author = m.role) AS "lastSent"
    FROM mementor.project_members(${project}::bigint) m`;
}

function notMember(role: string, project: string): MementorError {
  return new MementorError("not_found", `"${role}" is not a member of ${project}.`, {
    hint: `List the members: mementor team members --project ${project}.`,
  });
}

/** A model of a project, whose vectors members store. */
export interface ProjectModel {
  name: string;
  dimensions: number;
  /** Author who added it; null for a model of an older version. */
  author: string | null;
  vectors: number;
  /** True for the model whose vectors searches compare. */
  isActive: boolean;
}

export async function listModels(sql: Statements, project: number): Promise<ProjectModel[]> {
  return sql<ProjectModel>`SELECT m.name, m.dimensions, m.author, m.vectors, m.is_active AS "isActive"
    FROM mementor.project_models(${project}::bigint) m`;
}

/**
 * Removes a model of a project with its vectors or, without a name, all models without vectors. Must run as the owner. Returns
 * the names of the removed models. Rejects with `not_found` for an unknown name.
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
