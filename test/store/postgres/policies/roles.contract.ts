import { describe, expect, test } from "bun:test";
import { type Cast, REFUSED, turnsOf, undone, write } from "./cast.ts";

/** What a member cannot become, change or go around. */
export function rolePolicies(cast: () => Cast): void {
  describe("roles and schema", () => {
    test("members do not act as others", async () => {
      const { ada, shop } = cast();
      for (const role of ["mementor_owner", "grace", "postgres"]) {
        await expect(ada.unsafe(`SET ROLE ${role}`)).rejects.toMatchObject(REFUSED);
        await expect(ada.unsafe(`SELECT set_config('role', '${role}', false)`)).rejects.toMatchObject(
          REFUSED,
        );
      }
      await expect(ada.unsafe("GRANT mementor_owner TO ada")).rejects.toMatchObject(REFUSED);
      await expect(ada.unsafe("CREATE ROLE mine LOGIN")).rejects.toMatchObject(REFUSED);
      await expect(ada.unsafe("ALTER ROLE grace NOLOGIN")).rejects.toMatchObject(REFUSED);
      // The group of all members is a member of no project.
      await undone(ada, async (sql) => {
        await sql.unsafe("SET LOCAL ROLE mementor_member");
        expect(await turnsOf(sql, shop)).toEqual([]);
      });
    });

    test("members do not change the schema, nor who belongs to a project", async () => {
      const { ada, shop } = cast();
      const statements = [
        "CREATE TABLE mementor.mine (id int)",
        "CREATE FUNCTION mementor.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE mementor.turns DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE mementor.turns NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE mementor.turns DISABLE TRIGGER ALL",
        "CREATE POLICY mine ON mementor.turns USING (true)",
        "DROP POLICY read_project ON mementor.turns",
        "CREATE RULE mine AS ON SELECT TO mementor.turns DO INSTEAD SELECT 1",
        "CREATE RULE mine AS ON INSERT TO mementor.turns DO ALSO NOTIFY mine",
        "CREATE TRIGGER mine BEFORE INSERT ON mementor.turns FOR EACH ROW EXECUTE FUNCTION mementor.refuse_author()",
        "CREATE INDEX mine ON mementor.turns (full_text)",
        "ALTER FUNCTION mementor.caller() OWNER TO ada",
        "CREATE OR REPLACE FUNCTION mementor.caller() RETURNS text LANGUAGE sql AS $$ SELECT 'olga' $$",
        "TRUNCATE mementor.turns",
        "SELECT nextval('mementor.file_mentions_seq_seq')",
        "SELECT setval('mementor.projects_project_id_seq', 1)",
        "SELECT last_value FROM mementor.file_mentions_seq_seq",
        `SELECT mementor.require_member(${shop})`,
        `SELECT mementor.erase_author(${shop}, 'grace')`,
        `INSERT INTO mementor.members (project_id, role) VALUES (${shop}, 'eve')`,
        `UPDATE mementor.members SET is_admin = true WHERE project_id = ${shop}`,
        `DELETE FROM mementor.members WHERE project_id = ${shop}`,
        "INSERT INTO mementor.projects (name) VALUES ('mine')",
        "UPDATE mementor.projects SET last_turn = 0",
        "UPDATE mementor.meta SET schema_version = 99",
        "INSERT INTO mementor.models (project_id, model_id, name, dimensions) VALUES (1, 1, 'm', 1)",
        "COPY mementor.turns TO '/tmp/mementor-stolen'",
        "COPY (SELECT 1) TO PROGRAM 'true'",
      ];
      const others: string[] = [];
      for (const statement of statements) {
        const state = await ada.unsafe(statement).then(
          () => "done",
          (error: { errno: string }) => error.errno,
        );
        if (state !== REFUSED.errno) others.push(`${state}: ${statement}`);
      }
      expect(others).toEqual([]);
      await expect(ada.unsafe("COPY mementor.turns FROM '/etc/passwd'")).rejects.toThrow();
      // PostgreSQL only warns.
      await ada.unsafe("GRANT SELECT ON mementor.turns TO PUBLIC");
      const granted = "SELECT has_table_privilege('public', 'mementor.turns', 'SELECT') AS granted";
      expect([...(await ada.unsafe(granted))]).toEqual([{ granted: false }]);
    });

    test("row security that is switched off refuses rather than shows", async () => {
      const { eve, ada, shop } = cast();
      await write(ada, shop, "a");
      const read = eve.begin(async (sql) => {
        await sql.unsafe("SET LOCAL row_security = off");
        return sql.unsafe("SELECT * FROM mementor.turns");
      });
      await expect(read).rejects.toMatchObject(REFUSED);
    });

    test("a view of a member shows what the member sees, and its tables refer to none of the schema's", async () => {
      const { team, ada, eve, shop, farm } = cast();
      await write(ada, shop, "a");
      await write(eve, farm, "e");
      await team.admin.unsafe("CREATE SCHEMA stall AUTHORIZATION eve");
      try {
        await eve.unsafe("CREATE VIEW stall.turns AS SELECT turn_key FROM mementor.turns");
        const rows = await eve.unsafe("SELECT convert_from(turn_key, 'utf8') AS key FROM stall.turns");
        expect(rows.map(({ key }: { key: string }) => key)).not.toContain("a");
        await expect(
          eve.unsafe("CREATE TABLE stall.probe (project_id bigint REFERENCES mementor.projects)"),
        ).rejects.toMatchObject(REFUSED);
      } finally {
        await team.admin.unsafe("DROP SCHEMA stall CASCADE");
      }
    });

    test("every function of the schema has a fixed search path, without a schema that members can write to", async () => {
      const { team } = cast();
      const rows = await team.admin.unsafe(
        `SELECT p.proname AS name, p.prosecdef AS definer, coalesce(array_to_string(p.proconfig, ' '), '') AS config,
           pg_get_userbyid(p.proowner) AS owner, p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql') AS sql
         FROM pg_proc p WHERE p.pronamespace = 'mementor'::regnamespace ORDER BY 1`,
      );
      const loose = rows.filter(
        ({ definer, config }: { definer: boolean; config: string }) =>
          definer && !/search_path=pg_catalog, mementor, pg_temp(?: |$)/.test(config),
      );
      expect([...loose]).toEqual([]);
      expect([...new Set(rows.map(({ owner }: { owner: string }) => owner))]).toEqual(["mementor_owner"]);
      const [open] = await team.admin.unsafe(
        `SELECT has_schema_privilege('mementor_member', 'mementor', 'CREATE') AS write,
           (SELECT count(*)::int FROM pg_proc p WHERE p.pronamespace = 'mementor'::regnamespace
            AND has_function_privilege('public', p.oid, 'EXECUTE')) AS public`,
      );
      expect(open).toEqual({ write: false, public: 0 });
    });
  });
}
