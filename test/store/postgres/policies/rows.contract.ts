import { describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { bury, type Cast, DEVICE, REFUSED, turnsOf, usageOf, write } from "./cast.ts";

/** Who reads, writes and removes which rows. */
export function rowPolicies(cast: () => Cast): void {
  describe("rows", () => {
    test("members read their project, and nobody else's", async () => {
      const { team, ada, grace, eve, shop, farm } = cast();
      await write(ada, shop, "a");
      await write(eve, farm, "e");
      expect(await turnsOf(grace, shop)).toEqual(["a"]);
      expect(await turnsOf(grace, farm)).toEqual([]);
      expect(await turnsOf(eve, shop)).toEqual([]);
      const tables = await team.admin.unsafe(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'mementor'",
      );
      for (const { name } of tables) {
        if (name === "meta") continue;
        const sql = `SELECT count(*)::int AS n FROM mementor.${name} WHERE project_id = $1`;
        const [seen] = await eve.unsafe(sql, [shop]);
        expect([name, seen.n]).toEqual([name, 0]);
      }
      const asked = ["project_members($1)", "reserve_ids($1, 1, 1)", "add_model($1, 'm', 3)"];
      for (const call of asked)
        await expect(eve.unsafe(`SELECT * FROM mementor.${call}`, [shop])).rejects.toMatchObject(REFUSED);
    });

    test("members see their own memberships only", async () => {
      const { ada, shop, farm } = cast();
      const rows = await ada.unsafe(
        "SELECT project_id::int AS project, role FROM mementor.members WHERE project_id IN ($1, $2)",
        [shop, farm],
      );
      expect([...rows]).toEqual([{ project: shop, role: "ada" }]);
      await expect(ada.unsafe("SELECT * FROM pg_authid")).rejects.toMatchObject(REFUSED);
      await expect(ada.unsafe("SELECT passwd FROM pg_shadow")).rejects.toMatchObject(REFUSED);
    });

    test("nobody writes into another project", async () => {
      const { eve, shop, farm } = cast();
      await expect(
        eve.unsafe("INSERT INTO mementor.sessions (project_id, session_id) VALUES ($1, 's')", [shop]),
      ).rejects.toMatchObject(REFUSED);
      const turn = await write(eve, farm, "e");
      await expect(
        eve.unsafe("UPDATE mementor.turns SET project_id = $1 WHERE turn_id = $2", [shop, turn]),
      ).rejects.toMatchObject(REFUSED);
    });

    test("nobody changes or deletes rows of another author", async () => {
      const { ada, grace, olga, shop } = cast();
      const turn = await write(ada, shop, "a");
      for (const table of ["sessions", "turns", "chunks"]) {
        const where = `mementor.${table} WHERE project_id = ${shop}`;
        expect((await grace.unsafe(`DELETE FROM ${where}`)).count).toBe(0);
        expect((await olga.unsafe(`DELETE FROM ${where}`)).count).toBe(0);
      }
      const forge = "UPDATE mementor.turns SET full_text = 'forged' WHERE turn_id = $1";
      expect((await grace.unsafe(forge, [turn])).count).toBe(0);
      await expect(
        ada.unsafe("UPDATE mementor.turns SET author = 'grace' WHERE turn_id = $1", [turn]),
      ).rejects.toMatchObject(REFUSED);
    });

    test("an insert that meets another author's row does not change it", async () => {
      const { ada, grace, shop } = cast();
      const turn = await write(ada, shop, "a");
      await write(grace, shop, "g");
      const onConflict = (action: string) =>
        grace.unsafe(
          `INSERT INTO mementor.turns (project_id, turn_id, session_id, role, origin, tool_summary, parts, full_text, words,
             length) VALUES ($1, $2, 's1', 'turn', 'human', '[]', '[]', 'forged', '', 1)
           ON CONFLICT (project_id, turn_id) DO ${action}`,
          [shop, turn],
        );
      await expect(onConflict("UPDATE SET full_text = 'forged'")).rejects.toMatchObject(REFUSED);
      expect((await onConflict("NOTHING")).count).toBe(0);
      const [row] = await ada.unsafe("SELECT full_text AS text FROM mementor.turns WHERE turn_id = $1", [
        turn,
      ]);
      expect(row).toEqual({ text: "the text" });
    });

    test("nobody forges an author", async () => {
      const { ada, grace, shop } = cast();
      await expect(write(grace, shop, "forged", { author: "ada" })).rejects.toMatchObject(REFUSED);
      expect(await turnsOf(ada, shop)).toEqual([]);
    });

    test("the trigger refuses a forged author where a policy would not", async () => {
      const { team, grace, shop } = cast();
      await team.admin.unsafe(
        "CREATE POLICY too_wide ON mementor.sessions FOR INSERT TO mementor_member WITH CHECK (true)",
      );
      try {
        await expect(write(grace, shop, "forged", { author: "ada" })).rejects.toMatchObject({
          ...REFUSED,
          message: "the author of a row must be the role that writes it",
        });
      } finally {
        await team.admin.unsafe("DROP POLICY too_wide ON mementor.sessions");
      }
    });

    test("nobody adds rows to another author's turn", async () => {
      const { ada, grace, shop } = cast();
      const turn = await write(ada, shop, "a");
      const row = [shop, turn];
      const rows = [
        `chunks (project_id, chunk_id, turn_id, chunk_index, start, "end", content, words, length)
           VALUES ($1, $2, $2, 9, 0, 1, 'x', '', 1)`,
        "file_mentions (project_id, turn_id, file_path, tool_name) VALUES ($1, $2, 'a.ts', 'Edit')",
        "commits (project_id, turn_id, hash, message) VALUES ($1, $2, 'abc', 'm')",
      ];
      await ada.unsafe("DELETE FROM mementor.chunks WHERE project_id = $1 AND turn_id = $2", row);
      for (const each of rows)
        await expect(grace.unsafe(`INSERT INTO mementor.${each}`, row)).rejects.toMatchObject({
          errno: "23503",
        });
    });

    test("devices count upwards, and only their author counts", async () => {
      const { ada, grace, shop } = cast();
      const device = [shop, DEVICE];
      const add = "INSERT INTO mementor.devices (project_id, author, device_id)";
      await ada.unsafe(`${add} VALUES ($1, 'ada', $2)`, device);
      const set = (sql: SQL, number: number, chain: string) =>
        sql.unsafe("UPDATE mementor.devices SET last_number = $1, chain = $2 WHERE project_id = $3", [
          number,
          Buffer.from(chain),
          shop,
        ]);
      expect((await set(ada, 5, "x")).count).toBe(1);
      await expect(set(ada, 4, "x")).rejects.toMatchObject(REFUSED);
      await expect(set(ada, 5, "y")).rejects.toMatchObject(REFUSED);
      expect((await set(grace, 6, "z")).count).toBe(0);
      await expect(ada.unsafe("DELETE FROM mementor.devices")).rejects.toMatchObject(REFUSED);
      const change = (sql: SQL, author: string, kind: string, target: string, number: number) =>
        sql.unsafe(
          `INSERT INTO mementor.changes (project_id, author, device_id, number, kind, target, turn_key, digest, chain)
           VALUES ($1, $2, $3, $6, $4, $5, '\\x01', '\\x01', '\\x01')`,
          [shop, author, DEVICE, kind, target, number],
        );
      await change(ada, "ada", "put", "ada", 1);
      await expect(change(grace, "ada", "put", "ada", 2)).rejects.toMatchObject(REFUSED);
      await expect(change(ada, "ada", "remove", "grace", 2)).rejects.toMatchObject(REFUSED);
      await expect(ada.unsafe("UPDATE mementor.changes SET kind = 'void'")).rejects.toMatchObject(REFUSED);
      await expect(ada.unsafe("DELETE FROM mementor.changes")).rejects.toMatchObject(REFUSED);
    });

    test("another member's batch that is sent again with its device id is the sender's own", async () => {
      const { ada, grace, shop } = cast();
      await ada.unsafe(
        "INSERT INTO mementor.devices (project_id, author, device_id) VALUES ($1, 'ada', $2)",
        [shop, DEVICE],
      );
      await ada.unsafe(
        `INSERT INTO mementor.changes (project_id, author, device_id, number, kind, target, turn_key, digest, chain)
         VALUES ($1, 'ada', $2, 1, 'put', 'ada', 'k', 'd', 'c')`,
        [shop, DEVICE],
      );
      const replay = (author: string) =>
        grace.unsafe(
          `INSERT INTO mementor.changes SELECT project_id, ${author}, device_id, number + 1, kind, target, turn_key, digest,
             chain FROM mementor.changes WHERE project_id = $1`,
          [shop],
        );
      await expect(replay("author")).rejects.toMatchObject(REFUSED);
      await expect(replay("'grace'")).rejects.toMatchObject(REFUSED);
      await grace.unsafe(
        "INSERT INTO mementor.devices (project_id, author, device_id) VALUES ($1, 'grace', $2)",
        [shop, DEVICE],
      );
      const devices = await ada.unsafe(
        "SELECT author, last_number::int AS number FROM mementor.devices WHERE project_id = $1 ORDER BY author",
        [shop],
      );
      expect([...devices]).toEqual([
        { author: "ada", number: 0 },
        { author: "grace", number: 0 },
      ]);
    });

    test("a tombstone removes a turn for good, and only its author or an admin writes one", async () => {
      const { ada, grace, olga, shop } = cast();
      await write(ada, shop, "a");
      await write(ada, shop, "b");
      await write(grace, shop, "a");
      await expect(
        bury(grace, { project: shop, target: "ada", key: "a", author: "grace" }),
      ).rejects.toMatchObject(REFUSED);
      await expect(
        bury(grace, { project: shop, target: "ada", key: "a", author: "ada" }),
      ).rejects.toMatchObject(REFUSED);
      await bury(ada, { project: shop, target: "ada", key: "a", author: "ada" });
      expect(await turnsOf(ada, shop)).toEqual(["b", "a"]);
      await write(ada, shop, "a");
      expect(await turnsOf(ada, shop)).toEqual(["b", "a"]);
      expect((await usageOf(ada, shop, "ada")).chunks).toBe(1);
      await expect(ada.unsafe("DELETE FROM mementor.tombstones")).rejects.toMatchObject(REFUSED);
      await bury(olga, { project: shop, target: "grace", key: "a", author: "olga" });
      expect(await turnsOf(ada, shop)).toEqual(["b"]);
      const sessions = await ada.unsafe("SELECT author FROM mementor.sessions WHERE project_id = $1", [shop]);
      expect([...sessions]).toEqual([{ author: "ada" }]);
    });
  });
}
