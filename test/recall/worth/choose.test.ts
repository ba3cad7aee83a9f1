import { describe, expect, test } from "bun:test";
import { judgeHits, type Strictness } from "../../../src/recall/gate.ts";
import { chooseResults, type JudgedResult, judgeWorth } from "../../../src/recall/worth/choose.ts";
import type { WorthFeatures } from "../../../src/recall/worth/features.ts";
import { worthLimit } from "../../../src/recall/worth/model.ts";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { aQuery, aRecallStore, aScored, aTurn } from "../made.ts";

const LIMIT = 0.5;
/** The first prompt of a session, in a memory of 10 chunks. */
const FIRST = { isOpening: true, chunks: 10 };

/** A turn about nothing that others are about, unless a text is given; each in its own session. */
function judged(turnId: number, probability: number, turn: Partial<StoredTurn> = {}): JudgedResult {
  const text = `[User] ${["kettle", "fence", "invoice", "ferry", "violin"][turnId % 5]}${turnId}`;
  const scored = aScored(aTurn({ turnId, text, ...turn }), { sources: new Set(["keyword"]) });
  return {
    scored,
    worth: { probability, limit: LIMIT, kind: "words", stricterFor: null, features: {} as WorthFeatures },
  };
}

function chosen(judged: readonly JudgedResult[], limit = 3, strictness: Strictness = "normal"): number[] {
  return chooseResults(judged, { limit, strictness }).map(({ scored }) => scored.turn.turnId);
}

describe("choose", () => {
  test("tells what is probably worth it, the surest first, and no more than the limit", () => {
    const all = [judged(1, 0.9), judged(2, 0.7), judged(3, 0.5), judged(4, 0.499)];
    expect(chosen(all)).toEqual([1, 2, 3]);
    expect(chosen(all, 20)).toEqual([1, 2, 3]);
    expect(chosen(all, 1)).toEqual([1]);
    expect(chosen([judged(4, 0.2)])).toEqual([]);
    expect(chosen([])).toEqual([]);
  });

  test("a person's note is not displaced by surer notes of agents, however many", () => {
    const note = { client: "note" } as const;
    const ofAgents = [1, 2, 3].map((turnId) => judged(turnId, 0.9, { ...note, origin: "agent" }));
    const refusal = judged(4, 0.6, { ...note, origin: "human" });
    expect(chosen([...ofAgents, refusal])).toEqual([4, 1, 2]);
    expect(chosen([judged(5, 0.95), ...ofAgents, refusal], 2)).toEqual([5, 4]);
    expect(chosen([...ofAgents, judged(4, 0.4, { ...note, origin: "human" })])).toEqual([1, 2, 3]);
  });

  test("`off` lifts the limit of probability, and no other", () => {
    const all = [1, 2, 3, 4].map((turnId) =>
      judged(turnId, 0.1 / turnId, { sessionId: turnId < 4 ? "a" : "b" }),
    );
    expect(chosen(all, 3, "off")).toEqual([1, 2, 4]);
    expect(chosen(all, 1, "off")).toEqual([1]);
  });

  test("tells at most two turns of a session", () => {
    const all = [1, 2, 3].map((turnId) => judged(turnId, 0.9, { sessionId: "a" }));
    expect(chosen([...all, judged(4, 0.6)])).toEqual([1, 2, 4]);
  });

  test("tells no turn that was found by the files of its session alone", () => {
    const byFiles = judged(1, 0.9);
    byFiles.scored.candidate.sources = new Set(["access"]);
    const byBoth = judged(2, 0.8);
    byBoth.scored.candidate.sources = new Set(["access", "keyword"]);
    expect(chosen([byFiles, byBoth])).toEqual([2]);
    expect(chosen([byFiles], 3, "off")).toEqual([]);
  });
});

