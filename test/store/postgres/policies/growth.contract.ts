import { describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { type Cast, REFUSED, usageOf, write } from "./cast.ts";

/** What members make grow beyond their own rows. */
export function growthPolicies(cast: () => Cast): void {
  describe("shared tables", () => {
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

    const modelsOf = async (sql: SQL, project: number) =>
      (
        await sql.unsafe("SELECT name, author, is_active AS active FROM mementor.project_models($1)", [
          project,
        ])
      ).map(Object.values);
    const addVector = async (sql: SQL, project: number, model: number, key: string) => {
      const turn = await write(sql, project, key);
      await sql.unsafe(
        `INSERT INTO mementor.chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding)
         VALUES ($1, $2, $3, $3, '[1,2,3]')`,
        [project, model, turn],
      );
    };

    test("searches use the first model with vectors, whoever added one before or adds one later", async () => {
      const { ada, grace, shop } = cast();
      await addModel(grace, shop, "junk");
      const [{ id: model }] = await addModel(ada, shop, "bge");
      await addModel(grace, shop, "junk");
      await addModel(ada, shop, "bge");
      await addVector(ada, shop, model, "a");
      await addModel(grace, shop, "junk");
      expect(await modelsOf(ada, shop)).toEqual([
        ["junk", "grace", false],
        ["bge", "ada", true],
      ]);
    });

    test("an administrator empties them: searches then use the model with the most vectors", async () => {
      const { team, ada, grace, shop } = cast();
      const [{ id: junk }] = await addModel(grace, shop, "junk");
      await addVector(grace, shop, junk, "g");
      const [{ id: model }] = await addModel(ada, shop, "bge");
      await addVector(ada, shop, model, "a");
      await addModel(grace, shop, "empty");
      const erase = (name: string | null) =>
        team.admin.unsafe("SELECT mementor.erase_models($1, $2)", [shop, name]);
      await expect(ada.unsafe("SELECT mementor.erase_models($1, NULL)", [shop])).rejects.toMatchObject(
        REFUSED,
      );
      await expect(ada.unsafe("SELECT mementor.use_model($1, 1)", [shop])).rejects.toMatchObject(REFUSED);
      await erase(null);
      expect(await modelsOf(ada, shop)).toEqual([
        ["junk", "grace", true],
        ["bge", "ada", false],
      ]);
      await erase("junk");
      expect(await modelsOf(ada, shop)).toEqual([["bge", "ada", true]]);
      expect((await usageOf(ada, shop, "grace")).rows).toBe(3);
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
