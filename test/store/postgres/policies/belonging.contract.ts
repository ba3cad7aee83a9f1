import { describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { type Cast, REFUSED, write } from "./cast.ts";

/** What a row must fit, so that it does not stand in the way of others' rows and searches. */
export function belongingPolicies(cast: () => Cast): void {
  describe("what rows refer to", () => {
    const modelOf = async (sql: SQL, project: number): Promise<number> => {
      const [{ id }] = await sql.unsafe("SELECT mementor.add_model($1, 'm', 3) AS id", [project]);
      return id;
    };
    const addVector = (sql: SQL, values: { project: number; model: number; chunk: number; turn: number }) =>
      sql.unsafe(
        `INSERT INTO mementor.chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding)
         VALUES ($1, $2, $3, $4, '[1,2,3]')`,
        [values.project, values.model, values.chunk, values.turn],
      );

    test("nobody gives a vector to another author's chunk", async () => {
      const { ada, grace, shop } = cast();
      const [theirs, own] = [await write(ada, shop, "a"), await write(grace, shop, "g")];
      const model = await modelOf(ada, shop);
      const place = { project: shop, model };
      await expect(addVector(grace, { ...place, chunk: theirs, turn: theirs })).rejects.toMatchObject(
        REFUSED,
      );
      await expect(addVector(grace, { ...place, chunk: theirs, turn: own })).rejects.toMatchObject(REFUSED);
      await addVector(grace, { ...place, chunk: own, turn: own });
      const move = "UPDATE mementor.chunk_vectors SET chunk_id = $1 WHERE chunk_id = $2";
      await expect(grace.unsafe(move, [theirs, own])).rejects.toMatchObject(REFUSED);
      await addVector(ada, { ...place, chunk: theirs, turn: theirs });
      await ada.unsafe("DELETE FROM mementor.turns WHERE turn_id = $1", [theirs]);
      const left = await grace.unsafe(
        "SELECT chunk_id::int AS chunk FROM mementor.chunk_vectors WHERE project_id = $1",
        [shop],
      );
      expect([...left]).toEqual([{ chunk: own }]);
    });

    test("a vector has as many dimensions as its model: another would end every search", async () => {
      const { ada, shop } = cast();
      const turn = await write(ada, shop, "a");
      const model = await modelOf(ada, shop);
      const insert = (vector: string) =>
        ada.unsafe(
          `INSERT INTO mementor.chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding)
           VALUES ($1, $2, $3, $3, '${vector}')`,
          [shop, model, turn],
        );
      await expect(insert("[1,2]")).rejects.toMatchObject({ errno: "22023" });
      await expect(insert("[1,2,3,4]")).rejects.toMatchObject({ errno: "22023" });
      await expect(insert("[1,2,NaN]")).rejects.toThrow("NaN not allowed");
      await insert("[1,2,3]");
      await expect(ada.unsafe("UPDATE mementor.chunk_vectors SET embedding = '[1]'")).rejects.toMatchObject({
        errno: "22023",
      });
    });

    test("JSON that is none, or of another form, is refused: it would end the lists of all members", async () => {
      const { ada, shop } = cast();
      await write(ada, shop, "a");
      const set = (column: string, value: string) =>
        ada.unsafe(`UPDATE mementor.turns SET ${column} = $1 WHERE project_id = $2`, [value, shop]);
      const bad: [string, string[]][] = [
        ["tool_summary", ["{", "null", "{}", '"x"', "[1]", '[["x"]]', "[null]"]],
        [
          "parts",
          ["{", "null", "[1]", '["prompt"]', '[["prompt", 0]]', '[["prompt", 0, "1"]]', "[[1, 0, 1]]"],
        ],
        ["failures", ["{", "{}", "[1]", "[[0, 1]]", '[["0", 1, null, 0]]', '[[0, 1, "x", 0]]']],
      ];
      for (const [column, values] of bad)
        for (const value of values)
          expect([
            column,
            value,
            await set(column, value).then(
              () => "stored",
              (error) => error.errno,
            ),
          ]).toEqual([column, value, value === "{" ? "22P02" : "23514"]);
      await set("tool_summary", '["Read(a.ts)"]');
      await set("parts", '[["prompt", 0, 8], ["answer", 9, 12]]');
      await set("failures", "[[0, 1, null, 0], [2, 3, 1, 1]]");
    });

    test("numbers that no program can read are refused", async () => {
      const { team, ada, shop } = cast();
      await write(ada, shop, "a");
      const fields: { name: string; column: string }[] = await team.admin.unsafe(
        `SELECT c.relname AS name, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = 'mementor'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
           AND a.atttypid = 'bigint'::regtype AND a.attname NOT IN ('project_id', 'seq')
           AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
             AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) LIKE '%9007199254740991%')`,
      );
      expect([...fields]).toEqual([]);
      const large = `INSERT INTO mementor.pr_links (project_id, session_id, pr_number, pr_url, pr_repository)
        VALUES ($1, 's1', 9007199254740992, 'u', 'r')`;
      await expect(ada.unsafe(large, [shop])).rejects.toMatchObject({ errno: "23514" });
    });

    test("nobody uses ids that another member reserved, nor ids that nobody did", async () => {
      const { ada, grace, shop } = cast();
      const [reserved] = await ada.unsafe(
        "SELECT first_turn::int AS turn, first_chunk::int AS chunk FROM mementor.reserve_ids($1, 2, 2)",
        [shop],
      );
      await write(grace, shop, "g");
      const turn = (sql: SQL, id: number) =>
        sql.unsafe(
          `INSERT INTO mementor.turns (project_id, turn_id, turn_key, session_id, role, origin, tool_summary, parts, full_text,
             words, length) VALUES ($1, $2, $3, 's1', 'turn', 'human', '[]', '[]', 'the text', '', 2)`,
          [shop, id, Buffer.from(`${id}`)],
        );
      const chunk = (sql: SQL, id: number, of: number) =>
        sql.unsafe(
          `INSERT INTO mementor.chunks (project_id, chunk_id, turn_id, chunk_index, start, "end", content, words,
             length) VALUES ($1, $2, $3, 5, 0, 8, 'the text', '', 2)`,
          [shop, id, of],
        );
      const own = reserved.turn + 2;
      const move = (table: string, id: number) =>
        grace.unsafe(
          `UPDATE mementor.${table}s SET ${table}_id = $1 WHERE project_id = $2 AND author = 'grace'`,
          [id, shop],
        );
      const refused = [
        () => turn(grace, reserved.turn),
        () => turn(grace, own + 1),
        () => chunk(grace, reserved.chunk, own),
        () => move("turn", reserved.turn),
        () => move("chunk", reserved.chunk),
      ];
      for (const each of refused) await expect(each()).rejects.toMatchObject(REFUSED);
      await write(ada, shop, "a");
      for (const id of [reserved.turn, reserved.turn + 1]) await turn(ada, id);
      await chunk(ada, reserved.chunk, reserved.turn);
    });

    test("ids that one member reserves one after the other are one range", async () => {
      const { team, ada, grace, shop } = cast();
      const reserve = (sql: SQL) => sql.unsafe("SELECT * FROM mementor.reserve_ids($1, 2, 3)", [shop]);
      for (const sql of [ada, ada, grace, ada]) await reserve(sql);
      const ranges = await team.admin.unsafe(
        `SELECT kind, first::int, last::int, role FROM mementor.reserved_ids WHERE project_id = $1 ORDER BY kind DESC, first`,
        [shop],
      );
      expect([...ranges]).toEqual([
        { kind: "turn", first: 1, last: 4, role: "ada" },
        { kind: "turn", first: 5, last: 6, role: "grace" },
        { kind: "turn", first: 7, last: 8, role: "ada" },
        { kind: "chunk", first: 1, last: 6, role: "ada" },
        { kind: "chunk", first: 7, last: 9, role: "grace" },
        { kind: "chunk", first: 10, last: 12, role: "ada" },
      ]);
    });
  });
}
