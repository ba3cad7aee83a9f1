import { describe, expect, test } from "bun:test";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import type { Filter } from "../../src/filter/filter.ts";
import { COHORT_SCALE } from "../../src/search/background/cohort.ts";
import general from "../../src/search/background/turns.vectors.txt" with { type: "text" };
import { enrichVector } from "../../src/search/enrich.ts";
import { type RecallDeps, recall } from "../../src/search/recall.ts";
import type { LocalSearchStore } from "../../src/store/contract/store.ts";
import { aStore, aTurn } from "./made.ts";

const VECTOR = vectorAlong(1);
const PROMPT = "why does the invoice parser reject negative amounts?";

/** A vector of the built-in model, as near to general turns as prompts are, or its opposite. */
function vectorAlong(sign: 1 | -1): Float32Array {
  const bytes = Buffer.from(general, "base64");
  const at = (i: number) => (sign * bytes.readInt8(i)) / COHORT_SCALE;
  return Float32Array.from({ length: BUILT_IN_MODEL.dimensions }, (_, i) => at(i));
}

/** A memory in which turn 1 answers the prompt by every measure. */
function knowing(given: Partial<LocalSearchStore> = {}): LocalSearchStore {
  return aStore({
    nearestChunks: async () => [
      { chunkId: 10, turnId: 1, distance: 0.12 },
      { chunkId: 20, turnId: 2, distance: 0.38 },
    ],
    modelId: async () => BUILT_IN_MODEL.id,
    sampleDistances: async () => [0.36, 0.38, 0.4, 0.42, 0.44],
    termTurns: async (terms) => new Map(terms.map((term) => [term, [1]])),
    keywordChunks: async () => [{ chunkId: 10, turnId: 1, score: 30 }],
    keywordTurns: async () => [{ chunkId: null, turnId: 1, score: 25 }],
    turns: async (ids) =>
      ids.map((turnId) => aTurn({ turnId, text: `[User] ${turnId === 1 ? PROMPT : "something else"}` })),
    chunks: async () => [
      { chunkId: 10, turnId: 1, chunkIndex: 0, content: PROMPT, start: 7, end: 7 + PROMPT.length },
    ],
    ...given,
  });
}

function deps(store: LocalSearchStore, given: Partial<RecallDeps> = {}): RecallDeps {
  return {
    store,
    journal: { injectedTurns: async () => new Set() },
    openEmbed: async () => async () => VECTOR,
    timeLeftMs: () => Number.POSITIVE_INFINITY,
    ...given,
  };
}

