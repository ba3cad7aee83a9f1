import { describe, expect } from "bun:test";
import { batch, embedAll, MODEL, turn, vectorOf } from "./builders.ts";
import { type OpenStore, withFreshStore } from "./contract-support.ts";

/** What only a memory's file finds: what an agent sees of a session, and what sessions touched. */
export function localSearchingContract(name: string, open: OpenStore): void {
  const withStore = withFreshStore(open);
  describe(`${name}: searching on its machine`, () => {
    withStore("finds the turns of a role", async (store) => {
      await store.ingest.write(
        batch([turn(0, "water"), turn(1, "more water", { role: "compaction_summary" })]),
      );
      const found = await store.search.keywordTurns(["water"], 10, { role: "compaction_summary" });
      expect(found.map(({ turnId }) => turnId)).toEqual([2]);
    });

    withStore("leaves out what the session's client still sees", async (store) => {
      const time = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
      await store.ingest.write(
        batch([
          turn(0, "water one", { sessionId: "s1" }),
          turn(50, "water two", { sessionId: "s1" }),
          turn(3, "water three", { sessionId: "s1", agentId: "a", createdAt: time(5) }),
          turn(4, "water four", { sessionId: "s1", agentId: "a", createdAt: time(55) }),
          turn(0, "water five", { sessionId: "s2" }),
          turn(1, "water six", { sessionId: "s2" }),
        ]),
      );
      await store.ingest.write(
        batch([], {
          copies: [
            { sessionId: "s1", lineIndex: 5, turnId: 5 },
            { sessionId: "s1", lineIndex: 45, turnId: 6 },
          ],
        }),
      );
      const seen = async () => {
        const filter = { inContext: { sessionId: "s1" } };
        const left = (await store.search.keywordTurns(["water"], 10, filter)).map((hit) => hit.turnId);
        return [1, 2, 3, 4, 5, 6].filter((id) => !left.includes(id));
      };
      expect(await seen()).toEqual([1, 2, 3, 4, 5, 6]);
      await store.journal.announceCompaction({ sessionId: "s1", trigger: "auto", time: time(40) });
      expect(await seen()).toEqual([1, 2, 3, 4, 5, 6]);
      const boundary = { sessionId: "s1", lineIndex: 40, trigger: "auto", preTokens: 9, timestamp: time(41) };
      await store.ingest.write(batch([], { compactions: [boundary] }));
      expect(await seen()).toEqual([2, 4, 6]);
    });

    withStore("takes an announced compaction for one once it is confirmed", async (store) => {
      await store.ingest.write(batch([turn(0, "water one"), turn(50, "water two")]));
      const found = () => store.search.keywordTurns(["water"], 10, { inContext: { sessionId: "s1" } });
      await store.journal.announceCompaction({
        sessionId: "s1",
        trigger: "manual",
        time: "2026-01-02T00:00:00.000Z",
      });
      expect((await found()).length).toBe(0);
      await store.journal.confirmCompaction("s1");
      expect((await found()).length).toBe(2);
    });

    withStore("measures chunks by id, and leaves out those that do not exist", async (store) => {
      await store.ingest.write(batch([turn(0, "warm water"), turn(1, "cold water")]));
      await embedAll(store);
      const hits = await store.search.nearestChunks(vectorOf("warm water"), 2);
      const ids = hits.map(({ chunkId }) => chunkId);
      expect(
        await store.search.chunkDistances(vectorOf("warm water"), [...ids.toReversed(), 99_999]),
      ).toEqual(hits.map(({ chunkId, distance }) => ({ chunkId, distance })));
    });

    withStore("says what a session touched last", async (store) => {
      const mentions = (...paths: string[]) => paths.map((filePath) => ({ filePath, toolName: "Edit" }));
      await store.ingest.write(
        batch([
          turn(0, "a", { mentions: mentions("src/store/lock.ts", "README.md") }),
          turn(1, "b", { mentions: mentions("lock.ts", "https://x.dev/lock.ts") }),
          turn(2, "c", { mentions: mentions("src/store/unlock.ts", "src/store/lock.ts") }),
        ]),
      );
      expect(await store.search.recentResources("s1", { files: 2, urls: 1 })).toEqual({
        files: ["src/store/lock.ts", "src/store/unlock.ts"],
        urls: ["https://x.dev/lock.ts"],
      });
    });

    withStore("keeps access patterns, the same in however many steps the turns came", async (store) => {
      const touching = (line: number, sessionId: string, ...paths: string[]) =>
        turn(line, `t${line}`, {
          sessionId,
          mentions: paths.map((filePath) => ({ filePath, toolName: "Read" })),
        });
      const turns = Array.from({ length: 14 }, (_, i) => (i % 4 === 3 ? [] : [`f${i % 6}.ts`, `g${i}.ts`]));
      for (const [i, paths] of turns.entries()) {
        await store.ingest.write(batch([touching(i, "s1", ...paths)]));
        await embedAll(store);
      }
      await store.ingest.write(batch(turns.map((paths, i) => touching(i, "s2", ...paths))));
      await store.ingest.write(batch([touching(0, "s3", "f0.ts")]));
      await embedAll(store);
      for (const window of ["full", "recent_5", "recent_10"] as const) {
        const count = { full: 14, recent_5: 5, recent_10: 10 }[window];
        const recent = turns.filter((paths) => paths.length > 0).slice(-count);
        const vectors = [...new Set(recent.flat())].map(vectorOf);
        const mean = Array.from(
          { length: MODEL.dimensions },
          (_, i) => vectors.reduce((sum, v) => sum + (v[i] ?? 0), 0) / vectors.length,
        );
        const pattern = await store.search.accessPattern("s1", window);
        expect(pattern?.length).toBe(MODEL.dimensions);
        pattern?.forEach((value, i) => {
          expect(value).toBeCloseTo(mean[i] ?? 9, 5);
        });
        expect(await store.search.accessPattern("s2", window)).toEqual(pattern);
      }
      const full = await store.search.accessPattern("s1", "full");
      const near = await store.search.nearestSessions(full ?? new Float32Array(), 5, "s1");
      expect(near.map((hit) => hit.sessionId)).toEqual(["s2", "s3"]);
      expect(near[0]?.distance).toBeCloseTo(0, 5);
      expect(await store.search.accessPattern("nobody", "full")).toBeNull();
    });
  });
}
