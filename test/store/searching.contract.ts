import { describe, expect } from "bun:test";
import type { Turn } from "../../src/domain.ts";
import { readPath } from "../../src/filter/path.ts";
import type { Store } from "../../src/store/store.ts";
import { batch, embedAll, MODEL, turn, vectorOf } from "./builders.ts";
import { type OpenStore, withFreshStore } from "./contract-support.ts";

/** What every store must find, and must not. */
export function searchingContract(name: string, open: OpenStore): void {
  const withStore = withFreshStore(open);
  describe(`${name}: searching`, () => {
    const history = async (store: Store, count: number) => {
      const turns: Turn[] = Array.from({ length: count }, (_, i) =>
        turn(i, `[User] common words number w${i}`, {
          sessionId: `s${i % 5}`,
          branch: i % 2 === 0 ? "even" : "odd",
          role: i % 50 === 0 ? "compaction_summary" : "turn",
          mentions: [{ filePath: `src/part${i % 10}/index.ts`, toolName: "Read" }],
          commits: i === 3 ? [{ hash: "ABCDEF1234567", message: "m" }] : [],
        }),
      );
      await store.ingest.write(
        batch(turns, {
          prLinks: [{ sessionId: "s4", prNumber: 12, prUrl: "u", prRepository: "r", timestamp: null }],
        }),
      );
      await embedAll(store);
      return turns;
    };

    withStore("finds the nearest chunks in order, with their distances", async (store) => {
      await history(store, 900);
      const query = vectorOf("common words number w123");
      const hits = await store.search.nearestChunks(query, 20);
      expect(hits.length).toBe(20);
      expect(hits.map((hit) => hit.distance)).toEqual(hits.map((hit) => hit.distance).sort((a, b) => a - b));
      expect((await store.search.turns([hits[0]?.turnId ?? 0]))[0]?.text).toContain("w123");
      const sample = await store.search.sampleDistances(query, 64);
      expect(sample.length).toBe(64);
      const best = await store.search.turnDistances(
        query,
        hits.map((hit) => hit.turnId),
      );
      expect(best).toEqual(hits);
      const ids = hits.map(({ chunkId }) => chunkId);
      expect(await store.search.chunkDistances(query, [...ids.toReversed(), 99_999])).toEqual(
        hits.map(({ chunkId, distance }) => ({ chunkId, distance })),
      );
    });

    withStore("hands out chunks by id, turn by turn, without those that do not exist", async (store) => {
      await history(store, 3);
      const all = await store.search.chunks([3, 99_999, 1, 2]);
      expect(all.map(({ chunkId, turnId, chunkIndex }) => [chunkId, turnId, chunkIndex])).toEqual([
        [1, 1, 0],
        [2, 2, 0],
        [3, 3, 0],
      ]);
      const turns = await store.search.turns([1, 2, 3]);
      expect(all.map(({ content }) => content)).toEqual(
        all.map(({ start, end }, i) => turns[i]?.text.slice(start, end) ?? ""),
      );
    });

    const filters: [
      string,
      Parameters<Store["search"]["nearestChunks"]>[2],
      (t: Turn, i: number) => boolean,
    ][] = [
      ["session", { session: "s2" }, (t) => t.sessionId === "s2"],
      ["branch", { branch: "odd" }, (t) => t.branch === "odd"],
      ["role", { role: "compaction_summary" }, (t) => t.role === "compaction_summary"],
      ["file", { file: readPath("part7/index.ts", "/app", ["/app"]) }, (_, i) => i % 10 === 7],
      ["directory", { file: readPath("src/part7/", "/app", ["/app"]) }, (_, i) => i % 10 === 7],
      ["commit", { commit: "abcdef1" }, (_, i) => i === 3],
      ["commit of four digits", { commit: "abcd" }, (_, i) => i === 3],
      ["pull request", { pr: 12 }, (t) => t.sessionId === "s4"],
      ["since", { since: "2026-01-01T14:00:00Z" }, (_, i) => i >= 840],
      ["until", { until: "2026-01-01T00:10:00+00:00" }, (_, i) => i <= 10],
      ["agent", { agent: "a1" }, () => false],
      ["in-context", { inContext: { sessionId: "s1" } }, (t) => t.sessionId !== "s1"],
      [
        "both",
        { session: "s1", branch: "even", inContext: { sessionId: "s2" } },
        (t) => t.sessionId === "s1" && t.branch === "even",
      ],
    ];
    withStore("never finds fewer than there are, nor others, whatever the filter", async (store) => {
      const turns = await history(store, 900);
      const query = vectorOf("common words number w5");
      for (const [what, filter, keeps] of filters) {
        const expected = turns.flatMap((t, i) => (keeps(t, i) ? [i + 1] : []));
        for (const limit of [7, 900]) {
          const wanted = Math.min(limit, expected.length);
          const found = [
            await store.search.nearestChunks(query, limit, filter),
            await store.search.keywordChunks(["common", "w5"], limit, filter),
            await store.search.keywordTurns(["common", "w5"], limit, filter),
          ];
          for (const hits of found) {
            const ids = hits.map((hit) => hit.turnId);
            expect([what, limit, new Set(ids).size]).toEqual([what, limit, wanted]);
            expect(ids.filter((id) => !expected.includes(id))).toEqual([]);
          }
        }
      }
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

    withStore("finds the turns of a word in any of its forms, unless there are too many", async (store) => {
      await store.ingest.write(
        batch([turn(0, "boil boiling"), turn(1, "boiled eggs"), turn(2, "the user's eggs")]),
      );
      expect(await store.search.termTurns(["boil", "eggs", "boiled eggs", "none"], 2)).toEqual(
        new Map([
          ["boil", [1, 2]],
          ["eggs", [2, 3]],
          ["boiled eggs", [2]],
          ["none", []],
        ]),
      );
      expect(await store.search.termTurns(["boil", "the"], 1)).toEqual(new Map([["the", [3]]]));
      expect(await store.search.keywordTurns(['say "no', "AND", "NEAR(", "*"], 5)).toEqual([]);
    });

    withStore("counts the turns that fit a filter only, and those of a word among them", async (store) => {
      await store.ingest.write(
        batch([
          turn(0, "boil eggs", { branch: "a" }),
          turn(1, "boil water", { branch: "b" }),
          turn(2, "boil the kettle", { branch: "b", sessionId: "s2" }),
        ]),
      );
      const filter = { branch: "b" };
      expect(await store.search.totals(filter)).toMatchObject({ sessions: 2, turns: 2, chunks: 2 });
      expect(await store.search.termTurns(["boil", "eggs"], 2, filter)).toEqual(
        new Map([
          ["boil", [2, 3]],
          ["eggs", []],
        ]),
      );
      expect(await store.search.termTurns(["boil", "water"], 1, filter)).toEqual(new Map([["water", [2]]]));
    });

    withStore("finds turns by files, commits and pull requests", async (store) => {
      const mentions = (...paths: string[]) => paths.map((filePath) => ({ filePath, toolName: "Edit" }));
      await store.ingest.write(
        batch(
          [
            turn(0, "a", { mentions: mentions("src/store/lock.ts", "README.md") }),
            turn(1, "b", { mentions: mentions("lock.ts", "https://x.dev/lock.ts") }),
            turn(2, "c", {
              mentions: mentions("src/store/unlock.ts", "src/store/lock.ts"),
              commits: [{ hash: "0123456789abcdef", message: "x" }],
            }),
          ],
          {
            prLinks: [
              {
                sessionId: "s1",
                prNumber: 3,
                prUrl: "u",
                prRepository: "r",
                timestamp: "2026-01-01T00:01:30.000Z",
              },
            ],
          },
        ),
      );
      const files = async (...hints: string[]) =>
        (await store.search.turnsByFile(hints, 9)).map((hit) => [hit.turnId, hit.matches]);
      expect(await files("lock.ts")).toEqual([
        [3, 1],
        [2, 1],
        [1, 1],
      ]);
      expect(await files("store/lock.ts")).toEqual([
        [3, 1],
        [1, 1],
      ]);
      expect(await files("src/store/")).toEqual([
        [3, 1],
        [1, 1],
      ]);
      expect(await files("README.md", "lock.ts")).toEqual([
        [1, 2],
        [3, 1],
        [2, 1],
      ]);
      expect(await files("ock.ts", "tore/lock.ts", "%", "")).toEqual([]);
      expect(await files("https://x.dev/lock.ts")).toEqual([[2, 1]]);
      const commits = async (hash: string) =>
        (await store.search.turnsByCommit([hash], 9)).map((hit) => hit.turnId);
      expect(await commits("0123456")).toEqual([3]);
      expect(await commits("0123456789ABCDEF0123")).toEqual([3]);
      expect(await commits("0123457")).toEqual([]);
      expect((await store.search.turnsByPr([3], 9)).map((hit) => hit.turnId)).toEqual([3, 2, 1]);
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
