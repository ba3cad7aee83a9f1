import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import fc from "fast-check";
import { indexWords, queryTerms } from "../../../src/store/postgres/search/keywords.ts";
import { keywordText } from "../../../src/text/keywords.ts";
import { fcOptions } from "../../support/fast-check.ts";
import { startPglite, type TestServer } from "../../support/postgres/pglite.ts";

let server: TestServer;
let sql: SQL;
beforeAll(async () => {
  server = await startPglite();
  sql = new SQL(server.url, { max: 1, prepare: false });
});
afterAll(async () => {
  await sql.close();
  await server.stop();
});

test("words are stemmed and counted as in the index of a SQLite file", () => {
  expect(indexWords(17, ["boil boiling parseTranscript Café", ""])).toEqual([
    {
      words: "'17:boil':1,2 '17:parsetranscript':3,7 '17:cafe':4 '17:pars':5 '17:transcript':6",
      repeats: '{"boil":2,"parsetranscript":2}',
      length: 7,
    },
    { words: "", repeats: null, length: 0 },
  ]);
  expect(queryTerms(17, ["boiled eggs", "Cafés", "!"])).toEqual([
    { query: "'17:boil' <-> '17:egg'", unordered: "'17:boil' & '17:egg'", word: null },
    { query: "'17:cafe'", unordered: "'17:cafe'", word: "cafe" },
    null,
  ]);
});

test("what SQLite finds in a text, PostgreSQL finds too, and nothing else", async () => {
  const word = fc.constantFrom(
    "boil",
    "boiled",
    "egg",
    "O'Neil",
    "x\\y",
    "a.b",
    "été",
    "日本語",
    "snake_case",
    "it's",
    "7",
    "-",
  );
  const texts = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
  const property = fc.asyncProperty(texts, texts, async (text, term) => {
    using db = new Database(":memory:");
    db.run("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61')");
    db.query("INSERT INTO t VALUES (?)").run(keywordText(text));
    const match = `"${term.replaceAll('"', '""')}"`;
    const local = db.query("SELECT 1 FROM t WHERE t MATCH ?").get(match) !== null;
    const [indexed] = indexWords(3, [text]);
    const [query] = queryTerms(3, [term]);
    const [row] = await sql.unsafe("SELECT $1::tsvector @@ $2::tsquery AS found", [
      indexed?.words ?? "",
      query?.query ?? "",
    ]);
    expect(row.found).toBe(local);
  });
  await fc.assert(property, fcOptions());
});

test("a text of any size fits into the index", async () => {
  const long = Array.from({ length: 200_000 }, (_, i) => `word${i % 150_000}x`).join(" ");
  const [indexed] = indexWords(3, [`${long} ${"same ".repeat(1000)} ${"y".repeat(5000)}`]);
  const [row] = await sql.unsafe(
    "SELECT length($1::tsvector) AS n, $1::tsvector @@ '''3:word7x'''::tsquery AS found",
    [indexed?.words ?? ""],
  );
  expect(row.n).toBeGreaterThan(20_000);
  expect(row.found).toBe(true);
  // Of a text beyond the limit, the start and the end.
  expect(indexed?.length).toBe(92_466);
});
