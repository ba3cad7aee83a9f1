import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import type { Database } from "../../../src/store/postgres/client/database.ts";
import { json, numberPlaceholders, teamProject } from "../../../src/store/postgres/query.ts";
import { startTeam, type TestTeam } from "../../support/postgres/team.ts";

let team: TestTeam;
let database: Database;

beforeAll(async () => {
  team = await startTeam();
  database = await connect(team.server.urlOf("postgres"), { env: {}, home: "/nonexistent" });
});
afterAll(async () => {
  await database.close();
  await team[Symbol.asyncDispose]();
});

test("placeholders are numbered in the order of the text, the project once", () => {
  const text = "SELECT a::text, '? :project' FROM t WHERE p = :project AND x = ? AND y = ? AND q = :project";
  expect(numberPlaceholders(text, ["x", 2], 7)).toEqual({
    text: "SELECT a::text, '? :project' FROM t WHERE p = $1 AND x = $2 AND y = $3 AND q = $1",
    values: [7, "x", 2],
  });
  expect(() => numberPlaceholders("SELECT ?", [], 7)).toThrow("0 parameters for 1 places");
  expect(() => numberPlaceholders("SELECT 1", [1], 7)).toThrow("1 parameters for 0 places");
});

test("rows have numbers, booleans and texts", async () => {
  const project = teamProject(database, 7);
  const row = await project.read((sql) =>
    sql.get("SELECT :project::bigint AS project, count(*) AS n, true AS yes, ? || 'b' AS text", "a"),
  );
  expect(row).toEqual({ project: 7, n: 1, yes: true, text: "ab" });
  expect(await project.read((sql) => sql.get("SELECT 1 WHERE false"))).toBeNull();
});

test("reading changes nothing, writing does", async () => {
  const project = teamProject(database, 7);
  const create = "CREATE TABLE numbers (n bigint)";
  expect(await project.read((sql) => sql.run(create)).catch((error) => error.code)).toBe("server_read_only");
  await project.write((sql) => sql.run(create));
  const insert = "INSERT INTO numbers SELECT value::bigint FROM jsonb_array_elements_text(?::text::jsonb)";
  expect(await project.write((sql) => sql.run(insert, json([1, 2])))).toBe(2);
});

test("nothing is written where the schema is not this program's", async () => {
  const project = teamProject(database, 7);
  for (const [change, code] of [
    ["+", "db_newer"],
    ["-", "db_older"],
  ]) {
    await team.admin.unsafe(`UPDATE mementor.meta SET schema_version = schema_version ${change} 1`);
    await expect(project.write(async () => 1)).rejects.toMatchObject({ code });
    expect(await project.read(async () => 1)).toBe(1);
    await team.admin.unsafe(`UPDATE mementor.meta SET schema_version = schema_version ${change} -1`);
  }
});

test("texts that PostgreSQL cannot store keep their length", async () => {
  const texts = ["a\0b", "\ud83d", "\ud83d\ude00"];
  const project = teamProject(database, 7);
  const rows = await project.read((sql) =>
    sql.all<{ value: string }>(
      "SELECT value FROM jsonb_array_elements_text(?::text::jsonb) UNION ALL SELECT ?",
      json(texts),
      "\0",
    ),
  );
  expect(rows.map(({ value }) => value)).toEqual(["a\ufffdb", "\ufffd", "\ud83d\ude00", "\ufffd"]);
});
