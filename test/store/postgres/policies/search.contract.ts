import { describe, expect, test } from "bun:test";
import { type Cast, REFUSED, undone, write } from "./cast.ts";

const SEARCHES = [
  "mementor.count_words($1, ARRAY['text'])",
  "mementor.turns_with($1, ARRAY['text'], 10)",
  "mementor.search_words($1, 'chunk', ARRAY['text'], ARRAY['text'], 10, NULL)",
  "mementor.search_words($1, 'turn', ARRAY['text'], ARRAY['text'], 10, NULL)",
];

/** The functions that search run as the owner of the tables: what members can make of them. */
export function searchPolicies(cast: () => Cast): void {
  describe("search functions", () => {
    test("a search of another project is refused", async () => {
      const { ada, grace, eve, shop } = cast();
      await write(ada, shop, "a");
      for (const call of SEARCHES) {
        await expect(eve.unsafe(`SELECT * FROM ${call}`, [shop])).rejects.toMatchObject(REFUSED);
        expect(await grace.unsafe(`SELECT * FROM ${call}`, [shop])).toBeArray();
      }
    });

    test("words of another project find nothing", async () => {
      const { ada, eve, shop, farm } = cast();
      await write(ada, shop, "a");
      await write(eve, farm, "e");
      const found = async (query: string) => {
        const [row] = await eve.unsafe("SELECT turns::int FROM mementor.count_words($1, ARRAY[$2])", [
          farm,
          query,
        ]);
        return row.turns;
      };
      expect(await found(`'${farm}:text'`)).toBe(1);
      expect(await found(`'${shop}:text'`)).toBe(0);
      expect(await found(`'${shop}:':*`)).toBe(0);
      expect(await found(`!'nothing'`)).toBe(1);
    });

    test("words of a search are words, and never SQL", async () => {
      const { eve, farm } = cast();
      await write(eve, farm, "a");
      const attack = "x' | 'y') OR true; DROP TABLE mementor.turns; --";
      const search = eve.unsafe(
        "SELECT * FROM mementor.search_words($1, 'turn', ARRAY[$2], ARRAY[$2], 10, NULL)",
        [farm, attack],
      );
      await expect(search).rejects.toMatchObject({ errno: "42601" });
      const sql = "SELECT count(*)::int AS n FROM mementor.turns WHERE project_id = $1";
      expect(await eve.unsafe(sql, [farm])).toEqual([{ n: 1 }]);
    });

    test("a member's own schema does not come before that of a search function", async () => {
      const { team, eve, shop } = cast();
      await team.admin.unsafe("CREATE SCHEMA trap AUTHORIZATION eve");
      try {
        await eve.unsafe(
          `CREATE FUNCTION trap.require_member(project bigint, as_admin boolean DEFAULT false) RETURNS void LANGUAGE sql AS ''`,
        );
        await eve.unsafe("CREATE FUNCTION trap.caller() RETURNS text LANGUAGE sql AS $$ SELECT 'ada' $$");
        await eve.unsafe("CREATE TABLE trap.members (project_id bigint, role text, is_admin boolean)");
        await eve.unsafe("INSERT INTO trap.members VALUES ($1, 'eve', true)", [shop]);
        await eve.unsafe(
          "CREATE FUNCTION trap.yes(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        );
        await eve.unsafe("CREATE OPERATOR trap.= (FUNCTION = trap.yes, LEFTARG = text, RIGHTARG = text)");
        for (const call of SEARCHES) {
          const search = eve.begin(async (sql) => {
            await sql.unsafe("SET LOCAL search_path = trap, mementor, pg_catalog");
            await sql.unsafe(`SELECT * FROM ${call}`, [shop]);
          });
          await expect(search).rejects.toMatchObject(REFUSED);
        }
      } finally {
        await team.admin.unsafe("DROP SCHEMA trap CASCADE");
      }
    });

    test("what is temporary does not come before the schema either", async () => {
      const { ada, eve, shop } = cast();
      await write(ada, shop, "a");
      for (const call of SEARCHES) {
        const search = undone(eve, async (sql) => {
          await sql.unsafe("CREATE TEMP TABLE members (project_id bigint, role text, is_admin boolean)");
          await sql.unsafe("INSERT INTO pg_temp.members VALUES ($1, 'eve', true)", [shop]);
          await sql.unsafe(
            "CREATE FUNCTION pg_temp.require_member(bigint, boolean DEFAULT false) RETURNS void LANGUAGE sql AS ''",
          );
          await sql.unsafe(
            "CREATE FUNCTION pg_temp.caller() RETURNS text LANGUAGE sql AS $$ SELECT 'ada' $$",
          );
          await sql.unsafe("SET LOCAL search_path = pg_temp, mementor, pg_catalog");
          await sql.unsafe(`SELECT * FROM ${call}`, [shop]);
        });
        await expect(search).rejects.toMatchObject(REFUSED);
      }
    });

    test("a row of a member does not break or bend the searches of others", async () => {
      const { ada, grace, shop } = cast();
      await write(ada, shop, "a");
      const bad = await write(grace, shop, "g");
      const forge = async (table: string, assignment: string) =>
        grace
          .unsafe(`UPDATE mementor.${table} SET ${assignment} WHERE project_id = $1 AND turn_id = $2`, [
            shop,
            bad,
          ])
          .catch(() => null);
      const forged = [
        `repeats = '{"text": "boom"}'`,
        `repeats = '{"text": {"a": 1}}'`,
        `repeats = '{"text": 1e300}'`,
        `repeats = '{"text": -1}'`,
        `repeats = '["text"]'`,
        "length = -1000000000",
        "length = 2147483647",
        "length = 0",
      ];
      const word = `'${shop}:text'`;
      for (const assignment of forged)
        for (const [table, kind] of [
          ["turns", "turn"],
          ["chunks", "chunk"],
        ] as const) {
          await forge(table, "repeats = NULL");
          await forge(table, "length = 2");
          await forge(table, assignment);
          const rows = await ada.unsafe(
            `SELECT turn_id::int AS turn, score FROM mementor.search_words($1, '${kind}', ARRAY[$2], ARRAY['text'], 10, NULL)`,
            [shop, word],
          );
          const scores = new Map(
            rows.map(({ turn, score }: { turn: number; score: number }) => [turn, score]),
          );
          expect([assignment, table, scores.size]).toEqual([assignment, table, 2]);
          for (const score of scores.values()) expect(score).toBeWithin(0, 1);
        }
    });
  });
}
