import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { authorOrOwn } from "../../src/store/filter.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, openStore, tempDir, turn } from "./builders.ts";

let directory: ReturnType<typeof tempDir>;
let store: SqliteStore;

/** Four turns: two of the user, one of ada, one of bob. */
beforeAll(async () => {
  directory = tempDir();
  const file = join(directory.path, "m.db");
  store = await openStore(file);
  await store.ingest.write(
    batch([
      turn(0, "[User] My kettle.", { mentions: [{ filePath: "src/kettle.ts", toolName: "Edit" }] }),
      turn(1, "[User] Her kettle.", {
        sessionId: "s2",
        mentions: [{ filePath: "src/kettle.ts", toolName: "Edit" }],
        commits: [{ hash: "abcdef0123", message: "boil" }],
      }),
      turn(2, "[User] His kettle.", { sessionId: "s3" }),
      turn(3, "[User] My other kettle."),
    ]),
  );
  const db = new Database(file);
  db.run("UPDATE turns SET foreign_origin = 'team', author = 'ada' WHERE session_id = 's2'");
  db.run("UPDATE turns SET foreign_origin = 'team', author = 'bob' WHERE session_id = 's3'");
  db.run("INSERT INTO team (id, project, author, device_id) VALUES (1, 'kettle', 'me', 'd1')");
  db.close();
});

afterAll(async () => {
  await store.close();
  directory[Symbol.dispose]();
});

test("the members are those with turns, and the user", async () => {
  expect(await store.browse.authors()).toEqual(["ada", "bob", "me"]);
});

test("rows name the member who made them, and no one for one's own", async () => {
  const turns = await store.browse.recent(9, {});
  expect(turns.map(({ firstWords, author, foreign }) => [firstWords, author, foreign])).toEqual([
    ["My other kettle.", null, null],
    ["His kettle.", "bob", "team"],
    ["Her kettle.", "ada", "team"],
    ["My kettle.", null, null],
  ]);
  const stored = await store.search.turns(turns.map(({ turnId }) => turnId));
  expect(stored.map(({ author }) => author)).toEqual([null, "bob", "ada", null]);
  const touches = await store.browse.fileHistory("src/kettle.ts", { limit: 9 });
  expect(touches.map(({ author }) => author)).toEqual(["ada", null]);
  expect((await store.browse.commits({ limit: 9 })).map(({ author }) => author)).toEqual(["ada"]);
  expect((await store.browse.summaries(["s1", "s2", "s3"])).map(({ author }) => author)).toEqual([
    null,
    "ada",
    "bob",
  ]);
});

test("a session that several members brought turns of names all of them, and one's own names none", async () => {
  using directory = tempDir();
  const file = join(directory.path, "m.db");
  await using shared = await openStore(file);
  const turns = ["a", "a", "b", "b"].map((id, n) => turn(n, `[User] Kettle ${n}.`, { sessionId: id }));
  await shared.ingest.write(batch(turns));
  const db = new Database(file);
  db.run(
    "UPDATE turns SET foreign_origin = 'team', author = iif(line_index = 0, 'ada', 'eve') WHERE line_index < 3",
  );
  db.close();
  expect((await shared.browse.summaries(["a", "b"])).map(({ author }) => author)).toEqual(["ada, eve", null]);
});

test.each<[string | undefined, string[]]>([
  [undefined, ["My other kettle.", "My kettle."]],
  ["me", ["My other kettle.", "My kettle."]],
  ["ada", ["Her kettle."]],
  ["nobody", []],
  ["all", ["My other kettle.", "His kettle.", "Her kettle.", "My kettle."]],
])("of the author %p are", async (author, expected) => {
  const filter = authorOrOwn(author);
  expect((await store.browse.recent(9, filter)).map(({ firstWords }) => firstWords)).toEqual(expected);
  expect(await store.browse.count("turns", { filter })).toBe(expected.length);
});

test("a search finds the turns of one author", async () => {
  const found = async (author: string | undefined) =>
    (await store.search.keywordTurns(["kettle"], 9, authorOrOwn(author))).map(({ turnId }) => turnId).sort();
  expect([await found(undefined), await found("ada"), await found("all")]).toEqual([
    [1, 4],
    [2],
    [1, 2, 3, 4],
  ]);
});

test("forgetting by text takes one's own turns unless an author is given", async () => {
  const forgets = async (author?: string) =>
    (await store.forget.plan({ match: "kettle", ...(author !== undefined && { author }) })).turnIds;
  expect([await forgets(), await forgets("ada"), await forgets("all")]).toEqual([[1, 4], [2], [1, 4, 2, 3]]);
  expect((await store.forget.plan({ sessionId: "s2" })).turnIds).toEqual([2]);
});

test("a prune counts and removes one's own turns unless an author is given", async () => {
  const prunes = async (maxBytes: number | null, author?: string) =>
    (
      await store.forget.planPrune({
        before: maxBytes === null ? "2027" : null,
        maxBytes,
        keepFrom: "2027",
        ...(author !== undefined && { author }),
      })
    ).turnIds;
  expect([await prunes(null), await prunes(null, "bob"), await prunes(null, "all")]).toEqual([
    [1, 4],
    [3],
    [1, 2, 3, 4],
  ]);
  expect(await prunes(1)).toEqual([1, 4]);
  expect(await prunes(1_000_000_000)).toEqual([]);
});
