import { describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { bury, type Cast, DEVICE, REFUSED, turnsOf, undone, usageOf, write } from "./cast.ts";

/** How much a member stores, however it is written. */
export function quotaPolicies(cast: () => Cast): void {
  describe("quotas", () => {
    test("a quota that is used up refuses rows of that member only, and not their removal", async () => {
      const { team, ada, grace, shop, shopName } = cast();
      await write(ada, shop, "a");
      await write(grace, shop, "g");
      const before = await usageOf(ada, shop, "ada");
      expect(before).toMatchObject({ rows: 3, turns: 1, turnWords: 2, chunks: 1, chunkWords: 2 });
      await team.admin.unsafe(
        "UPDATE mementor.members SET max_bytes = $1 WHERE project_id = $2 AND role = 'ada'",
        [before.bytes + 100, shop],
      );
      await expect(write(ada, shop, "b")).rejects.toMatchObject({
        errno: "MM001",
        message: `the quota of ada in ${shopName} is used up`,
      });
      await write(grace, shop, "g2");
      await ada.unsafe("DELETE FROM mementor.sessions WHERE project_id = $1", [shop]);
      const nothing = { rows: 0, turns: 0, turnWords: 0, chunks: 0, chunkWords: 0, bytes: 0 };
      expect(await usageOf(ada, shop, "ada")).toEqual(nothing);
      expect((await usageOf(ada, shop, "grace")).turns).toBe(2);
      await expect(ada.unsafe("UPDATE mementor.members SET max_bytes = 1e12")).rejects.toMatchObject(REFUSED);
      await expect(ada.unsafe("UPDATE mementor.usage SET bytes = 0")).rejects.toMatchObject(REFUSED);
    });

    test("a quota counts rows too", async () => {
      const { team, ada, shop } = cast();
      await team.admin.unsafe(
        "UPDATE mementor.members SET max_rows = 4 WHERE project_id = $1 AND role = 'ada'",
        [shop],
      );
      await write(ada, shop, "a");
      await expect(write(ada, shop, "b")).rejects.toMatchObject({ errno: "MM001" });
    });

    test("a quota that is used up blocks no removal, and rows may take the place of larger ones", async () => {
      const { team, ada, shop } = cast();
      const turn = await write(ada, shop, "a");
      await write(ada, shop, "b");
      const before = await usageOf(ada, shop, "ada");
      await team.admin.unsafe(
        "UPDATE mementor.members SET max_bytes = 10, max_rows = 3 WHERE project_id = $1 AND role = 'ada'",
        [shop],
      );
      const change = (number: number) =>
        ada.unsafe(
          `INSERT INTO mementor.changes (project_id, author, device_id, number, kind, target, turn_key, digest, chain)
           VALUES ($1, 'ada', $2, $3, 'remove', 'ada', 'a', 'd', 'c')`,
          [shop, DEVICE, number],
        );
      await ada.unsafe(
        "INSERT INTO mementor.devices (project_id, author, device_id) VALUES ($1, 'ada', $2)",
        [shop, DEVICE],
      );
      await change(1);
      expect(await usageOf(ada, shop, "ada")).toEqual(before);
      const replace = (text: string) =>
        ada.begin(async (sql) => {
          await sql.unsafe("DELETE FROM mementor.turns WHERE project_id = $1 AND turn_id = $2", [shop, turn]);
          await sql.unsafe(
            `INSERT INTO mementor.turns (project_id, turn_id, turn_key, session_id, role, origin, tool_summary, parts,
               full_text, words, length) VALUES ($1, $2, 'a', 's1', 'turn', 'human', '[]', '[]', $3, '', 2)`,
            [shop, turn, text],
          );
        });
      await expect(replace("longer than all that was there ".repeat(15))).rejects.toMatchObject({
        errno: "MM001",
      });
      await replace("a text");
      await bury(ada, { project: shop, target: "ada", key: "a", author: "ada" });
      expect(await turnsOf(ada, shop)).toEqual(["b"]);
      await expect(change(2)).rejects.toMatchObject({ errno: "MM001" });
    });

    test("rows that grow count as much as rows that are added", async () => {
      const { team, ada, shop } = cast();
      await write(ada, shop, "a");
      const { bytes } = await usageOf(ada, shop, "ada");
      await team.admin.unsafe(
        "UPDATE mementor.members SET max_bytes = $1 WHERE project_id = $2 AND role = 'ada'",
        [bytes + 10_000, shop],
      );
      const grow = (length: number) =>
        ada.unsafe("UPDATE mementor.turns SET full_text = repeat('x', $1) WHERE project_id = $2", [
          length,
          shop,
        ]);
      await grow(1_000);
      await expect(grow(20_000)).rejects.toMatchObject({ errno: "MM001" });
      await grow(8);
      expect((await usageOf(ada, shop, "ada")).bytes).toBe(bytes);
    });

    test("no column takes much that is not counted", async () => {
      const { team, ada, shop } = cast();
      await writeEverywhere(ada, shop);
      const columns: { name: string; column: string; type: keyof typeof LARGE }[] = await team.admin.unsafe(
        `SELECT c.relname AS name, a.attname AS column, t.typname AS type FROM pg_class c
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 JOIN pg_type t ON t.oid = a.atttypid
         WHERE c.relnamespace = 'mementor'::regnamespace AND c.relkind = 'r'
           AND has_table_privilege('mementor_member', c.oid, 'INSERT')
           AND t.typname = ANY ($1::text[]) AND a.attname <> 'author' ORDER BY 1, 2`,
        [`{${Object.keys(LARGE).join(",")}}`],
      );
      expect(new Set(columns.map(({ name }) => name)).size).toBe(10);
      const uncounted: string[] = [];
      for (const { name, column, type } of columns) {
        const bytes = await growth(ada, shop, async (sql) => {
          await sql.unsafe(largeRow(name, column, LARGE[type]), [shop]);
        });
        if (bytes !== null && bytes < 100_000) uncounted.push(`${name}.${column}: ${bytes}`);
      }
      expect(uncounted).toEqual([]);
    });
  });
}

/** Bytes by which the account of ada grows with a write; null where the write is refused. */
async function growth(ada: SQL, project: number, work: (sql: SQL) => Promise<void>): Promise<number | null> {
  const before = (await usageOf(ada, project, "ada")).bytes;
  let after: number | null = null;
  await undone(ada, async (sql) => {
    await work(sql);
    after = (await usageOf(sql, project, "ada")).bytes;
  }).catch(() => null);
  return after === null ? null : after - before;
}

/** Values of about 200 KB that no compression makes small. */
const NOISE = "(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 6400) i)";
const LARGE = {
  text: NOISE,
  bytea: `convert_to(${NOISE}, 'utf8')`,
  jsonb: `to_jsonb(${NOISE})`,
  tsvector: "(SELECT array_to_tsvector(array_agg(md5(i::text))) FROM generate_series(1, 6400) i)",
};

/** Rows of ada in every table that members write. */
async function writeEverywhere(ada: SQL, project: number): Promise<void> {
  const turn = await write(ada, project, "a");
  const [{ model }] = await ada.unsafe("SELECT mementor.add_model($1, 'm', 3) AS model", [project]);
  const rows = [
    "devices (project_id, author, device_id) VALUES ($1, 'ada', $4)",
    "subagent_sessions (project_id, session_id, agent_id) VALUES ($1, 's1', 'a')",
    "chunk_vectors (project_id, model_id, chunk_id, turn_id, embedding) VALUES ($1, $3, $2, $2, '[1,2,3]')",
    "file_mentions (project_id, turn_id, file_path, tool_name) VALUES ($1, $2, 'a.ts', 'Edit')",
    "pr_links (project_id, session_id, pr_number, pr_url, pr_repository) VALUES ($1, 's1', 1, 'u', 'r')",
    "commits (project_id, turn_id, hash, message) VALUES ($1, $2, 'abc', 'm')",
  ];
  const values = [project, turn, model, DEVICE];
  for (const row of rows)
    await ada.unsafe(`INSERT INTO mementor.${row.replace(/\$(\d)/g, (_, i) => `'${values[i - 1]}'`)}`);
}

/** A statement that puts a value into a column of ada's row of a table; of tables without updates, into a new row. */
function largeRow(table: string, column: string, value: string): string {
  const inserted: Record<string, Record<string, string>> = {
    changes: {
      device_id: `'${DEVICE}'`,
      number: "1",
      kind: "'put'",
      target: "'ada'",
      turn_key: "''",
      digest: "''",
      chain: "''",
    },
    tombstones: { target: "'ada'", turn_key: "''" },
  };
  const row = inserted[table];
  if (row === undefined)
    return `UPDATE mementor.${table} SET "${column}" = ${value} WHERE project_id = $1 AND author = 'ada'`;
  const values = { ...row, author: "'ada'", [column]: value };
  return `INSERT INTO mementor.${table} (project_id, ${Object.keys(values).join(", ")}) VALUES ($1, ${Object.values(values).join(", ")})`;
}
