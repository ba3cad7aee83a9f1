import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { connect as connectTo } from "../../../src/store/postgres/client/connect.ts";
import { setUpDatabase } from "../../../src/store/postgres/schema/migrate.ts";
import { type Prepared, startPglite, type TestServer } from "./pglite.ts";

const STORE = join(import.meta.dir, "../../../src/store/postgres");
/** What decides what the schema is. */
const SOURCES = [
  ...new Bun.Glob("{migrations,schema}/*.{sql,ts}").scanSync({ cwd: STORE, absolute: true }),
].sort();

/** The password of all members on a real server, which wants one. */
const PASSWORD = "of a member";

/** A team's database for tests, with its schema. */
export interface TestTeam extends AsyncDisposable {
  readonly server: Pick<TestServer, "url" | "urlOf">;
  /** A connection of the superuser. */
  readonly admin: SQL;
  /** Makes a project with these members, and returns its id. */
  addProject(name: string, members: readonly string[], admins?: readonly string[]): Promise<number>;
  /** The URL of a member. */
  urlOf(role: string): string;
  /** A connection as a role, closed with the team. */
  as(role: string, options?: { max?: number }): SQL;
}

/** The schema, in the files with which a server starts. */
const SCHEMA: Prepared = {
  name: Bun.hash(SOURCES.map((path) => readFileSync(path, "utf8")).join("")).toString(36),
  make: ({ url }) => setUp(url),
};

async function setUp(url: string): Promise<void> {
  await using server = await connectTo(url, { env: {}, home: "/nowhere" });
  await setUpDatabase(server);
}

export async function startTeam(
  server: TestServer | Promise<TestServer> = startPglite(SCHEMA),
): Promise<TestTeam> {
  const started = await server;
  const password = "control" in started ? PASSWORD : undefined;
  const opened: SQL[] = [];
  const connect = (url: string, max = 1) => {
    const sql = new SQL(url, { max, prepare: false, bigint: true });
    opened.push(sql);
    return sql;
  };
  const admin = connect(started.url);
  await setUp(started.url);
  return {
    server: started,
    admin,
    async addProject(name, members, admins = []) {
      const [project] = await admin.unsafe(
        "INSERT INTO mementor.projects (name) VALUES ($1) RETURNING project_id::int AS id",
        [name],
      );
      for (const role of [...members, ...admins]) {
        await admin.unsafe(
          `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
             CREATE ROLE "${role}" LOGIN${password === undefined ? "" : ` PASSWORD '${password}'`} IN ROLE mementor_member; END IF; END $$`,
        );
        await admin.unsafe("INSERT INTO mementor.members (project_id, role, is_admin) VALUES ($1, $2, $3)", [
          project.id,
          role,
          admins.includes(role),
        ]);
      }
      return project.id;
    },
    urlOf: (role) => started.urlOf(role, password),
    as: (role, options = {}) => connect(started.urlOf(role, password), options.max),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((sql) => sql.close()));
      await started.stop();
    },
  };
}
