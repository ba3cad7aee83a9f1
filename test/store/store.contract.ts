import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Turn } from "../../src/domain.ts";
import type { Store, WriteBatch } from "../../src/store/store.ts";
import { batch, embedAll, MODEL, source, tempDir, turn, vectorOf } from "./builders.ts";

const TEXTS = [
  "[User] How do I boil water?\n\n[Assistant] Fill the kettle and press the switch.",
  "[User] Why does the timer drift?\n\n[Assistant] Each tick re-arms the interval.",
  "[User] Paint the fence green.\n\n[Assistant] Two coats of green paint went on the fence.",
];
const text = (i: number) => TEXTS[i] ?? "";
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** What every store must do, whatever it is made of. */
export function storeContract(name: string, open: (file: string) => Promise<Store>): void {
  const withStore = (what: string, run: (store: Store) => Promise<void>) =>
    test(what, async () => {
      using dir = tempDir();
      const store = await open(join(dir.path, "memory.db"));
      try {
        await run(store);
      } finally {
        await store.close();
      }
    });

  describe(`${name}: writing`, () => {
    withStore("stores a batch once, however often it comes", async (store) => {
      const given = batch(
        TEXTS.map((text, i) => turn(i * 10, text, { promptUuid: uuid(i), entryUuids: [uuid(i), `e${i}`] })),
      );
      expect(await store.ingest.write(given)).toEqual({
        turnsInserted: 3,
        turnsUpdated: 0,
        chunksWritten: 6,
        vectorsReused: 0,
      });
      await embedAll(store);
      expect(await store.ingest.write(given)).toEqual({
        turnsInserted: 0,
        turnsUpdated: 3,
        chunksWritten: 0,
        vectorsReused: 0,
      });
      expect(await store.search.totals()).toEqual({ sessions: 1, turns: 3, chunks: 6, pendingChunks: 0 });
      expect(await store.ingest.source(given.source.path)).toEqual(given.source);
      expect(
        (await store.ingest.knownEntries([uuid(1).toUpperCase(), "e2", "nowhere"])).values().toArray(),
      ).toEqual([
        { turnId: 2, sessionId: "s1", agentId: null, promptUuid: uuid(1) },
        { turnId: 3, sessionId: "s1", agentId: null, promptUuid: uuid(2) },
      ]);
    });

    withStore("returns a turn as it was given", async (store) => {
      const given = turn(7, text(1), {
        agentId: "a1",
        isSidechain: true,
        provisional: true,
        role: "compaction_summary",
        origin: "subagent",
        toolSummary: ["Read(src/a.ts)", 'Bash(cmd="x \\"y\\"")'],
        endedAt: "2026-01-01T01:00:00.000Z",
        model: "m",
        clientVersion: "2.1.0",
      });
      const sessions = [facts("s1", { title: "Timers", titleSource: "summary" })];
      await store.ingest.write(batch([given], { sessions }));
      expect(await store.search.turns([99, 1])).toEqual([
        {
          turnId: 1,
          sessionId: "s1",
          agentId: "a1",
          lineIndex: 7,
          provisional: true,
          role: "compaction_summary",
          origin: "subagent",
          fullText: text(1),
          toolSummary: given.toolSummary,
          isSidechain: true,
          createdAt: given.createdAt,
          endedAt: given.endedAt,
          branch: "main",
          cwd: "/home/ada/kettle",
          model: "m",
          clientVersion: "2.1.0",
          sessionTitle: "Timers",
          foreign: null,
        },
      ]);
    });

    withStore(
      "keeps the id of a provisional turn that grew, and the vectors of its unchanged chunks",
      async (store) => {
        const start = turn(0, text(0), { provisional: true, promptUuid: uuid(1) });
        await store.ingest.write(batch([start]));
        await embedAll(store);
        const grown = { ...start, provisional: false, fullText: `${text(0)}\n\n[User] It boils.` };
        const result = await store.ingest.write(batch([grown]));
        expect(result).toEqual({ turnsInserted: 0, turnsUpdated: 1, chunksWritten: 1, vectorsReused: 2 });
        expect((await store.ingest.pendingChunks(9)).map((chunk) => chunk.content)).toEqual([
          "[User] It boils.",
        ]);
        expect(await keywordTurns(store, "boils")).toEqual([1]);
        expect(await keywordTurns(store, "nothing")).toEqual([]);
      },
    );

    withStore("takes the vectors of the same text elsewhere", async (store) => {
      await store.ingest.write(batch([turn(0, text(0))]));
      await embedAll(store);
      const result = await store.ingest.write(batch([turn(10, text(0))]));
      expect(result).toEqual({ turnsInserted: 1, turnsUpdated: 0, chunksWritten: 2, vectorsReused: 2 });
      const hits = await store.search.nearestChunks(vectorOf(text(0).split("\n\n")[1] ?? ""), 2);
      expect(hits.map((hit) => hit.turnId)).toEqual([1, 2]);
    });

    withStore("finds turns again by their prompt after a rewrite, and loses none", async (store) => {
      const turns = TEXTS.map((text, i) =>
        turn(i * 10, text, { promptUuid: uuid(i), entryUuids: [uuid(i)] }),
      );
      await store.ingest.write(batch(turns));
      const moved = [
        turn(0, text(1), { promptUuid: uuid(1) }),
        turn(10, "[User] New.", { promptUuid: uuid(9) }),
      ];
      await store.ingest.write(batch(moved, { rewritten: true }));
      const all = await store.search.turns([1, 2, 3, 4]);
      expect(all.map(({ lineIndex, fullText }) => [lineIndex, fullText])).toEqual([
        [-1, text(0)],
        [0, text(1)],
        [-1, text(2)],
        [10, "[User] New."],
      ]);
      expect(await keywordTurns(store, "fence")).toEqual([3]);
    });

    withStore(
      "keeps what a second read no longer yields, but for a provisional turn that was regrouped",
      async (store) => {
        await store.ingest.write(
          batch([
            turn(0, text(0), { promptUuid: uuid(0) }),
            turn(10, text(1), { promptUuid: uuid(1) }),
            turn(20, text(2), { promptUuid: uuid(2), provisional: true }),
          ]),
        );
        await store.ingest.write(
          batch([turn(0, text(0), { promptUuid: uuid(0), entryUuids: [uuid(0), uuid(2)] })]),
        );
        const all = await store.search.turns([1, 2, 3]);
        expect(all.map(({ turnId, lineIndex }) => [turnId, lineIndex])).toEqual([
          [1, 0],
          [2, -1],
        ]);
      },
    );

    withStore("keeps the turns of two files that tell of one session apart", async (store) => {
      await store.ingest.write(batch([turn(0, text(0), { promptUuid: uuid(0) })]));
      const other = source({ path: "/transcripts/s2.jsonl", sessionId: "s2" });
      const second = batch([turn(0, text(1), { promptUuid: uuid(1) })], { source: other });
      await store.ingest.write(second);
      await store.ingest.write(second);
      expect((await store.search.turns([1, 2])).map((t) => [t.lineIndex, t.fullText])).toEqual([
        [0, text(0)],
        [0, text(1)],
      ]);
      expect((await store.search.totals()).turns).toBe(2);
    });

    withStore("prefers a title that a person gave, and the later of equals", async (store) => {
      const titles = [
        ["summary", "one"],
        ["ai-title", "two"],
        ["summary", "three"],
        ["custom-title", "four"],
        ["custom-title", "five"],
        ["ai-title", "six"],
      ] as const;
      const seen: (string | null | undefined)[] = [];
      for (const [titleSource, title] of titles) {
        await store.ingest.write(
          batch([turn(0, text(0))], { sessions: [facts("s1", { title, titleSource })] }),
        );
        seen.push((await store.search.turns([1]))[0]?.sessionTitle);
      }
      expect(seen).toEqual(["one", "two", "two", "four", "five", "five"]);
    });

    withStore("does not take back what was forgotten", async (store) => {
      const given = batch([
        turn(0, text(0), { promptUuid: uuid(0), mentions: [{ filePath: "a.ts", toolName: "Read" }] }),
        turn(10, text(1)),
        turn(20, text(2)),
        turn(0, text(2), { sessionId: "s3" }),
      ]);
      await store.ingest.write(given);
      await embedAll(store);
      expect(await store.forget.forgetTurns([1, 2, 77])).toBe(2);
      await store.forget.forgetSession("s3");
      await store.ingest.write({ ...given, rewritten: true });
      expect(await store.search.totals()).toEqual({ sessions: 1, turns: 1, chunks: 2, pendingChunks: 0 });
      expect(await keywordTurns(store, "kettle")).toEqual([]);
      expect((await store.search.nearestChunks(vectorOf(text(0)), 10)).map((hit) => hit.turnId)).toEqual([
        3, 3,
      ]);
      expect(await store.search.turnsByFile(["a.ts"], 5)).toEqual([]);
    });

    withStore("hands out pending chunks of newer turns first", async (store) => {
      await store.ingest.write(batch([turn(20, "newest"), turn(0, "oldest"), turn(10, "middle")]));
      expect((await store.ingest.pendingChunks(2)).map((chunk) => chunk.content)).toEqual([
        "newest",
        "middle",
      ]);
      expect(await store.ingest.pendingCount()).toBe(3);
      expect(await store.ingest.hasPendingVectors()).toBe(true);
      await embedAll(store);
      expect(await store.ingest.hasPendingVectors()).toBe(false);
    });

    withStore("fills a second model while the first one serves", async (store) => {
      await store.ingest.write(batch([turn(0, text(0)), turn(10, text(1))]));
      await embedAll(store);
      await store.models.add({ id: "other", dimensions: 8 });
      const waiting = await store.ingest.pendingChunks(10, "other");
      expect(waiting.length).toBe(4);
      const vector = (i: number) => Float32Array.from({ length: 8 }, (_, j) => (i === j ? 1 : 0));
      await store.ingest.saveVectors(
        waiting.map(({ chunkId }, i) => ({ chunkId, vector: vector(i) })),
        "other",
      );
      expect((await store.search.nearestChunks(vectorOf(text(1)), 1))[0]?.turnId).toBe(2);
      await store.models.activate("other");
      expect((await store.search.nearestChunks(vector(0), 1))[0]?.chunkId).toBe(waiting[0]?.chunkId);
      await expect(store.search.nearestChunks(vectorOf("x"), 1)).rejects.toMatchObject({
        code: "model_invalid",
      });
      await store.models.remove(MODEL.id);
      expect(await store.models.list()).toEqual([
        { id: "other", dimensions: 8, active: true, vectors: 4, pending: 0 },
      ]);
    });
  });

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
      expect((await store.search.turns([hits[0]?.turnId ?? 0]))[0]?.fullText).toContain("w123");
      const sample = await store.search.sampleDistances(query, 64);
      expect(sample.length).toBe(64);
      const best = await store.search.turnDistances(
        query,
        hits.map((hit) => hit.turnId),
      );
      expect(best).toEqual(hits);
    });

    const filters: [
      string,
      Parameters<Store["search"]["nearestChunks"]>[2],
      (t: Turn, i: number) => boolean,
    ][] = [
      ["session", { sessionId: "s2" }, (t) => t.sessionId === "s2"],
      ["branch", { branch: "odd" }, (t) => t.branch === "odd"],
      ["role", { role: "compaction_summary" }, (t) => t.role === "compaction_summary"],
      ["file", { filePath: "part7/index.ts" }, (_, i) => i % 10 === 7],
      ["directory", { filePath: "src/part7" }, (_, i) => i % 10 === 7],
      ["commit", { commit: "abcdef1" }, (_, i) => i === 3],
      ["pull request", { prNumber: 12 }, (t) => t.sessionId === "s4"],
      ["since", { since: "2026-01-01T14:00:00Z" }, (_, i) => i >= 840],
      ["until", { until: "2026-01-01T00:10:00+00:00" }, (_, i) => i <= 10],
      ["agent", { agentId: "a1" }, () => false],
      ["in-context", { inContext: { sessionId: "s1" } }, (t) => t.sessionId !== "s1"],
      [
        "both",
        { sessionId: "s1", branch: "even", inContext: { sessionId: "s2" } },
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

    withStore("counts in how many turns a word is, in any of its forms, and which", async (store) => {
      await store.ingest.write(
        batch([turn(0, "boil boiling"), turn(1, "boiled eggs"), turn(2, "the user's eggs")]),
      );
      expect(await store.search.documentFrequencies(["boil", "eggs", "boiled eggs", "none"])).toEqual(
        new Map([
          ["boil", 2],
          ["eggs", 2],
          ["boiled eggs", 1],
          ["none", 0],
        ]),
      );
      expect(await store.search.termTurns(["boil", "the"], 1)).toEqual(new Map([["the", [3]]]));
      expect(await store.search.keywordTurns(['say "no', "AND", "NEAR(", "*"], 5)).toEqual([]);
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

  describe(`${name}: journal`, () => {
    withStore("remembers what was told until the session is compacted", async (store) => {
      await store.ingest.write(batch([turn(0, text(0)), turn(1, text(1))]));
      const told = (turnIds: number[], time: string) =>
        store.journal.recordInjection({ sessionId: "live", event: "UserPromptSubmit", turnIds, time });
      await told([1, 99], "2026-02-01T10:00:00.000Z");
      await store.journal.recordInjection({
        sessionId: "live",
        event: "PreToolUse",
        turnIds: [],
        time: "2026-02-01T10:00:00.000Z",
        subject: "src/a.ts",
      });
      expect(await store.journal.injectedTurns("live")).toEqual(new Set([1]));
      expect(await store.journal.injectedSubjects("live", "PreToolUse")).toEqual(new Set(["src/a.ts"]));
      const boundary = {
        sessionId: "live",
        lineIndex: 4,
        trigger: null,
        preTokens: null,
        timestamp: "2026-02-01T11:00:00.000Z",
      };
      await store.ingest.write(batch([], { compactions: [boundary] }));
      expect(await store.journal.injectedTurns("live")).toEqual(new Set());
      expect(await store.journal.injectedSubjects("live", "PreToolUse")).toEqual(new Set());
      await told([2], "2026-02-01T12:00:00.000Z");
      expect(await store.journal.injectedTurns("live")).toEqual(new Set([2]));
      await store.journal.recordHookCall({
        sessionId: null,
        event: "Stop",
        decision: "nothing",
        durationMs: 1.5,
        time: "2026-02-01T12:00:00.000Z",
      });
    });
  });
}

function facts(
  sessionId: string,
  given: Partial<WriteBatch["sessions"][number]>,
): WriteBatch["sessions"][number] {
  return {
    sessionId,
    projectDir: null,
    title: null,
    titleSource: null,
    firstPrompt: null,
    automated: null,
    branch: null,
    startedAt: null,
    endedAt: null,
    ...given,
  };
}

async function keywordTurns(store: Store, word: string): Promise<number[]> {
  return (await store.search.keywordTurns([word], 10)).map((hit) => hit.turnId);
}
