import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { startPglite, type TestServer } from "../support/postgres/pglite.ts";
import { Sandbox } from "../support/sandbox.ts";
import { schemaProblems } from "../support/schema.ts";

let server: TestServer;
let sandbox: Sandbox;
let admin: SQL;

beforeAll(async () => {
  server = await startPglite();
  sandbox = await Sandbox.create();
  admin = new SQL(server.url, { max: 1, prepare: false, bigint: true });
  await Bun.$`git init -q ${sandbox.project}`.quiet();
  await Bun.write(
    join(sandbox.project, ".git", "config"),
    '[remote "origin"]\n\turl = git@github.com:Acme/shop.git\n',
  );
});
afterAll(async () => {
  await admin.close();
  await server.stop();
  await sandbox[Symbol.asyncDispose]();
});

const team = (...args: string[]) =>
  sandbox.run([
    "team",
    ...args,
    ...(args.includes("--project") ? [] : ["--project", "github.com/Acme/shop"]),
  ]);
const json = async (...args: string[]) => {
  const value = JSON.parse((await team(...args, "--json")).stdout);
  expect(schemaProblems("team", value)).toEqual([]);
  return value;
};
const logIn = async (name: string, password: string) => {
  await using sql = new SQL(server.urlOf(name, password), { max: 1, prepare: false });
  const [row] = await sql.unsafe("SELECT current_user::text AS name");
  return row.name;
};

