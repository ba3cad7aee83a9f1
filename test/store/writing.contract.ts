import { describe, expect } from "bun:test";
import { batch, embedAll, forgetTurns, MODEL, source, turn, vectorOf } from "./builders.ts";
import {
  facts,
  keywordTurns,
  type OpenStore,
  TEXTS,
  text,
  uuid,
  withFreshStore,
} from "./contract-support.ts";

/** What every store must do with what it is given. */
export function writingContract(name: string, open: OpenStore): void {
  const withStore = withFreshStore(open);
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
      expect(await store.search.totals()).toEqual({
        sessions: 1,
        turns: 3,
        notes: 0,
        chunks: 6,
        pendingChunks: 0,
      });
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
          client: "claude-code",
          agentId: "a1",
          lineIndex: 7,
          provisional: true,
          role: "compaction_summary",
          origin: "subagent",
          text: text(1),
          parts: given.parts,
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
          author: null,
        },
      ]);
    });

    withStore(
      "keeps the id of a provisional turn that grew, and the vectors of its unchanged chunks",
      async (store) => {
        const start = turn(0, text(0), { provisional: true, promptUuid: uuid(1) });
        await store.ingest.write(batch([start]));
        await embedAll(store);
        const grown = { ...start, provisional: false, text: `${text(0)}\n\n[User] It boils.` };
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
      expect(all.map(({ lineIndex, text }) => [lineIndex, text])).toEqual([
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
      expect((await store.search.turns([1, 2])).map((t) => [t.lineIndex, t.text])).toEqual([
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
      expect(await forgetTurns(store, [1, 2, 77])).toBe(2);
      await store.forget.forget(await store.forget.plan({ sessionId: "s3" }));
      await store.ingest.write({ ...given, rewritten: true });
      expect(await store.search.totals()).toEqual({
        sessions: 1,
        turns: 1,
        notes: 0,
        chunks: 2,
        pendingChunks: 0,
      });
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

    withStore(
      "hands out all of the newest turns, then the first and last words of the others",
      async (store) => {
        const said = (i: number) => `[User] ask ${i}\n\n[Assistant] think ${i}\n\ndo ${i}\n\ndone ${i}`;
        await store.ingest.write(batch([turn(0, said(0)), turn(10, said(1)), turn(20, said(2))]));
        const order = [
          ["done 2", "[User] ask 2", "do 2", "[Assistant] think 2"],
          ["done 1", "[User] ask 1", "done 0", "[User] ask 0"],
          ["do 1", "[Assistant] think 1", "do 0", "[Assistant] think 0"],
        ].flat();
        const waiting = await store.ingest.pendingChunks(99);
        expect(waiting.map(({ content }) => content)).toEqual(order);
        // What is interrupted goes on where it stood.
        await store.ingest.saveVectors(
          waiting.slice(0, 5).map(({ chunkId, content }) => ({ chunkId, vector: vectorOf(content) })),
        );
        expect((await store.ingest.pendingChunks(4)).map(({ content }) => content)).toEqual(
          order.slice(5, 9),
        );
        expect(await store.ingest.vectorsReady()).toEqual({
          first: { pending: 3, total: 6 },
          rest: { pending: 4, total: 6 },
        });
        expect((await store.ingest.latestPending(2)).map(({ content }) => content)).toEqual([
          "do 1",
          "[Assistant] think 1",
        ]);
      },
    );

    withStore("gives rows of tool calls no vector, and finds them by their words", async (store) => {
      const calls = "Read(src/kettle.ts) | Edit(src/spout.ts)";
      const text = `[User] Why does it leak?\n\n[Assistant] The spout is loose.\n\n[Tools] ${calls}`;
      const toolSummary = calls.split(" | ");
      await store.ingest.write(batch([turn(0, text, { toolSummary })]));
      expect(await store.ingest.pendingCount()).toBe(2);
      await embedAll(store);
      expect(await store.ingest.hasPendingVectors()).toBe(false);
      expect(await store.search.totals()).toMatchObject({ chunks: 3, pendingChunks: 0 });
      expect(await keywordTurns(store, "spout.ts")).toEqual([1]);
      await store.models.prepare({ id: "other", dimensions: 8 });
      expect(await store.ingest.pendingCount("other")).toBe(2);
    });

    withStore("takes the end of an answer that has grown for the outcome", async (store) => {
      const said = "[User] ask\n\n[Assistant] think\n\ndone";
      const order = async () => (await store.ingest.pendingChunks(9)).map(({ content }) => content);
      await store.ingest.write(batch([turn(0, said)]));
      expect(await order()).toEqual(["done", "[User] ask", "[Assistant] think"]);
      await store.ingest.write(batch([turn(0, `${said}\n\nreally done`)]));
      expect(await order()).toEqual(["really done", "[User] ask", "done", "[Assistant] think"]);
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
        { id: "other", dimensions: 8, active: true, next: false, vectors: 4, pending: 0 },
      ]);
    });
  });
}
