import { describe, expect, test } from "bun:test";
import { MementorError } from "../../../src/errors.ts";
import { type SearchedMemory, searchAcross } from "../../../src/recall/across/fused.ts";
import type { LocalSearchStore } from "../../../src/store/store.ts";
import { aStore, aTurn } from "../made.ts";

const VECTOR = new Float32Array(384).fill(Math.sqrt(1 / 384));
const REQUEST = { query: "penguins", limit: 10 };
const MODEL = "bge-small-en-v1.5-int8";

/** A memory with one turn, which the word of the query finds. */
function memory(project: string, given: Partial<LocalSearchStore> = {}, closed: string[] = []) {
  const turn = aTurn({ turnId: 1, text: `penguins of ${project}` });
  const found = { chunkId: null, turnId: 1, score: 5 };
  const store = aStore({
    modelId: async () => MODEL,
    termTurns: async (terms) => new Map(terms.map((term) => [term, [1]])),
    keywordTurns: async () => [found],
    turns: async (ids) => (ids.includes(1) ? [turn] : []),
    ...given,
  });
  const open = async () => ({ store, filter: {}, close: async () => void closed.push(project) });
  return { project, open };
}

function deps({ timeLeft = [] as number[], model = true } = {}) {
  const embedded: string[] = [];
  return {
    embedded,
    embed: async (modelId: string) => {
      embedded.push(modelId);
      return model ? VECTOR : null;
    },
    timeLeftMs: () => timeLeft.shift() ?? 1_000,
  };
}

describe("a search of several memories", () => {
  test("embeds the query once and closes every memory", async () => {
    const closed: string[] = [];
    const given = deps();
    const found = await searchAcross(
      REQUEST,
      ["a", "b", "c"].map((name) => memory(name, {}, closed)),
      given,
    );
    expect(found.hits.map(({ project }) => project).sort()).toEqual(["a", "b", "c"]);
    expect({ embedded: given.embedded, closed, searched: found.searched }).toEqual({
      embedded: [MODEL],
      closed: ["a", "b", "c"],
      searched: ["a", "b", "c"],
    });
  });

  test("names the memories that fail, and those for which no time is left", async () => {
    const error = new MementorError("db_corrupt", "damaged");
    const broken: SearchedMemory<string> = { project: "broken", open: () => Promise.reject(error) };
    const given = deps({ timeLeft: [1, 1, 0] });
    const found = await searchAcross(REQUEST, [broken, memory("a"), memory("late")], given);
    expect(found).toMatchObject({
      searched: ["a"],
      byWords: [],
      failed: [{ project: "broken", error }],
      missed: ["late"],
    });
  });

  test("searches a memory of another model by words, and names it", async () => {
    const found = await searchAcross(
      REQUEST,
      [memory("a"), memory("other", { modelId: async () => "other-model" })],
      deps(),
    );
    expect(found).toMatchObject({ searched: ["a", "other"], byWords: ["other"], failed: [] });
    expect(found.hits.map(({ project }) => project).sort()).toEqual(["a", "other"]);
  });

  test("cannot search a memory of another model by meaning alone", async () => {
    const other = memory("other", { modelId: async () => "other-model" });
    const found = await searchAcross({ ...REQUEST, mode: "vector" }, [memory("a"), other], deps());
    expect(found.failed.map(({ project, error }) => [project, error.code])).toEqual([
      ["other", "model_invalid"],
    ]);
  });

  test("a model that cannot be loaded is no fault of a memory", async () => {
    const found = await searchAcross(REQUEST, [memory("a"), memory("b")], deps({ model: false }));
    expect(found).toMatchObject({ searched: ["a", "b"], byWords: [], failed: [] });
  });

  test("searches, where there are many, those that a probe finds most promising", async () => {
    const loaded: string[] = [];
    const many = Array.from({ length: 30 }, (_, i) => {
      const holds = i === 17 || i === 29;
      return memory(`p${i}`, {
        termTurns: async (terms) => new Map(terms.map((term) => [term, holds ? [1] : []])),
        keywordTurns: async () => (holds ? [{ chunkId: null, turnId: 1, score: 5 }] : []),
        turns: async (ids) => {
          loaded.push(`p${i}`);
          return ids.includes(1) ? [aTurn({ turnId: 1, text: "penguins on the ice" })] : [];
        },
      });
    });
    const found = await searchAcross(REQUEST, many, deps());
    expect(found.hits.map(({ project }) => project).sort()).toEqual(["p17", "p29"]);
    expect(found.searched).toHaveLength(30);
    expect(new Set(loaded).size).toBeLessThan(10);
  });

  test("ranks a memory that answers before one that only mentions a word", async () => {
    const answers = memory("answers", {
      turns: async () => [
        aTurn({ turnId: 1, text: "[User] why do penguins huddle in the antarctic winter" }),
      ],
    });
    const mentions = memory("mentions", {
      termTurns: async (terms) => new Map(terms.map((term) => [term, term === "winter" ? [1] : []])),
      turns: async () => [aTurn({ turnId: 1, text: "[User] winter tyres for the car" })],
    });
    const query = "why do penguins huddle in winter";
    for (const memories of [
      [answers, mentions],
      [mentions, answers],
    ]) {
      const found = await searchAcross({ query, limit: 10 }, memories, deps({ model: false }));
      expect(found.hits.map(({ project }) => project)).toEqual(["answers", "mentions"]);
    }
  });
});
