import { expect, test } from "bun:test";
import { join } from "node:path";
import { describeDatabase } from "../../src/store/sqlite/file/copy.ts";
import { databaseProblems, rebuildWords, wordProblems } from "../../src/store/sqlite/file/health.ts";
import { openStore, tempDir } from "./builders.ts";

/** Another process that has the database for itself until its work is done. */
const WRITER = `
  const { Database } = await import("bun:sqlite");
  const db = new Database(process.argv[1]);
  db.run("PRAGMA locking_mode = EXCLUSIVE");
  db.run("BEGIN EXCLUSIVE");
  process.stdout.write("held");
  db.query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) FROM n").get();
  db.run("COMMIT");
  db.close();
`;

test.each<[string, (file: string) => unknown, unknown]>([
  ["the check of a database", databaseProblems, []],
  ["the check of its words", wordProblems, []],
  ["the making of its words", rebuildWords, undefined],
  ["the count of what it holds", (file) => describeDatabase(file).turns, 0],
])("%s waits for another process that writes", async (_, work, expected) => {
  using directory = tempDir();
  const file = join(directory.path, "mementor.db");
  await (await openStore(file)).close();
  const writer = Bun.spawn([process.execPath, "-e", WRITER, file], { stdout: "pipe" });
  const { value } = await writer.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("held");
  expect(work(file)).toEqual(expected);
  expect(await writer.exited).toBe(0);
});
