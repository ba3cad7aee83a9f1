import { describe, expect, test } from "bun:test";
import { type Cast, REFUSED, undone, write } from "./cast.ts";

/** Ways by which rows of another project could be seen without being read. */
export function leakPolicies(cast: () => Cast): void {
  describe("leaks", () => {
    test("a function of the caller is not called with rows of another project", async () => {
      const { ada, eve, shop, farm } = cast();
      // What she wrote in the farms of other tests.
      await eve.unsafe("DELETE FROM mementor.sessions");
      await write(ada, shop, "a", { text: "a secret of the shop" });
      await write(eve, farm, "e", { text: "a word of the farm" });
      const seen = await heardBy(eve);
      expect(seen).toEqual(["a word of the farm"]);
    });

    /** Reads with a cheap function of one's own in every clause, and returns what it was called with. */
    async function heardBy(sql: ReturnType<typeof cast>["eve"]): Promise<string[]> {
      let heard: string[] = [];
      await undone(sql, async (own) => {
        await own.unsafe("CREATE TEMP TABLE heard (text text)");
        await own.unsafe(
          `CREATE FUNCTION pg_temp.hear(text text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
             $$ BEGIN INSERT INTO pg_temp.heard VALUES (text); RETURN true; END $$`,
        );
        await own.unsafe("SELECT 1 FROM mementor.turns WHERE pg_temp.hear(full_text)");
        await own.unsafe(
          "SELECT pg_temp.hear(c.content) FROM mementor.turns t JOIN mementor.chunks c USING (turn_id)",
        );
        await own.unsafe("UPDATE mementor.turns SET branch = 'b' WHERE pg_temp.hear(full_text)");
        await own.unsafe("SELECT 1 FROM mementor.turns ORDER BY pg_temp.hear(full_text)");
        await own.unsafe("DELETE FROM mementor.chunks WHERE pg_temp.hear(content)");
        const rows = await own.unsafe("SELECT DISTINCT text FROM pg_temp.heard ORDER BY 1");
        heard = rows.map(({ text }: { text: string }) => text);
      });
      return heard;
    }

    test("an error of a built-in function quotes no row of another project", async () => {
      const { ada, eve, shop, farm } = cast();
      await write(ada, shop, "a", { text: "secret" });
      await eve.unsafe("DELETE FROM mementor.sessions");
      await write(eve, farm, "e", { text: "7" });
      const rows = await eve.unsafe(
        "SELECT full_text::int AS n FROM mementor.turns WHERE full_text::int > 0",
      );
      expect([...rows]).toEqual([{ n: 7 }]);
    });

    test("every unique key begins with the project, so that no error names rows of another", async () => {
      const { team } = cast();
      const rows = await team.admin.unsafe(
        `SELECT i.indrelid::regclass::text AS name, a.attname AS first FROM pg_index i
         JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = 'mementor'::regnamespace
         LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indisunique AND a.attname IS DISTINCT FROM 'project_id' ORDER BY 1`,
      );
      // Members write neither of these.
      expect([...rows]).toEqual([
        { name: "mementor.meta", first: "id" },
        { name: "mementor.projects", first: "name" },
      ]);
    });

    test("a write that would clash with a row of another project is refused before it is compared", async () => {
      const { ada, eve, shop } = cast();
      await write(ada, shop, "a");
      await expect(
        eve.unsafe(
          "INSERT INTO mementor.sessions (project_id, session_id, author) VALUES ($1, 's1', 'ada')",
          [shop],
        ),
      ).rejects.toMatchObject(REFUSED);
      await expect(
        eve.unsafe("INSERT INTO mementor.sessions (project_id, session_id) VALUES ($1, 's1')", [shop]),
      ).rejects.toMatchObject(REFUSED);
    });

    test("statistics of the planner are not shown", async () => {
      const { team, ada, eve, shop } = cast();
      await write(ada, shop, "a", { text: "secret" });
      await team.admin.unsafe("ANALYZE mementor.turns");
      for (const view of ["pg_stats", "pg_stats_ext", "pg_stats_ext_exprs"]) {
        const [seen] = await eve.unsafe(
          `SELECT count(*)::int AS n FROM ${view} WHERE schemaname = 'mementor'`,
        );
        expect([view, seen.n]).toEqual([view, 0]);
      }
    });
  });
}
