import { describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { castOf, type OpenTeam, REFUSED, usageOf, write } from "./cast.ts";

/** What members make grow beyond their own rows. */
export function growthPolicies(open: OpenTeam): void {
  describe("shared tables", () => {
    const cast = castOf(open);
    const addModel = (sql: SQL, project: number, name: string) =>
      sql.unsafe("SELECT mementor.add_model($1, $2, 3) AS id", [project, name]);

    test("a member who adds models fills them up for nobody else", async () => {
      const { ada, grace, olga, shop } = cast();
      for (const name of ["a", "b", "c", "d"]) await addModel(grace, shop, name);
      await expect(addModel(grace, shop, "e")).rejects.toMatchObject({
        errno: "MM002",
        message: "no more models fit; they were added by grace 4",
      });
      await addModel(grace, shop, "a");
      await addModel(ada, shop, "bge");
      for (const name of ["e", "f", "g", "h", "i"]) await addModel(olga, shop, name);
      const before = await usageOf(ada, shop, "grace");
      expect([before.rows, before.bytes > 4 * 100]).toEqual([4, true]);
    });

    test("a project's models end somewhere, and who filled them is named", async () => {
      const { ada, olga, shop } = cast();
      for (let i = 0; i < 64; i++) await addModel(olga, shop, `m${i}`);
      await expect(addModel(ada, shop, "bge")).rejects.toMatchObject({
        message: "no more models fit; they were added by olga 64",
      });
    });

    test("an administrator empties them: searches then use the model with the most vectors", async () => {
      const { team, ada, grace, shop } = cast();
      await addModel(grace, shop, "junk");
      const [{ id: model }] = await addModel(ada, shop, "bge");
      const turn = await write(ada, shop, "a");
      await ada.unsafe(
        `INSERT INTO mementor.chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding)
         VALUES ($1, $2, $3, $3, '[1,2,3]')`,
        [shop, model, turn],
      );
      const models = async () =>
        (
          await ada.unsafe("SELECT name, author, is_active AS active FROM mementor.project_models($1)", [
            shop,
          ])
        ).map(Object.values);
      expect(await models()).toEqual([
        ["junk", "grace", true],
        ["bge", "ada", false],
      ]);
      await expect(ada.unsafe("SELECT mementor.erase_models($1, NULL)", [shop])).rejects.toMatchObject(
        REFUSED,
      );
      await team.admin.unsafe("SELECT mementor.erase_models($1, NULL)", [shop]);
      expect(await models()).toEqual([["bge", "ada", true]]);
      expect((await usageOf(ada, shop, "grace")).rows).toBe(0);
    });

    test("ranges of ids count for who reserves them", async () => {
      const { team, ada, grace, shop } = cast();
      await team.admin.unsafe(
        "UPDATE mementor.members SET max_rows = 6 WHERE project_id = $1 AND role = 'ada'",
        [shop],
      );
      const reserve = (sql: SQL) => sql.unsafe("SELECT mementor.reserve_ids($1, 1, 1)", [shop]);
      for (let i = 0; i < 3; i++) {
        await reserve(ada);
        await reserve(grace);
      }
      await expect(reserve(ada)).rejects.toMatchObject({ errno: "MM001" });
      await reserve(grace);
    });
  });
}
