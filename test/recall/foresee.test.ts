import { expect, test } from "bun:test";
import { previewHookDecision } from "../../src/recall/foresee.ts";
import type { BadMark } from "../../src/store/marks.ts";
import { aQuery, aRecallStore, aScored, aStore, aTurn } from "./made.ts";

const PROMPT = "why does the invoice parser reject negative amounts?";
const QUERY = {
  prompt: PROMPT,
  parts: aQuery({
    text: PROMPT,
    terms: ["invoice", "parser", "reject", "negative", "amounts"].map((term) => ({
      ...{ term, turnIds: [1], weight: 4, rarity: 4, share: 0.001 },
    })),
  }),
  memory: { turns: 100, chunks: 100, cohort: null },
  vector: null,
  limit: 3,
  strictness: "normal" as const,
};
const turn = aTurn({ turnId: 1, text: `[User] ${PROMPT}` });
const ANSWER = { ...aScored(turn, { turnKeywords: 25, chunkKeywords: 30 }, PROMPT), score: 3 };
const OTHER = aScored(aTurn({ turnId: 2, text: "[User] something else" }));

const browse = { neighbours: async () => ({ before: [], after: [] }) };

function local(bad: readonly BadMark[] = [], muted: readonly number[] = []) {
  return {
    recall: aRecallStore(),
    marks: { hidden: async () => new Set(muted), bad: async () => [...bad] },
  };
}

test("tells the turns that are probably worth it, and says how sure that is", async () => {
  const decision = await previewHookDecision([OTHER, ANSWER], QUERY, {
    search: aStore(),
    browse,
    local: local(),
  });
  expect(decision).toMatchObject({
    trivial: null,
    best: { turnId: 1, worth: { kind: "words" } },
    tells: [1],
    told: [{ turnIds: [1] }],
  });
  expect(decision.best?.worth.probability).toBeGreaterThan(decision.best?.worth.limit ?? 1);
});

test("decides by words where a server answers", async () => {
  const at = { ...QUERY, vector: Float32Array.of(1), memory: { ...QUERY.memory, cohort: 0.5 } };
  expect(await previewHookDecision([ANSWER], at, { search: aStore(), browse, local: null })).toMatchObject({
    best: { worth: { kind: "words" } },
  });
});

test("leaves out what is muted, and must be surer after a bad answer to the same prompt", async () => {
  const deps = (bad: readonly BadMark[], muted: readonly number[]) => ({
    search: aStore(),
    browse,
    local: local(bad, muted),
  });
  expect((await previewHookDecision([ANSWER], QUERY, deps([], [1]))).best).toBeNull();
  const mark = { turnId: 7, prompt: PROMPT, subject: null, vector: null };
  const [before, after] = [
    await previewHookDecision([ANSWER], QUERY, deps([], [])),
    await previewHookDecision([ANSWER], QUERY, deps([mark], [])),
  ];
  expect(after.best?.worth.limit).toBeGreaterThan(before.best?.worth.limit ?? 1);
  expect([before.isMarkedBad, after.isMarkedBad]).toEqual([false, true]);
});

test("says why a turn must be surer than usual", async () => {
  const stricterFor = async (prompt: string) =>
    (await previewHookDecision([ANSWER], { ...QUERY, prompt }, { search: aStore(), browse, local: local() }))
      .best?.worth.stricterFor;
  expect(await stricterFor(PROMPT)).toBeNull();
  expect(await stricterFor("commit this, then push the branch and open a pull request")).toBe("chore");
  expect(await stricterFor("work on ticket shop-4te, start with the invoice parser")).toBe("task");
});

test("tells nothing for a prompt that needs no memory", async () => {
  expect(
    await previewHookDecision(
      [ANSWER],
      { ...QUERY, prompt: "ok" },
      { search: aStore(), browse, local: local() },
    ),
  ).toEqual({
    ...{ trivial: "acknowledgement", best: null, isMarkedBad: false, tells: [], told: [] },
  });
});