describe("a team's administrator", () => {
  test("is told what is missing before a server is known", async () => {
    const { stderr, exitCode } = await team("members");
    expect(stderr).toContain("No server is known to manage.");
    expect(exitCode).toBe(64);
  });

  test("does not give a password on the command line", async () => {
    const { stderr, exitCode } = await team("init", server.urlOf("postgres", "hunter-two"));
    expect(stderr).toContain("A password on the command line can be read by others");
    expect(stderr).not.toContain("hunter-two");
    expect(exitCode).toBe(64);
  });

  test("sets the database up, twice without harm", async () => {
    expect((await team("init", server.url)).stdout).toContain("is ready for a team");
    const again = await json("init", server.url);
    expect(again.from).toBe(again.to);
    const settings = join(sandbox.home, ".config", "mementor", "team-server.json");
    expect(statSync(settings).mode & 0o777).toBe(0o600);
  });

  test("adds a member, who can log in with the password that is shown once", async () => {
    const added = await json("add", "ada");
    expect(added).toEqual({
      name: "ada",
      project: "github.com/Acme/shop",
      password: expect.any(String),
      project_is_new: true,
      url: server.urlOf("ada"),
    });
    expect(await logIn("ada", added.password)).toBe("ada");
    expect(await json("add", "ada", "--project", "web", "--admin", "--quota", "5MB")).toEqual({
      ...added,
      project: "web",
      password: null,
    });
    expect((await json("members", "--project", "web")).members).toEqual([
      {
        name: "ada",
        admin: true,
        turns: 0,
        used_bytes: 0,
        quota_bytes: 5_000_000,
        last_sent: null,
      },
    ]);
  });

  test("the server never sees a password, only its verifier", async () => {
    const { password } = await json("rotate", "ada");
    const [stored] = await admin.unsafe("SELECT rolpassword AS text FROM pg_authid WHERE rolname = 'ada'");
    expect(stored.text).toStartWith("SCRAM-SHA-256$4096:");
    expect(stored.text).not.toContain(password);
    expect(await logIn("ada", password)).toBe("ada");
  });

  test("changes the rights of a member, and takes one out of a project", async () => {
    const isAdmin = async () => (await json("members")).members[0].admin;
    await team("add", "ada", "--no-admin");
    expect((await team("add", "adda", "--no-admin")).stderr).toContain(
      '"adda" is not a member of github.com/Acme/shop.',
    );
    expect(await isAdmin()).toBe(false);
    expect((await team("add", "ada", "--admin")).stdout).toStartWith(
      "ada is an admin of github.com/Acme/shop.",
    );
    expect(await isAdmin()).toBe(true);
    expect((await team("remove", "ada", "--project", "web", "--keep")).stdout).toBe(
      "ada is no longer a member of web.\n",
    );
    expect((await team("remove", "ada", "--project", "web", "--keep")).stderr).toContain(
      '"ada" is not a member of web.',
    );
    expect((await team("rotate", "nobody")).stderr).toContain('The team has no member "nobody".');
  });

  test("takes a right away only from a member of that project, and makes neither a member nor a project", async () => {
    await team("add", "bea", "--project", "docs");
    expect((await team("add", "ada", "--project", "docs", "--no-admin")).stderr).toContain(
      '"ada" is not a member of docs.',
    );
    expect((await team("add", "ada", "--project", "dcos", "--no-admin")).stderr).toContain(
      'The team has no project "dcos".',
    );
    const { members } = await json("members", "--project", "docs");
    expect(members.map(({ name }: { name: string }) => name)).toEqual(["bea"]);
    const projects = await admin.unsafe("SELECT name FROM mementor.projects WHERE name = 'dcos'");
    expect(projects).toHaveLength(0);
    await team("remove", "bea", "--project", "docs", "--keep");
  });

  test("sees who added models, and removes what fills the table; members have no temporary tables", async () => {
    {
      await using ada = new SQL(server.urlOf("ada", (await json("rotate", "ada")).password), {
        max: 1,
        prepare: false,
      });
      await ada.unsafe("SELECT mementor.add_model(1, 'junk', 3)");
      await expect(ada.unsafe("CREATE TEMPORARY TABLE t (x int)")).rejects.toMatchObject({ errno: "42501" });
    }
    const listed = await json("models");
    expect(listed.models).toEqual([
      { name: "junk", dimensions: 3, added_by: "ada", vectors: 0, active: true },
    ]);
    expect((await team("models")).stdout).toContain("ada");
    expect((await team("models", "other", "--erase")).stderr).toContain('has no model "other"');
    expect((await json("models", "--erase")).erased).toEqual(["junk"]);
    expect((await team("models")).stdout).toContain("has no models");
    expect((await team("models", "--erase")).stdout).toContain("Name the one to remove");
  });

  test("removes a member with all turns, and leaves removals that colleagues will read", async () => {
    await using ada = new SQL(server.urlOf("ada", (await json("rotate", "ada")).password), {
      max: 1,
      prepare: false,
    });
    await ada.unsafe("SELECT mementor.reserve_ids(1, 3, 0)");
    await ada.unsafe("INSERT INTO mementor.sessions (project_id, session_id) VALUES (1, 's1')");
    await ada.unsafe(
      `INSERT INTO mementor.turns (project_id, turn_id, turn_key, session_id, role, origin, tool_summary, parts, full_text,
         words, length)
       SELECT 1, n, decode(lpad(n::text, 4, '0'), 'hex'), 's1', 'turn', 'human', '[]', '[]', 'x', '', 1
       FROM generate_series(1, 3) n`,
    );
    const { stderr } = await team("remove", "ada");
    expect(stderr).toContain("Say what becomes of ada's turns.");
    expect((await team("remove", "ada", "--erase")).exitCode).toBe(64);
    expect(await json("remove", "ada", "--erase", "--yes")).toEqual({
      name: "ada",
      project: "github.com/Acme/shop",
      erased_turns: 3,
      can_log_in: false,
    });
    const rows = await admin.unsafe(
      `SELECT c.number, c.kind, c.target, b.author, d.last_number FROM mementor.changes c
       JOIN mementor.tombstones b USING (project_id, turn_key) JOIN mementor.devices d
         ON d.project_id = c.project_id AND d.device_id = c.device_id ORDER BY c.number`,
    );
    expect(rows.map(Object.values)).toEqual([1n, 2n, 3n].map((n) => [n, "remove", "ada", "postgres", 3n]));
    const [left] = await admin.unsafe("SELECT count(*)::int AS n FROM mementor.turns");
    expect(left.n).toBe(0);
  });

  test("a former member who comes back gets a new password", async () => {
    const { password } = await json("add", "ada");
    expect(await logIn("ada", password)).toBe("ada");
  });

  test("a role that may not create roles gets the statements for who may", async () => {
    await admin.unsafe("CREATE ROLE clerk LOGIN");
    const { stderr, exitCode } = await team("add", "bob", "--server", server.urlOf("clerk"));
    expect(stderr).toMatch(/^CREATE ROLE "bob" LOGIN CONNECTION LIMIT 20 PASSWORD 'SCRAM-SHA-256\$/);
    expect(stderr).toContain('GRANT mementor_member TO "bob";');
    expect(stderr).toContain("This role may not create roles");
    expect(exitCode).toBe(1);
  });
});