describe("recall", () => {
  test("recalls turns that answer the prompt", async () => {
    const decision = await recall(PROMPT, "now", deps(knowing()));
    expect(decision.outcome).toBe("told");
    expect(decision.hits[0]).toMatchObject({
      turn: { turnId: 1 },
      distance: 0.12,
      sources: ["vector", "keyword"],
    });
    expect(decision.hits[0]?.passage).toContain("invoice parser");
  });

  test("measures among the turns that may be told, and gives no place to others", async () => {
    const asked: [string, Filter | undefined][] = [];
    const note = (name: string, filter: Filter | undefined) => void asked.push([name, filter]);
    const store = knowing({
      totals: async (filter) => {
        note("totals", filter);
        return { sessions: 1, turns: 100, chunks: 100, pendingChunks: 0 };
      },
      termTurns: async (terms, _most, filter) => {
        note("words", filter);
        return new Map(terms.map((term) => [term, [1]]));
      },
      accessPattern: async () => VECTOR,
      nearestSessions: async (_centroid, _limit, _except, filter) => {
        note("sessions", filter);
        return [];
      },
    });
    await recall(PROMPT, "now", deps(store, { filter: { others: ["ada"] } }));
    expect(asked.map(([name, filter]) => [name, filter?.others])).toEqual([
      ["totals", ["ada"]],
      ["words", ["ada"]],
      ["sessions", ["ada"]],
    ]);
  });

  test("leaves hidden turns out, and says when they are the reason for silence", async () => {
    const asked: (Float32Array | null)[] = [];
    const hiding = (turnIds: number[]) => async (vector: Float32Array | null) => {
      asked.push(vector);
      return new Set(turnIds);
    };
    const answer = async (turnIds: number[]) =>
      recall(PROMPT, "now", deps(knowing(), { hidden: hiding(turnIds) }));
    expect((await answer([])).outcome).toBe("told");
    expect(await answer([1])).toMatchObject({ outcome: "marked", hits: [] });
    expect((await answer([1, 2])).outcome).toBe("marked");
    const rest = await answer([2]);
    expect(rest.outcome).toBe("told");
    expect(rest.hits.map(({ turn }) => turn.turnId)).toEqual([1]);
    expect(asked).toEqual([VECTOR, VECTOR, VECTOR, VECTOR]);
    const unrelated = recall(
      "center a div both ways",
      "now",
      deps(aStore({ totals: knowing().totals }), { hidden: hiding([1]) }),
    );
    expect((await unrelated).outcome).toBe("far");
  });

  test("shows a longer passage of one turn than of each of several", async () => {
    const said = "The invoice parser rounds each line before it sums them up. ".repeat(40);
    const textOf = (turnId: number) => `[User] ${turnId}: ${PROMPT}\n\n[Assistant] ${said}`;
    const lengths = async (turnIds: number[]) => {
      const found = turnIds.map((turnId) => ({ chunkId: 10 * turnId, turnId }));
      const store = knowing({
        keywordChunks: async () => found.map((one) => ({ ...one, score: 30 })),
        keywordTurns: async () => [],
        nearestChunks: async () => found.map((one) => ({ ...one, distance: 0.12 })),
        turns: async () => turnIds.map((turnId) => aTurn({ turnId, text: textOf(turnId) })),
        chunks: async () =>
          found.map((one) => {
            const content = textOf(one.turnId);
            return { ...one, chunkIndex: 0, content, start: 0, end: content.length };
          }),
      });
      const { hits } = await recall(PROMPT, "now", deps(store));
      return hits.map(({ passage }) => passage.length);
    };
    const [alone = 0, ...others] = await lengths([1]);
    expect(others).toEqual([]);
    expect([alone > 560, alone <= 700]).toEqual([true, true]);
    const each = await lengths([1, 2, 3, 4, 5]);
    expect(each.map((length) => length > 200 && length <= 280)).toEqual([true, true, true, true, true]);
  });

  test("opens neither the memory nor the model for a trivial prompt", async () => {
    const never = () => Promise.reject(new Error("opened"));
    const decision = await recall("thanks!", "now", deps(aStore({ totals: never }), { openEmbed: never }));
    expect(decision).toEqual({
      outcome: "trivial",
      reason: "acknowledgement",
      hits: [],
      gate: null,
      explain: null,
    });
  });

  test("keeps silent when nothing is evidence enough, and says why", async () => {
    const store = knowing({
      keywordChunks: async () => [],
      keywordTurns: async () => [],
      chunks: async () => [],
      termTurns: async (terms) => new Map(terms.map((term) => [term, []])),
      nearestChunks: async () => [{ chunkId: 20, turnId: 2, distance: 0.37 }],
    });
    const decision = await recall(PROMPT, "now", deps(store));
    expect(decision.outcome).toBe("gate");
    expect(decision.hits).toEqual([]);
    expect(decision.gate?.open).toBe(false);
    const unguarded = await recall(PROMPT, "now", deps(store), { strictness: "off" });
    expect(unguarded.outcome).toBe("told");
  });

  test("recalls at most the requested number of turns", async () => {
    const { hits } = await recall(PROMPT, "now", deps(knowing()), { limit: 1 });
    expect(hits.map(({ turn }) => turn.turnId)).toEqual([1]);
  });

  test("never recalls a turn twice", async () => {
    const journal = { injectedTurns: async () => new Set([1, 2]) };
    const decision = await recall(PROMPT, "now", deps(knowing(), { journal }));
    expect(decision.outcome).toBe("known");
    expect(decision.explain?.candidates.map(({ filteredBy }) => filteredBy)).toEqual(["told", "told"]);
  });

  test("asks every way of searching to leave out what the session still sees", async () => {
    const filters: (Filter | undefined)[] = [];
    const noted = async (_what: unknown, _limit: number, filter?: Filter) => {
      filters.push(filter);
      return [];
    };
    const store = knowing({
      nearestChunks: noted,
      keywordChunks: noted,
      keywordTurns: noted,
      turnsByFile: noted,
      turnsByCommit: noted,
      turnsByPr: noted,
    });
    await recall(`${PROMPT} see parser.ts, a1b2c3d and #12`, "now", deps(store));
    expect(filters).toHaveLength(6);
    expect(filters.every((filter) => filter?.inContext?.sessionId === "now")).toBe(true);
  });

  test("searches near what the session touched, but only the typed prompt is evidence for the gate", async () => {
    const embedded: string[] = [];
    const searchedFor: Float32Array[] = [];
    const measuredFrom: Float32Array[] = [];
    const store = knowing({
      accessPattern: async () => vectorAlong(-1),
      nearestChunks: async (query, limit, filter) => {
        searchedFor.push(query);
        return knowing().nearestChunks(query, limit, filter);
      },
      chunkDistances: async (query, ids) => {
        measuredFrom.push(query);
        return ids.map((chunkId) => ({ chunkId, distance: 0.4 + chunkId / 100 }));
      },
    });
    const openEmbed = async () => async (text: string) => {
      embedded.push(text);
      return VECTOR;
    };
    const decision = await recall(PROMPT, "now", deps(store, { openEmbed }));
    expect(embedded).toEqual([PROMPT]);
    expect(searchedFor[0]).toEqual(enrichVector(VECTOR, vectorAlong(-1)));
    expect(measuredFrom).toEqual([VECTOR]);
    expect(decision.gate?.features.nearness).toBe(0.5);
  });

  test("adds the best turn of sessions that worked on the same files", async () => {
    const store = knowing({
      accessPattern: async () => VECTOR,
      nearestSessions: async () => [{ sessionId: "other", distance: 0.02 }],
      nearestChunks: async (_query, _limit, filter) =>
        filter?.session === "other"
          ? [{ chunkId: 30, turnId: 3, distance: 0.5 }]
          : [{ chunkId: 10, turnId: 1, distance: 0.12 }],
    });
    const { hits } = await recall(PROMPT, "now", deps(store));
    expect(hits.map(({ turn, distance, sources }) => [turn.turnId, distance, sources])).toEqual([
      [1, 0.12, ["vector", "keyword"]],
      [3, 0.38, ["access"]],
    ]);
  });

  test("decides by words when another model made the vectors, since their distances mean nothing", async () => {
    const modelId = async () => "another-model";
    const near = async () => [{ chunkId: 10, turnId: 1, distance: 0.01 }];
    const answers = await recall(PROMPT, "now", deps(knowing({ modelId, nearestChunks: near })));
    expect(answers).toMatchObject({ outcome: "told", gate: { kind: "words", features: { nearness: 0 } } });
    const wordless = knowing({
      modelId,
      nearestChunks: near,
      keywordChunks: async () => [],
      keywordTurns: async () => [],
      chunks: async () => [],
      termTurns: async (terms) => new Map(terms.map((term) => [term, []])),
      turns: async (ids) => ids.map((turnId) => aTurn({ turnId, text: "[User] something else" })),
    });
    expect(await recall(PROMPT, "now", deps(wordless))).toMatchObject({ outcome: "gate", hits: [] });
  });

  test("answers by keywords where there is no model", async () => {
    const byWords = await recall(PROMPT, "now", deps(knowing(), { openEmbed: async () => null }));
    expect(byWords.explain?.spread).toBeNull();
    expect(byWords).toMatchObject({ outcome: "told", gate: { kind: "words" } });
  });

  test("answers with what it has when the time is up", async () => {
    const scanned = knowing();
    const store = knowing({
      nearestChunks: async (query, limit, filter, isLate) =>
        isLate?.() ? [] : scanned.nearestChunks(query, limit, filter),
    });
    const until = async (moment: number) => {
      let asked = 0;
      const timeLeftMs = () => (++asked >= moment ? 0 : 1_000);
      return { ...(await recall(PROMPT, "now", deps(store, { timeLeftMs }))), asked };
    };
    const { asked, gate } = await until(Number.POSITIVE_INFINITY);
    expect([asked > 4, gate?.kind]).toEqual([true, "vectors"]);
    for (let moment = 1; moment <= asked; moment++) {
      const late = await until(moment);
      expect(late).toMatchObject({ outcome: "told" });
      expect(late.hits[0]?.turn.turnId).toBe(1);
    }
    expect((await until(1)).gate?.kind).toBe("words");
  });

  test.each([
    ["loading the model", () => new Promise<never>(() => {})],
    ["embedding", async () => () => new Promise<never>(() => {})],
  ])("answers by words when %s takes longer than there is time", async (_what, openEmbed) => {
    const late = await recall(PROMPT, "now", deps(knowing(), { openEmbed, timeLeftMs: () => 1 }));
    expect(late).toMatchObject({ outcome: "told", gate: { kind: "words" } });
  });

  test("says nothing for an empty memory", async () => {
    const totals = async () => ({ sessions: 0, turns: 0, chunks: 0, pendingChunks: 0 });
    expect((await recall(PROMPT, "now", deps(aStore({ totals })))).outcome).toBe("empty");
  });
});
