import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Turn } from "../../src/domain.ts";
import { readPath } from "../../src/store/filter.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { SearchStore } from "../../src/store/store.ts";
import { batch, embedAll, tempDir, turn, vectorOf } from "./builders.ts";
import { facts, type OpenWritten, type Written, withFreshMemory } from "./contract-support.ts";

/** What a search must find, and must not, in a file and in a team's database. */
export function searchingContract(name: string, open: OpenWritten): void {
  const withMemory = withFreshMemory(open);
  describe(`${name}: searching`, () => {
    withMemory(
      "hands out chunks by id, turn by turn, without those that do not exist",
      async ({ store, read }) => {
        await history(store, 3);
        const { search } = await read();
        const all = await search.chunks([3, 99_999, 1, 2]);
        expect(all.map(({ chunkId, turnId, chunkIndex }) => [chunkId, turnId, chunkIndex])).toEqual([
          [1, 1, 0],
          [2, 2, 0],
          [3, 3, 0],
        ]);
        const turns = await search.turns([1, 2, 3]);
        expect(all.map(({ content }) => content)).toEqual(
          all.map(({ start, end }, i) => turns[i]?.text.slice(start, end) ?? ""),
        );
      },
    );

    withMemory("reads no more of a text than it is asked for", async ({ store, read }) => {
      await store.ingest.write(batch([turn(0, `boil 😀 ${"eggs ".repeat(40)}`)]));
      const { search } = await read();
      const [whole] = await search.turns([1]);
      const [head] = await search.turns([1], 14);
      expect(head).toEqual({
        ...whole,
        text: Array.from(whole?.text ?? "")
          .slice(0, 14)
          .join(""),
      } as typeof head);
      expect(await search.turns([1], 100_000)).toEqual(await search.turns([1]));
    });

    withMemory(
      "finds the turns of a word in any of its forms, unless there are too many",
      async ({ store, read }) => {
        await store.ingest.write(
          batch([turn(0, "boil boiling"), turn(1, "boiled eggs"), turn(2, "the user's eggs")]),
        );
        const { search } = await read();
        expect(await search.termTurns(["boil", "eggs", "boiled eggs", "none"], 2)).toEqual(
          new Map([
            ["boil", [1, 2]],
            ["eggs", [2, 3]],
            ["boiled eggs", [2]],
            ["none", []],
          ]),
        );
        expect(await search.termTurns(["boil", "the"], 1)).toEqual(new Map([["the", [3]]]));
        expect(await search.keywordTurns(['say "no', "AND", "NEAR(", "*"], 5)).toEqual([]);
      },
    );

    withMemory(
      "counts the turns that fit a filter only, and those of a word among them",
      async ({ store, read }) => {
        await store.ingest.write(
          batch([
            turn(0, "boil eggs", { branch: "a" }),
            turn(1, "boil water", { branch: "b" }),
            turn(2, "boil the kettle", { branch: "b", sessionId: "s2" }),
          ]),
        );
        const { search } = await read();
        const filter = { branch: "b" };
        expect(await search.totals(filter)).toMatchObject({ sessions: 2, turns: 2, chunks: 2 });
        expect(await search.termTurns(["boil", "eggs"], 2, filter)).toEqual(
          new Map([
            ["boil", [2, 3]],
            ["eggs", []],
          ]),
        );
        expect(await search.termTurns(["boil", "water"], 1, filter)).toEqual(new Map([["water", [2]]]));
      },
    );

    withMemory("finds turns by the title of their session", async ({ store, read }) => {
      await store.ingest.write(
        batch([turn(0, "a"), turn(1, "b"), turn(2, "c", { sessionId: "s2" })], {
          sessions: [
            facts("s1", {
              title: "The Kettle leaks",
              titleSource: "summary",
              endedAt: "2026-01-01T10:00:00.000Z",
            }),
            facts("s2", {
              title: "Lids of a kettle",
              titleSource: "summary",
              endedAt: "2026-01-02T10:00:00.000Z",
            }),
          ],
        }),
      );
      const { search } = await read();
      const found = async (texts: string[], limit = 9) =>
        (await search.turnsByTitle(texts, limit)).map(({ turnId, title }) => [turnId, title]);
      expect(await found(["kettle", "lea"])).toEqual([
        [1, "The Kettle leaks"],
        [2, "The Kettle leaks"],
      ]);
      expect(await found(["kettle"], 1)).toEqual([[3, "Lids of a kettle"]]);
      expect(await found(["%"])).toEqual([]);
    });

    withMemory("finds turns by files, commits and pull requests", async ({ store, read }) => {
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
      const { search } = await read();
      const files = async (...hints: string[]) =>
        (await search.turnsByFile(hints, 9)).map((hit) => [hit.turnId, hit.matches]);
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
        (await search.turnsByCommit([hash], 9)).map((hit) => hit.turnId);
      expect(await commits("0123456")).toEqual([3]);
      expect(await commits("0123456789ABCDEF0123")).toEqual([3]);
      expect(await commits("0123457")).toEqual([]);
      expect((await search.turnsByPr([3], 9)).map((hit) => hit.turnId)).toEqual([3, 2, 1]);
    });
  });

  describe(`${name}: searching 900 turns`, () => {
    let directory: ReturnType<typeof tempDir>;
    let written: Written;
    let search: SearchStore;
    let turns: Turn[];

    beforeAll(async () => {
      directory = tempDir();
      written = await open(join(directory.path, "memory.db"));
      turns = await history(written.store, 900);
      search = (await written.read()).search;
    }, 60_000);

    afterAll(async () => {
      await written.close();
      directory[Symbol.dispose]();
    });

    test("the nearest chunks are found in order, with their distances", async () => {
      const query = vectorOf("common words number w123");
      const hits = await search.nearestChunks(query, 20);
      expect(hits.length).toBe(20);
      expect(hits.map((hit) => hit.distance)).toEqual(hits.map((hit) => hit.distance).sort((a, b) => a - b));
      expect((await search.turns([hits[0]?.turnId ?? 0]))[0]?.text).toContain("w123");
      const sample = await search.sampleDistances(query, 64);
      expect(sample.length).toBe(64);
      const best = await search.turnDistances(
        query,
        hits.map((hit) => hit.turnId),
      );
      expect(best).toEqual(hits);
    });

    const filters: [string, Parameters<SearchStore["nearestChunks"]>[2], (t: Turn, i: number) => boolean][] =
      [
        ["session", { session: "s2" }, (t) => t.sessionId === "s2"],
        ["branch", { branch: "odd" }, (t) => t.branch === "odd"],
        ["role", { role: "turn" }, () => true],
        ["file", { file: readPath("part7/index.ts", "/app", ["/app"]) }, (_, i) => i % 10 === 7],
        ["directory", { file: readPath("src/part7/", "/app", ["/app"]) }, (_, i) => i % 10 === 7],
        ["commit", { commit: "abcdef1" }, (_, i) => i === 3],
        ["commit of four digits", { commit: "abcd" }, (_, i) => i === 3],
        ["pull request", { pr: 12 }, (t) => t.sessionId === "s4"],
        ["since", { since: "2026-01-01T14:00:00Z" }, (_, i) => i >= 840],
        ["until", { until: "2026-01-01T00:10:00+00:00" }, (_, i) => i <= 10],
        ["agent", { agent: "a1" }, () => false],
        ["both", { session: "s1", branch: "even" }, (t) => t.sessionId === "s1" && t.branch === "even"],
      ];
    test("no fewer are found than there are, nor others, whatever the filter", async () => {
      const query = vectorOf("common words number w5");
      for (const [what, filter, keeps] of filters) {
        const expected = turns.flatMap((t, i) => (keeps(t, i) ? [i + 1] : []));
        for (const limit of [7, 900]) {
          const wanted = Math.min(limit, expected.length);
          const found = [
            await search.nearestChunks(query, limit, filter),
            await search.keywordChunks(["common", "w5"], limit, filter),
            await search.keywordTurns(["common", "w5"], limit, filter),
          ];
          for (const hits of found) {
            const ids = hits.map((hit) => hit.turnId);
            expect([what, limit, new Set(ids).size]).toEqual([what, limit, wanted]);
            expect(ids.filter((id) => !expected.includes(id))).toEqual([]);
          }
        }
      }
    });
  });
}

/** Stores so many turns of common words, with their vectors. */
async function history(store: SqliteStore, count: number): Promise<Turn[]> {
  const turns: Turn[] = Array.from({ length: count }, (_, i) =>
    turn(i, `[User] common words number w${i}`, {
      sessionId: `s${i % 5}`,
      branch: i % 2 === 0 ? "even" : "odd",
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
}
