import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW, tempDir, vectorOf } from "./builders.ts";
import type { OpenStore } from "./contract-support.ts";
import { fillKettle, KETTLE } from "./kettle-history.ts";

/** What only a memory's file lists: transcripts, access patterns, and facts about itself. */
export function localBrowsingContract(name: string, open: OpenStore): void {
  describe(`${name}: browsing on its machine`, () => {
    let directory: ReturnType<typeof tempDir>;
    let store: SqliteStore;

    beforeAll(async () => {
      directory = tempDir();
      store = await open(join(directory.path, "memory.db"));
      await fillKettle(store);
    });

    afterAll(async () => {
      await store.close();
      directory[Symbol.dispose]();
    });

    const idOf = async (words: string) =>
      (await store.browse.turnsOf(KETTLE)).find(({ firstWords }) => firstWords === words)?.turnId ?? -1;

    test("the turns of a file are those of its history", async () => {
      const path = "src/valve.ts";
      for (const asked of [{ limit: 9 }, { limit: 1 }, { limit: 9, byTime: true }]) {
        const history = await store.browse.fileHistory(path, asked);
        expect(history.length).toBeGreaterThan(0);
        expect(await store.browse.fileTurns(path, asked)).toEqual(history.map(({ turnId }) => turnId));
      }
    });

    test("turns know their lines in the transcript", async () => {
      const path = `/t/${KETTLE}.jsonl`;
      expect(await store.browse.transcriptPlace(await idOf("Mend it."))).toEqual({
        path,
        firstLine: 10,
        endLine: 20,
        promptUuid: "p-10",
      });
      expect(await store.browse.transcriptPlace(await idOf("Thanks"))).toMatchObject({
        firstLine: 20,
        endLine: null,
      });
      expect(await store.browse.transcriptPlace(4711)).toBeNull();
    });

    test("resources have vectors", async () => {
      expect(await store.search.resourceVector("src/lid.ts")).toEqual(vectorOf("src/lid.ts"));
      expect(await store.search.resourceVector("nope")).toBeNull();
    });

    test("the database says when it was last written, and what was skipped", async () => {
      expect({ last: await store.status.lastIngest(), skipped: await store.status.skippedLines() }).toEqual({
        last: NOW,
        skipped: { progress: 9 },
      });
      expect([await store.status.lastHookCalls(5), await store.status.lastTold()]).toEqual([[], null]);
    });
  });
}
