import { describe, expect, test } from "bun:test";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { COHORT_SCALE } from "../../src/recall/calibration.ts";
import { enrichVector } from "../../src/recall/ranking.ts";
import { type RecallDeps, type RecallOptions, recall } from "../../src/recall/recall.ts";
import general from "../../src/recall/turns.vectors.txt" with { type: "text" };
import { worthLimit } from "../../src/recall/worth/model.ts";
import type { Filter } from "../../src/store/filter.ts";
import type { LocalSearchStore } from "../../src/store/store.ts";
import { aRecallStore, aStore, aTurn } from "./made.ts";

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
    browse: { neighbours: async () => ({ before: [], after: [] }) },
    recall: aRecallStore(),
    journal: { turnsToldIn: async () => new Set() },
    openEmbed: async () => async () => VECTOR,
    timeLeftMs: () => Number.POSITIVE_INFINITY,
    ...given,
  };
}

/** Without the limit of probability: what is tested here does not depend on the fitted weights. */
const ANY: RecallOptions = { strictness: "off" };

describe("recall", () => {
  test("tells turns that answer the prompt, the surest first, by what they say", async () => {
    const decision = await recall(PROMPT, "now", deps(knowing()), ANY);
    expect(decision).toMatchObject({
      outcome: "told",
      worth: { limit: 0, kind: "vectors" },
      told: [
        {
          turnIds: [1],
          probability: decision.worth?.probability,
          states: [{ said: [{ text: PROMPT, kind: "prompt", turn: { turnId: 1 } }] }],
        },
      ],
    });
    expect(decision.told).toHaveLength(1);
  });

  test("measures among the turns that may be told, and gives no place to others", async () => {
    const asked: [string, Filter | undefined][] = [];
    const note = (name: string, filter: Filter | undefined) => void asked.push([name, filter]);
    const store = knowing({
      totals: async (filter) => {
        note("totals", filter);
        return { sessions: 1, turns: 100, notes: 0, chunks: 100, pendingChunks: 0 };
      },
      termTurns: async (terms, _most, filter) => {
        note("words", filter);
        return new Map(terms.map((term) => [term, [1]]));
      },
      accessPattern: async () => VECTOR,
      nearestSessions: async (_pattern, _limit, _except, filter) => {
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
    const answer = (turnIds: number[], options = ANY) =>
      recall(PROMPT, "now", deps(knowing(), { hidden: hiding(turnIds) }), options);
    expect((await answer([])).outcome).toBe("told");
    expect(await answer([1, 2])).toMatchObject({ outcome: "marked", told: [], worth: null, withheld: 1 });
    // The other turn is only beside the question.
    expect(await answer([1])).toMatchObject({ outcome: "marked", told: [], withheld: 1 });
    const rest = await answer([2]);
    expect([rest.outcome, rest.told.flatMap(({ turnIds }) => turnIds)]).toEqual(["told", [1]]);
    expect(asked).toEqual([VECTOR, VECTOR, VECTOR, VECTOR]);
    const unrelated = recall(
      "center a div both ways",
      "now",
      deps(aStore({ totals: knowing().totals }), { hidden: hiding([1]) }),
    );
    expect((await unrelated).outcome).toBe("far");
  });

  test("must be surer after a bad answer to a prompt like this one", async () => {
    const OPENING = { isOpening: true, chunks: (await knowing().totals()).chunks };
    const asked: (Float32Array | null)[] = [];
    const limitAfter = async (isBad: boolean, options?: RecallOptions) => {
      const isMarkedBad = async (vector: Float32Array | null) => {
        asked.push(vector);
        return isBad;
      };
      return (await recall(PROMPT, "now", deps(knowing(), { isMarkedBad }), options)).worth?.limit;
    };
    expect(await limitAfter(false)).toBe(worthLimit("vectors", "normal", OPENING));
    expect(await limitAfter(true)).toBe(worthLimit("vectors", "strict", OPENING));
    expect(await limitAfter(true, ANY)).toBe(0);
    expect(asked).toEqual([VECTOR, VECTOR, VECTOR]);
  });

  test("knows that the session has said something, though it is not stored yet", async () => {
    const turnsAfter = async (said: string) =>
      (await recall(PROMPT, "now", deps(knowing(), { saidNow: async () => said }))).worth?.features
        .sessionTurns;
    expect([await turnsAfter(""), await turnsAfter("Which parser?")]).toEqual([0, Math.log1p(1)]);
  });

  describe("what a later turn settled", () => {
    const RULE =
      "We decided that negative amounts must always be rejected, because refunds have a type of their own.";
    const settled = (given: Partial<RecallDeps>) => {
      const store = knowing({
        turns: async (ids) =>
          ids.map((turnId) =>
            aTurn({
              turnId,
              createdAt: null,
              text: turnId === 5 ? `[User] and?\n\n[Assistant] ${RULE}` : `[User] ${PROMPT}`,
            }),
          ),
      });
      const neighbours = async (turnId: number) => ({
        before: [],
        after: turnId === 1 ? await store.turns([5]) : [],
      });
      return recall(PROMPT, "now", deps(store, { browse: { neighbours }, ...given }), { ...ANY, limit: 1 });
    };
    const statements = async (given: Partial<RecallDeps> = {}) =>
      (await settled(given)).told.flatMap(({ states }) =>
        states.flatMap(({ said }) =>
          said.map(({ text, kind, turn: { turnId } }) => ({ text, kind, turnId })),
        ),
      );

    test("is told with the turn", async () => {
      expect(await statements()).toEqual([{ text: RULE, kind: "answer", turnId: 5 }]);
    });

    test("is not told if that turn is hidden, or was told before", async () => {
      expect(await statements({ hidden: async () => new Set([5]) })).toEqual([
        { text: PROMPT, kind: "prompt", turnId: 1 },
      ]);
      const journal = { turnsToldIn: async () => new Set([5]) };
      expect(await statements({ journal })).toEqual([]);
    });
  });

  test("keeps silent when nothing is evidence enough, and says why", async () => {
    const text = "[User] Paint the fence green, and the gate as well.";
    const store = knowing({
      keywordChunks: async () => [{ chunkId: 20, turnId: 2, score: 1 }],
      keywordTurns: async () => [],
      chunks: async () => [],
      termTurns: async (terms) => new Map(terms.map((term) => [term, []])),
      nearestChunks: async () => [{ chunkId: 20, turnId: 2, distance: 0.37 }],
      turns: async (ids) => ids.map((turnId) => aTurn({ turnId, text })),
    });
    const decision = await recall(PROMPT, "now", deps(store));
    expect(decision.outcome).toBe("gate");
    expect(decision.told).toEqual([]);
    const { probability, limit } = decision.worth ?? { probability: 1, limit: 0 };
    expect(probability).toBeLessThan(limit);
    const unguarded = await recall(PROMPT, "now", deps(store), ANY);
    expect(unguarded).toMatchObject({ outcome: "told", told: [{ turnIds: [2] }] });
  });

  test("opens no model for a prompt that words alone say is not answered, nor where they find nothing", async () => {
    let opened = 0;
    const openEmbed = async () => {
      opened += 1;
      return async () => VECTOR;
    };
    const unknown = {
      termTurns: async (terms: readonly string[]) => new Map(terms.map((term) => [term, []])),
    };
    const nothing = { ...unknown, keywordChunks: async () => [], keywordTurns: async () => [] };
    const little = { ...nothing, keywordChunks: async () => [{ chunkId: 20, turnId: 2, score: 1 }] };
    const outcomes = [];
    for (const given of [nothing, little])
      outcomes.push((await recall(PROMPT, "now", deps(knowing(given), { openEmbed }))).outcome);
    expect({ outcomes, opened }).toEqual({ outcomes: ["far", "gate"], opened: 0 });
    const known = await recall(PROMPT, "now", deps(knowing(), { openEmbed }));
    expect({ outcome: known.outcome, kind: known.worth?.kind, opened }).toEqual({
      outcome: "told",
      kind: "vectors",
      opened: 1,
    });
  });

  test("recalls at most the requested number of turns", async () => {
    const text = `[User] ${PROMPT}`;
    const store = knowing({
      turns: async (ids) =>
        ids.map((turnId) => aTurn({ turnId, text: `${text} ${turnId}`, createdAt: null })),
    });
    const told = async (limit: number) =>
      (await recall(PROMPT, "now", deps(store), { ...ANY, limit })).told.flatMap(({ turnIds }) => turnIds);
    expect(await told(3)).toEqual([1, 2]);
    expect(await told(1)).toEqual([1]);
  });

  test("where only what was told before is worth it, says so", async () => {
    const journal = { turnsToldIn: async () => new Set([1]) };
    const first = await recall(PROMPT, "now", deps(knowing()));
    const again = await recall(PROMPT, "now", deps(knowing(), { journal }));
    expect([first.outcome, again.outcome, again.told]).toEqual(["told", "known", []]);
  });

  test("never recalls a turn twice", async () => {
    const journal = { turnsToldIn: async () => new Set([1, 2]) };
    const decision = await recall(PROMPT, "now", deps(knowing(), { journal }));
    expect(decision.outcome).toBe("known");
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
    await recall(`${PROMPT} see parser.ts, a1b2c3d and #12`, "now", deps(store), ANY);
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
    const decision = await recall(PROMPT, "now", deps(store, { openEmbed }), ANY);
    expect(embedded).toEqual([PROMPT]);
    expect(searchedFor[0]).toEqual(enrichVector(VECTOR, vectorAlong(-1)));
    expect(measuredFrom).toEqual([VECTOR]);
    expect(decision.worth?.features.nearness).toBe(0.5);
  });

  test("looks at turns of sessions that worked on the same files, but tells none for that alone", async () => {
    const read = new Set<number>();
    const store = knowing({
      accessPattern: async () => VECTOR,
      nearestSessions: async () => [{ sessionId: "other", distance: 0.02 }],
      nearestChunks: async (_query, _limit, filter) =>
        filter?.session === "other"
          ? [{ chunkId: 30, turnId: 3, distance: 0.5 }]
          : [{ chunkId: 10, turnId: 1, distance: 0.12 }],
      turns: async (ids) => {
        for (const id of ids) read.add(id);
        return ids.map((turnId) =>
          aTurn({ turnId, text: `[User] ${turnId === 1 ? PROMPT : "Paint the fence green."}` }),
        );
      },
    });
    const { told } = await recall(PROMPT, "now", deps(store), ANY);
    expect(told.map(({ turnIds }) => turnIds)).toEqual([[1]]);
    expect([...read]).toEqual([1, 3]);
  });

  test("decides by words when another model made the vectors, since their distances mean nothing", async () => {
    const modelId = async () => "another-model";
    const near = async () => [{ chunkId: 10, turnId: 1, distance: 0.01 }];
    const answers = await recall(PROMPT, "now", deps(knowing({ modelId, nearestChunks: near })), ANY);
    expect(answers).toMatchObject({
      outcome: "told",
      worth: { kind: "words", features: { nearness: 0 } },
    });
  });

  test("reads a turn once for its rankings by words and by vectors", async () => {
    const read: number[] = [];
    const store = knowing({
      turns: async (ids) => {
        read.push(...ids);
        return ids.map((turnId) => aTurn({ turnId, text: `[User] ${turnId === 1 ? PROMPT : "else"}` }));
      },
    });
    const { worth } = await recall(PROMPT, "now", deps(store));
    expect([worth?.kind, read]).toEqual(["vectors", [1, 2]]);
  });

  test("answers by keywords where there is no model", async () => {
    const byWords = await recall(PROMPT, "now", deps(knowing(), { openEmbed: async () => null }), ANY);
    expect(byWords).toMatchObject({ outcome: "told", worth: { kind: "words" } });
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
      return { ...(await recall(PROMPT, "now", deps(store, { timeLeftMs }), ANY)), asked };
    };
    const { asked, worth } = await until(Number.POSITIVE_INFINITY);
    expect([asked > 4, worth?.kind]).toEqual([true, "vectors"]);
    for (let moment = 1; moment <= asked; moment++) {
      const late = await until(moment);
      expect(late).toMatchObject({ outcome: "told" });
      expect(late.told[0]?.turnIds).toEqual([1]);
    }
    expect((await until(1)).worth?.kind).toBe("words");
  });

  test.each([
    ["loading the model", () => new Promise<never>(() => {})],
    ["embedding", async () => () => new Promise<never>(() => {})],
  ])("answers by words when %s takes longer than there is time", async (_what, openEmbed) => {
    const late = await recall(PROMPT, "now", deps(knowing(), { openEmbed, timeLeftMs: () => 1 }), ANY);
    expect(late).toMatchObject({ outcome: "told", worth: { kind: "words" } });
  });

  test("says nothing for an empty memory", async () => {
    const totals = async () => ({ sessions: 0, turns: 0, notes: 0, chunks: 0, pendingChunks: 0 });
    expect((await recall(PROMPT, "now", deps(aStore({ totals })))).outcome).toBe("empty");
  });
});
