import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Failure } from "../../src/domain.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, NOW, tempDir, turn, vectorOf } from "./builders.ts";
import { type OpenStore, withFreshStore } from "./contract-support.ts";
import { fillKettle, KETTLE } from "./kettle-history.ts";

/** What only a memory's file lists: transcripts, access patterns, failures, and facts about itself. */
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

  failuresContract(name, open);
}

function failuresContract(name: string, open: OpenStore): void {
  const withStore = withFreshStore(open);
  describe(`${name}: failures`, () => {
    const call = 'Bash(cmd="bun test")';
    const failing = (line: number, failures?: Failure[]) =>
      turn(line, `[User] Run it.\n\n[Tools] ${call}\n\n[Errors] exit 1`, {
        toolSummary: [call],
        ...(failures !== undefined && { failures }),
      });

    withStore("are known of the turns whose text has errors", async (store) => {
      const failure: Failure = { start: 54, end: 60, call: 0, mended: false };
      const fine = turn(1, "[User] Well done.");
      await store.ingest.write(batch([failing(0, [failure]), fine, failing(2)]));
      expect(await store.browse.failures([3, 2, 1, 99])).toEqual([
        { turnId: 3, failures: [] },
        { turnId: 1, failures: [failure] },
      ]);
    });

    withStore("are followed by later turns with the same call", async (store) => {
      const failure = (mended: boolean): Failure => ({ start: 54, end: 60, call: 0, mended });
      const success = turn(5, `[User] Again.\n\n[Tools] ${call}`, { toolSummary: ["Read(a.ts)", call] });
      await store.ingest.write(
        batch([
          failing(0, [failure(false)]),
          failing(1, [failure(false)]),
          failing(2, [failure(true)]),
          failing(3),
          turn(4, "[User] Something else."),
          success,
          turn(6, `[User] Elsewhere.\n\n[Tools] ${call}`, { sessionId: "s2", toolSummary: [call] }),
        ]),
      );
      const time = (line: number) => new Date(Date.UTC(2026, 0, 1, 0, line)).toISOString();
      expect(await store.browse.laterCalls(1, call, [7, 2])).toEqual([
        { turnId: 2, createdAt: time(1), failed: true },
        { turnId: 3, createdAt: time(2), failed: false },
        { turnId: 4, createdAt: time(3), failed: true },
        { turnId: 6, createdAt: time(5), failed: false },
        { turnId: 7, createdAt: time(6), failed: false },
      ]);
      expect(await store.browse.laterCalls(6, call, [])).toEqual([]);
    });
  });
}
