import { describe, expect, test } from "bun:test";
import { search } from "../../src/recall/search.ts";
import type { SearchStore } from "../../src/store/store.ts";
import type { StoredTurn } from "../../src/store/stored.ts";
import { aStore, aTurn } from "./made.ts";

const embed = async () => new Float32Array([1, 0]);

describe("search", () => {
  test("embeds before it takes the store's view: to embed may take the only connection", async () => {
    const order: string[] = [];
    const store = aStore({
      nearestChunks: async () => [{ chunkId: 10, turnId: 1, distance: 0.2 }],
    });
    const server: SearchStore = {
      ...store,
      snapshot: async (work) => {
        order.push("view");
        return store.snapshot(work);
      },
    };
    const slow = async () => {
      await new Promise<void>((resume) => setImmediate(resume));
      order.push("vector");
      return new Float32Array([1, 0]);
    };
    await search({ query: "quarterly report totals", limit: 5 }, { store: server, embed: slow });
    expect(order).toEqual(["vector", "view"]);
  });

  test("reports each turn's distance, and an assumed one for a turn found by path alone", async () => {
    const store = aStore({
      nearestChunks: async () => [{ chunkId: 10, turnId: 1, distance: 0.2 }],
      turnsByFile: async () => [{ turnId: 2, source: "file", matches: 1 }],
      turnDistances: async () => [{ chunkId: 20, turnId: 2, distance: 0.6 }],
    });
    const { hits } = await search({ query: "what changed in src/parser.ts", limit: 5 }, { store, embed });
    expect(hits.map(({ turn, distance, sources }) => [turn.turnId, distance, sources])).toEqual([
      [1, 0.2, ["vector"]],
      [2, 0.4, ["file"]],
    ]);
  });

  test("drops turns that only vectors found beyond the limit, and says so", async () => {
    const store = aStore({
      nearestChunks: async () => [
        { chunkId: 10, turnId: 1, distance: 0.3 },
        { chunkId: 20, turnId: 2, distance: 0.46 },
      ],
    });
    const { hits, explain } = await search({ query: "quarterly report totals", limit: 5 }, { store, embed });
    expect(hits.map(({ turn }) => turn.turnId)).toEqual([1]);
    expect(explain.candidates.map(({ scored, filteredBy }) => [scored.turn.turnId, filteredBy])).toEqual([
      [1, null],
      [2, "distance"],
    ]);
  });

  test("reads the whole text only of the turn that it shows", async () => {
    const end = "The quarterly report totals come from the ledger.";
    const texts = [1, 2].map(
      (n) => `[User] prompt ${n}\n\n[Assistant] ${"filler text. ".repeat(40_000)}${end}`,
    );
    const asked: [readonly number[], number | undefined][] = [];
    const start = (texts[0] ?? "").indexOf(end);
    const store = aStore({
      keywordChunks: async () => [1, 2].map((turnId) => ({ chunkId: turnId, turnId, score: 3 - turnId })),
      chunks: async (ids) =>
        ids.map((id) => ({
          ...{ chunkId: id, turnId: id, chunkIndex: 0, content: end },
          ...{ start, end: start + end.length },
        })),
      turns: async (ids, chars) => {
        asked.push([ids, chars]);
        return ids.map((turnId) => {
          const whole = aTurn({ turnId, text: texts[turnId - 1] ?? "" });
          return { ...whole, text: whole.text.slice(0, chars) };
        });
      },
    });
    const { hits } = await search({ query: "quarterly report totals", limit: 1 }, { store, embed: null });
    expect(hits.map(({ turn, quoted }) => [turn.text === texts[0], quoted().passage.endsWith(end)])).toEqual([
      [true, true],
    ]);
    expect(asked).toEqual([
      [[1, 2], 400_000],
      [[1], undefined],
    ]);
  });

  test("gives one row a turn, at most the limit", async () => {
    const store = aStore({
      nearestChunks: async () =>
        [1, 1, 2, 3].map((turnId, i) => ({ chunkId: i, turnId, distance: 0.1 + i / 100 })),
    });
    const { hits, explain } = await search({ query: "quarterly report totals", limit: 2 }, { store, embed });
    expect(hits.map(({ turn }) => turn.turnId)).toEqual([1, 2]);
    expect(explain.candidates.map(({ filteredBy }) => filteredBy)).toEqual([null, null, "rank"]);
  });

  test("answers by keywords alone, with null for a distance, and with nothing for nothing", async () => {
    const store = aStore({ keywordChunks: async () => [{ chunkId: 1, turnId: 7, score: 3 }] });
    const { hits } = await search({ query: "quarterly report", limit: 5 }, { store, embed: null });
    expect(hits.map(({ turn, distance }) => [turn.turnId, distance])).toEqual([[7, null]]);
    expect((await search({ query: "", limit: 5 }, { store: aStore(), embed })).hits).toEqual([]);
  });

  test("answers one word with the turns that have it, and with what is near only where none has it", async () => {
    const nearestChunks = async () =>
      [1, 2, 3].map((turnId) => ({ chunkId: turnId, turnId, distance: turnId / 100 }));
    const keywordChunks = async () => [{ chunkId: 3, turnId: 3, score: 0.1 }];
    const store = aStore({ nearestChunks, keywordChunks });
    const turnsFor = async (query: string) =>
      (await search({ query, limit: 5 }, { store, embed })).hits.map(({ turn }) => turn.turnId);
    expect(await turnsFor("timezone")).toEqual([3]);
    const { explain } = await search({ query: "timezone", limit: 5 }, { store, embed });
    expect(explain.candidates.map(({ scored, filteredBy }) => [scored.turn.turnId, filteredBy])).toEqual([
      [3, null],
      [1, "word"],
      [2, "word"],
    ]);
    const near = await search({ query: "timezone", limit: 5 }, { store: aStore({ nearestChunks }), embed });
    expect(near.hits.map(({ turn }) => turn.turnId)).toEqual([1, 2, 3]);
    // Where no blanks stand between words, this may be a whole question.
    expect(await turnsFor("日付の表示形式")).toEqual([3, 1, 2]);
    expect(await turnsFor("timezone of a quarterly report")).toEqual([1, 2, 3]);
  });

  test("finds the turns of a session by a word that only its title has", async () => {
    const asked: unknown[] = [];
    const titles = ["Security advisories of June", "Disadvisories"];
    const store = aStore({
      turns: async (ids) => ids.map((turnId) => aTurn({ turnId, sessionTitle: titles[0] ?? null })),
      termTurns: async (terms) => new Map(terms.map((term) => [term, term === "fix" ? [3] : []])),
      async turnsByTitle(...given) {
        asked.push(given);
        return titles.map((title, at) => ({ turnId: at + 1, title }));
      },
    });
    const { hits } = await search({ query: "fix the advisories", limit: 5 }, { store, embed: null });
    expect(asked).toEqual([[["advisori"], 20, {}]]);
    expect(hits.map(({ turn, sources }) => [turn.turnId, sources])).toEqual([[1, ["title"]]]);
    const word = await search({ query: "advisories", limit: 5 }, { store, embed: null });
    expect(word.hits.map(({ turn, confidence }) => [turn.turnId, confidence])).toEqual([[1, "likely"]]);
  });

  test("no result stands below one that is less sure", async () => {
    const store = aStore({
      nearestChunks: async () => [{ chunkId: 10, turnId: 1, distance: 0.1 }],
      keywordTurns: async () => [
        { chunkId: null, turnId: 1, score: 9 },
        { chunkId: null, turnId: 2, score: 0.1 },
      ],
      turnDistances: async () => [{ chunkId: 20, turnId: 2, distance: 0.6 }],
      termTurns: async (terms) => new Map(terms.map((term) => [term, [2]])),
      turns: async (ids) =>
        ids.map((turnId) => aTurn({ turnId, text: turnId === 2 ? "[User] The kettle sealant" : "[User] x" })),
    });
    const { hits, explain } = await search({ query: "kettle sealant", limit: 5 }, { store, embed });
    expect(explain.candidates.map(({ scored }) => scored.turn.turnId)).toEqual([2, 1]);
    const first = await search({ query: "kettle sealant", limit: 1 }, { store, embed });
    const shown = (found: typeof hits) => found.map(({ quoted, ...hit }) => ({ ...hit, ...quoted() }));
    expect(shown(first.hits)).toEqual(shown(hits.slice(0, 1)));
    expect(hits.map(({ turn, confidence }) => [turn.turnId, confidence])).toEqual([
      [2, "likely"],
      [1, "weak"],
    ]);
  });

  test("shows the passage around the chunk that was found", async () => {
    const text = `[User] hello\n\n[Assistant] ${"Filler that says nothing. ".repeat(30)}The quota is seven. ${"More filler here. ".repeat(30)}`;
    const start = text.indexOf("The quota");
    const store = aStore({
      keywordChunks: async () => [{ chunkId: 5, turnId: 1, score: 3 }],
      turns: async () => [aTurn({ turnId: 1, text })],
      chunks: async () => [{ chunkId: 5, turnId: 1, chunkIndex: 1, content: "", start, end: start + 19 }],
    });
    const { hits } = await search(
      { query: "which quota", limit: 1, passageChars: 60 },
      { store, embed: null },
    );
    expect(hits[0]?.quoted().passage).toBe("The quota is seven. More filler here. More filler here.");
  });

  test("shows every turn once, whatever the size of the pages", async () => {
    // What words found is surer than what only lies near, and stands in the second twenty.
    const ids = Array.from({ length: 50 }, (_, i) => i + 1);
    const words = (turnId: number) => (turnId % 16 === 0 ? "quarterly report totals" : `matter ${turnId}`);
    const store = aStore({
      totals: async () => ({ sessions: 1, turns: 9_000, notes: 0, chunks: 9_000, pendingChunks: 0 }),
      nearestChunks: async () =>
        ids.map((turnId) => ({ chunkId: turnId, turnId, distance: 0.1 + turnId / 200 })),
      termTurns: async (terms) =>
        new Map(terms.map((term) => [term, ids.filter((turnId) => words(turnId).includes(term))])),
      turns: async (wanted) =>
        wanted.map((turnId) =>
          aTurn({ turnId, text: `[User] ask ${turnId}\n\n[Assistant] ${words(turnId)}` }),
        ),
    });
    const shown = async (limit: number) =>
      (await search({ query: "quarterly report totals", limit }, { store, embed })).hits.map(
        ({ turn }) => turn.turnId,
      );
    const all = await shown(50);
    expect(new Set(all).size).toBe(50);
    for (const limit of [1, 10, 19, 20, 21, 31, 41]) expect(await shown(limit)).toEqual(all.slice(0, limit));
  });

  test("explains a note once that stands with the conversation of its matter", async () => {
    const ids = Array.from({ length: 25 }, (_, i) => i + 1);
    const talk =
      "[User] the courier webhook fails when the depot gateway restarts\n\n[Assistant] From now on the courier webhook is retried three times by the depot gateway.";
    const note = {
      client: "note",
      text: "[User] The courier webhook of the depot gateway: ask Maren, until the council has decided.",
    };
    const store = aStore({
      nearestChunks: async () =>
        ids.map((turnId) => ({ chunkId: turnId, turnId, distance: 0.1 + turnId / 200 })),
      termTurns: async (terms) => new Map(terms.map((term) => [term, [1, 25]])),
      turns: async (wanted) =>
        wanted.map((turnId) =>
          aTurn({ turnId, ...(turnId === 25 ? note : turnId === 1 ? { text: talk } : {}) }),
        ),
    });
    const asked = { query: "how often are parcels announced", limit: 5 };
    const { matters, explain } = await search(asked, { store, embed });
    expect(matters[0]?.states.map(({ conversation }) => conversation.found.turnId)).toEqual([25, 1]);
    const explained = explain.candidates.map(({ scored }) => scored.turn.turnId);
    expect(explained.toSorted((a, b) => a - b)).toEqual(ids);
  });

  describe("asked by an agent of which nobody knows which session it runs", () => {
    const NOW = new Date("2026-03-04T12:00:00Z");
    const TEXT = "[User] Which quarterly report totals?\n\n[Assistant] The quarterly report totals are net.";
    const OPEN = '[User] Which quarterly report totals?\n\n[Tools] Bash(cmd="grep quarterly report totals")';
    const confidence = async (turn: Partial<StoredTurn>, ownMayRunAt?: Date) => {
      const store = aStore({
        nearestChunks: async () => [{ chunkId: 1, turnId: 1, distance: 0.05 }],
        termTurns: async (terms) => new Map(terms.map((term) => [term, [1]])),
        turns: async () => [aTurn({ turnId: 1, text: TEXT, ...turn })],
      });
      const asked = { query: "quarterly report totals", limit: 5, ...(ownMayRunAt && { ownMayRunAt }) };
      const found = await search(asked, { store, embed });
      return [found.confidence, ...found.hits.map((hit) => hit.confidence)];
    };

    test.each([
      ["that is over", { provisional: false }, "likely"],
      ["that ended long ago", { provisional: true, endedAt: "2026-03-03T10:00:00.000Z" }, "likely"],
      ["that may still go on", { provisional: true, endedAt: "2026-03-04T11:50:00.000Z" }, "weak"],
      ["without an answer", { provisional: true, text: OPEN, endedAt: "2026-03-03T10:00:00.000Z" }, "weak"],
    ] as const)("a turn %s makes it as certain as it may", async (_, turn, expected) => {
      expect(await confidence(turn, NOW)).toEqual([expected, expected]);
      expect((await confidence(turn))[0]).not.toBe("weak");
    });
  });
});
