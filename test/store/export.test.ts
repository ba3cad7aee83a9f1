import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Turn } from "../../src/domain.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, openStore, source, tempDir, turn } from "./builders.ts";
import { facts, uuid } from "./contract-support.ts";

async function withStore(run: (store: SqliteStore) => Promise<void>): Promise<void> {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  try {
    await run(store);
  } finally {
    await store.close();
  }
}

const told = (n: number, text: string, given: Partial<Turn> = {}) =>
  turn(n * 10, text, { promptUuid: uuid(n), entryUuids: [uuid(n), uuid(n + 50)], ...given });
const fromAda = {
  source: source({ path: "import:ada", sessionId: null, lineIndex: 0 }),
  foreignOrigin: "ada",
};

describe("what comes from elsewhere", () => {
  test("is marked, and is known when it comes again", () =>
    withStore(async (store) => {
      const turns = [told(1, "[User] a"), turn(20, "[User] b"), turn(-1, "[User] c")];
      expect(await store.ingest.fates(turns, "ada")).toEqual(["new", "new", "new"]);
      await store.ingest.write(batch(turns, fromAda));
      expect(await store.ingest.fates(turns, "ada")).toEqual(["known", "known", "known"]);
      await store.ingest.write(batch(turns, fromAda));
      const stored = await store.search.turns([1, 2, 3, 4]);
      expect(stored.map(({ foreign, lineIndex }) => [foreign, lineIndex])).toEqual([
        ["ada", 10],
        ["ada", 20],
        ["ada", -1],
      ]);
    }));

  test("takes the place of an older form of it, of the same origin alone", () =>
    withStore(async (store) => {
      await store.ingest.write(batch([told(1, "[User] a")], fromAda));
      const longer = told(1, "[User] a\n\n[Assistant] done");
      expect(await store.ingest.fates([longer], "bob")).toEqual(["known"]);
      expect(await store.ingest.fates([longer], "ada")).toEqual(["update"]);
      await store.ingest.write(batch([longer], fromAda));
      expect(await store.search.turns([1, 2])).toMatchObject([{ text: longer.text, foreign: "ada" }]);
    }));

  test.each<[string, Turn]>([
    ["prompt", told(1, "[User] mine no more")],
    ["prompt in another session", told(1, "[User] mine no more", { sessionId: "s7" })],
    ["entry", told(9, "[User] mine no more", { entryUuids: [uuid(51)] })],
    ["place", turn(10, "[User] mine no more")],
    ["text", turn(77, "[User] mine")],
  ])("never touches an own turn of the same %s", (_what, given) =>
    withStore(async (store) => {
      const own = batch([told(1, "[User] mine")], {
        sessions: [facts("s1", { title: "Mine", titleSource: "summary" })],
      });
      await store.ingest.write(own);
      expect(await store.ingest.fates([given], "ada")).toEqual(["own"]);
      await store.ingest.write(
        batch([given], {
          ...fromAda,
          sessions: [facts("s1", { title: "Not yours", titleSource: "custom-title" })],
          compactions: [{ sessionId: "s1", lineIndex: 90, trigger: null, preTokens: null, timestamp: null }],
          prLinks: [
            { sessionId: "s1", prNumber: 1, prUrl: "https://evil.test", prRepository: "x", timestamp: null },
          ],
        }),
      );
      expect(await store.search.turns([1, 2])).toMatchObject([
        { text: "[User] mine", foreign: null, sessionTitle: "Mine", lineIndex: 10 },
      ]);
      expect(await store.exports.session("s1")).toMatchObject({ prLinks: [], compactions: [] });
    }),
  );

  test("becomes `own` when its transcript is ingested here", () =>
    withStore(async (store) => {
      const claims = told(1, "[User] theirs", {
        sessionId: "other",
        entryUuids: [uuid(1), uuid(51), uuid(2)],
      });
      await store.ingest.write(batch([claims, told(3, "[User] shared")], fromAda));
      expect([...(await store.ingest.knownEntries([uuid(1), uuid(2), uuid(3)])).keys()]).toEqual([]);
      await store.ingest.write(batch([told(1, "[User] mine"), told(3, "[User] shared")]));
      const stored = await store.search.turns([1, 2, 3]);
      expect(stored.map(({ text, foreign }) => [text, foreign])).toEqual([
        ["[User] theirs", "ada"],
        ["[User] shared", null],
        ["[User] mine", null],
      ]);
    }));
});

describe("what an export reads of a file alone", () => {
  test("is lines, directories, entries and compactions", () =>
    withStore(async (store) => {
      const first = told(1, "[User] Boil water");
      const second = told(0, "[User] Fill the kettle", { entryUuids: [uuid(0), "not-a-uuid"] });
      const compaction = { sessionId: "s1", lineIndex: 5, trigger: "auto", preTokens: 9, timestamp: null };
      await store.ingest.write(batch([first, second], { compactions: [compaction] }));
      expect((await store.exports.session("s1"))?.compactions).toEqual([compaction]);
      expect(await store.exports.turns([1, 2])).toEqual([
        expect.objectContaining(first),
        expect.objectContaining({ ...second, entryUuids: expect.arrayContaining(second.entryUuids) }),
      ]);
    }));

  test("has a line only where the first transcript of the session has it", () =>
    withStore(async (store) => {
      await store.ingest.write(batch([told(1, "[User] first")]));
      const other = source({ path: "/t/second.jsonl", sessionId: "s1" });
      await store.ingest.write(batch([told(2, "[User] second")], { source: other }));
      const turns = await store.exports.turns(await store.exports.turnIds("s1", {}));
      expect(turns.map(({ text, lineIndex }) => [text, lineIndex])).toEqual([
        ["[User] first", 10],
        ["[User] second", -1],
      ]);
    }));
});