describe("judgeWorth", () => {
  const PROMPT = "why does the parser reject refunds?";
  const memory = { turns: 10, chunks: 10, cohort: 0.5 };
  const query = {
    prompt: PROMPT,
    parts: aQuery({ text: PROMPT }),
    memory,
    strictness: "normal" as const,
  };
  const session = { sessionId: "now", recall: aRecallStore(), said: async (): Promise<string[]> => [] };

  test("judges the best twelve, the surest first, by words where there are no vectors", async () => {
    const ranked = Array.from({ length: 20 }, (_, i) => ({
      ...aScored(aTurn({ turnId: i + 1 })),
      score: -i,
    }));
    const all = await judgeWorth(ranked, query, session);
    expect(all.map(({ scored }) => scored.turn.turnId).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
    const probabilities = all.map(({ worth }) => worth.probability);
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
    for (const { worth } of all)
      expect([worth.kind, worth.limit]).toEqual(["words", worthLimit("words", "normal", FIRST)]);
  });

  test("judges by vectors a turn that has some, beside others that have none", async () => {
    const ranked = [aScored(aTurn({ turnId: 1 }), { distance: 0.2 }), aScored(aTurn({ turnId: 2 }))];
    const judgedIn = async (cohort: number | null) => {
      const all = await judgeWorth(ranked, { ...query, memory: { ...memory, cohort } }, session);
      return all
        .map(({ scored, worth: { kind, features } }) => [scored.turn.turnId, kind, features.nearness])
        .sort();
    };
    expect(await judgedIn(0.5)).toEqual([
      [1, "vectors", 0.8],
      [2, "words", 0],
    ]);
    expect(await judgedIn(null)).toEqual([
      [1, "words", 0],
      [2, "words", 0],
    ]);
  });

  test("knows how much the session said before", async () => {
    const turnsOf = async (...words: string[]) => {
      const said = async () => words;
      const [first] = await judgeWorth([aScored(aTurn({ turnId: 1 }))], query, { ...session, said });
      return first?.worth.features.sessionTurns;
    };
    expect([await turnsOf("one", "two", "three"), await turnsOf()]).toEqual([Math.log1p(3), 0]);
  });

  test("asks a turn of the running session, of which the agent has a summary, to be surely worth telling", async () => {
    const own = aScored(aTurn({ turnId: 1, sessionId: "now" }));
    const other = aScored(aTurn({ turnId: 2, sessionId: "earlier" }));
    const copied = aScored(aTurn({ turnId: 3, sessionId: "earlier" }));
    const recall = aRecallStore({ copiedTurns: async () => new Set([3]) });
    const limits = async (strictness: "normal" | "off") =>
      new Map(
        (await judgeWorth([own, other, copied], { ...query, strictness }, { ...session, recall })).map(
          ({ scored, worth }) => [scored.turn.turnId, worth.limit],
        ),
      );
    expect(await limits("normal")).toEqual(
      new Map([
        [1, worthLimit("words", "strict", FIRST)],
        [2, worthLimit("words", "normal", FIRST)],
        [3, worthLimit("words", "strict", FIRST)],
      ]),
    );
    expect(await limits("off")).toEqual(
      new Map([
        [1, 0],
        [2, 0],
        [3, 0],
      ]),
    );
  });

  test("asks the same for a chore, and for a pull request that the turn does not name", async () => {
    const limitFor = async (prompt: string, scored = aScored(aTurn({ turnId: 1 }))) => {
      const parts = {
        ...aQuery({ text: prompt }),
        references: { commits: [], prNumbers: prompt.includes("12") ? [12] : [] },
      };
      return (await judgeWorth([scored], { ...query, prompt, parts }, session))[0]?.worth.limit;
    };
    const [normal, strict] = (["normal", "strict"] as const).map((strictness) =>
      worthLimit("words", strictness, FIRST),
    );
    expect(await limitFor("why does the parser reject the refunds of the shop?")).toBe(normal);
    expect(await limitFor("commit this, then push the branch and open a pull request")).toBe(strict);
    expect(await limitFor("work on ticket shop-4te, start with the first task")).toBe(strict);
    expect(
      await limitFor("work on ticket shop-4te", aScored(aTurn({ turnId: 1, text: "[User] SHOP-4te again" }))),
    ).toBe(normal);
    expect(await limitFor("what was the issue with the parser?")).toBe(normal);
    expect(await limitFor("look over /pull/12 for me")).toBe(strict);
    const named = aScored(aTurn({ turnId: 1 }));
    named.evidence.reference = 1;
    expect(await limitFor("look over /pull/12 for me", named)).toBe(normal);
    expect(await limitFor(`look over /pull/12 for me: ${"the parser of refunds ".repeat(8)}`)).toBe(normal);
  });

  test("leaves the decision on a note to the gate", async () => {
    const turn = aScored(aTurn({ turnId: 1, client: "note" }));
    const [note] = await judgeWorth([turn], query, session);
    const gate = judgeHits([turn], query.parts, memory);
    expect([note?.worth.probability, note?.worth.limit]).toEqual([gate.probability, gate.threshold]);
  });
});
