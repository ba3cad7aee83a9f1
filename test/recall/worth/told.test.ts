import { describe, expect, test } from "bun:test";
import { soughtWords } from "../../../src/recall/statement/features.ts";
import type { JudgedResult } from "../../../src/recall/worth/choose.ts";
import { tellMatters } from "../../../src/recall/worth/told.ts";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { aQuery, aScored, aTurn } from "../made.ts";

const PARTS = aQuery({
  text: "does the parser keep refunds?",
  terms: ["parser", "refunds"].map((term) => ({ term, turnIds: [1], weight: 2, rarity: 2, share: 0 })),
});
const ASKED = "Why does the parser of invoices refuse refunds?";
const CAUSE = "The parser refuses refunds because their amounts are negative.";
const RULE = "We decided that refunds must always keep their sign, because the ledger sums them.";

type Turns = Record<number, string | Partial<StoredTurn>>;

/** What is told of turns, which follow each other by their numbers within a session. */
async function told(turns: Turns, ...turnIds: number[]) {
  return toldWithout(NONE, turns, ...turnIds);
}

const NONE = {
  hidden: new Set<number>(),
  toldBefore: new Set<number>(),
  sessionId: "now",
  prompt: "does the parser keep refunds?",
};

function toldWithout(asked: typeof NONE, turns: Turns, ...turnIds: number[]) {
  return toldAmong(turnIds, asked, turns, ...turnIds);
}

/** What is told of the chosen turns when others were judged, too. */
async function toldAmong(judgedIds: number[], asked: typeof NONE, turns: Turns, ...turnIds: number[]) {
  const made = Object.entries(turns).map(([id, given]) =>
    aTurn({ turnId: Number(id), sessionId: "s", ...(typeof given === "string" ? { text: given } : given) }),
  );
  const store = {
    turns: async (ids: readonly number[]) => made.filter(({ turnId }) => ids.includes(turnId)),
    termTurns: async (terms: readonly string[]) =>
      new Map(
        terms.map((term) => [
          term,
          made.filter(({ text }) => text.toLowerCase().includes(term)).map(({ turnId }) => turnId),
        ]),
      ),
  };
  const said = async () => made.filter((turn) => turn.sessionId === asked.sessionId).map(({ text }) => text);
  const all = judgedIds.map((id) => judged(made.find(({ turnId }) => turnId === id)));
  const chosen = all.filter(({ scored }) => turnIds.includes(scored.turn.turnId));
  const stores = { search: store, browse: { neighbours: neighboursIn(made) }, said };
  const matters = await tellMatters(chosen, all, { ...asked, parts: PARTS, turns: made.length }, stores);
  return matters.map(({ states, turnIds, probability }) => ({
    turnIds,
    probability,
    statements: states.flatMap(({ said }) =>
      said.map(({ text, kind, turn: { turnId } }) => [turnId, kind, text]),
    ),
    from: states.map(({ conversation }) => conversation.turns[0]?.turnId),
  }));
}

/** A turn that is surely worth telling. */
function judged(turn: StoredTurn = aTurn({ turnId: 0 })): JudgedResult {
  const worth = { probability: 0.8, limit: 0.5, kind: "words", stricterFor: null, features: {} };
  return { scored: { ...aScored(turn), score: 1 }, worth } as JudgedResult;
}

function neighboursIn(turns: readonly StoredTurn[]) {
  return async (turnId: number, limit: number) => {
    const own = turns.find((turn) => turn.turnId === turnId)?.sessionId;
    const session = turns.filter(({ sessionId }) => sessionId === own);
    const at = session.findIndex((turn) => turn.turnId === turnId);
    return {
      before: session.slice(Math.max(0, at - limit), at),
      after: session.slice(at + 1, at + 1 + limit),
    };
  };
}

/** The statements that are told of a turn, each with its turn and kind. */
async function statements(turns: Turns, turnId = 1) {
  return (await told(turns, turnId)).flatMap(({ statements }) => statements);
}

test("tells of each matter what its turns say on it", async () => {
  const paint = "Paint the fence of the garden green now please, both the inner and the outer side of it.";
  const turns = {
    1: `[User] ${ASKED}\n\n[Assistant] ${CAUSE}`,
    2: { sessionId: "other", text: `[User] ${paint}` },
  };
  expect(await told(turns, 1, 2)).toEqual([
    { turnIds: [1], probability: 0.8, statements: [[1, "answer", CAUSE]], from: [1] },
    { turnIds: [2], probability: 0.8, statements: [[2, "prompt", paint]], from: [2] },
  ]);
});

test("leaves out turns that say nothing in words, and the next prompt, which has a turn of its own", async () => {
  expect(await told({ 1: "[Assistant] ```\nconst a = 1;\n```" }, 1)).toEqual([]);
  expect(await statements({ 1: `[Assistant] ${CAUSE}\n\n[User] ${RULE}` })).toEqual([[1, "answer", CAUSE]]);
});

test("tells less of a turn beside others than of one alone", async () => {
  const sentences = ["refunds", "amounts", "cents"].map(
    (word) =>
      `The parser refuses refunds of shops abroad because their ${word} are negative there, and the ledger of the shop sums them up at night.`,
  );
  const text = `[User] ${ASKED}\n\n[Assistant] ${sentences.join(" ")}`;
  const length = async (...turnIds: number[]) => {
    const [first] = await told({ 1: text, 2: { text, role: "compaction_summary" } }, ...turnIds);
    return String(first?.statements[0]?.[2]).length;
  };
  const [alone, beside] = [await length(1), await length(1, 2)];
  expect(alone).toBeGreaterThan(290);
  expect(alone).toBeLessThanOrEqual(585);
  expect(beside).toBeGreaterThan(0);
  expect(beside).toBeLessThanOrEqual(280);
});

describe("what later turns settled", () => {
  const FIRST = `[User] ${ASKED}\n\n[Assistant] ${CAUSE}`;
  const SAID = [1, "answer", CAUSE];
  const OTHER = "Please write a poem about a violin that sings to nine sleepy foxes in a garden far away.";
  /** The conversation goes on for long enough to turn to another matter. */
  const MORE = Object.fromEntries([3, 4, 5, 6, 7, 8, 9].map((turnId) => [turnId, "[User] hm"]));

  test("is told after what the turn says, by whoever said it", async () => {
    expect(await statements({ 1: FIRST, 2: `[User] go on\n\n[Assistant] ${RULE}` })).toEqual([
      SAID,
      [2, "answer", RULE],
    ]);
    expect(await statements({ 1: FIRST, 2: `[User] ${RULE}\n\n[Assistant] Done.` })).toEqual([
      SAID,
      [2, "prompt", RULE],
    ]);
  });

  test("stands in place of a mere question", async () => {
    expect(await statements({ 1: `[User] ${ASKED}`, 2: `[User] go on\n\n[Assistant] ${RULE}` })).toEqual([
      [2, "answer", RULE],
    ]);
  });

  test("is the surest of the next turns, and stands before what other found turns say", async () => {
    const next = (n: number) =>
      `[User] go on\n\n[Assistant] ${RULE.replace("refunds", `refunds of kind ${n}`)}`;
    const turns = {
      1: FIRST,
      2: "[User] hm",
      3: next(3),
      4: "[User] go on\n\n[Assistant] It runs.",
      5: next(5),
    };
    expect((await statements(turns)).map(([turnId]) => turnId)).toEqual([1, 5, 3]);
    const both = await told(turns, 1, 3);
    expect(both.map(({ statements }) => statements.map(([turnId]) => turnId))).toEqual([[1, 5, 3]]);
    const surest = await told(turns, 3, 1);
    expect(surest.map(({ statements }) => statements.map(([turnId]) => turnId))).toEqual([[3, 5]]);
  });

  test.each<[string, string | Partial<StoredTurn>]>([
    ["is about another matter", `[User] ${OTHER}\n\n[Assistant] ${RULE}`],
    ["is a chore", `[User] commit, push, merge\n\n[Assistant] ${RULE}`],
    ["sums up the session", { role: "compaction_summary", text: `[User] go on\n\n[Assistant] ${RULE}` }],
    [
      "only reports and asks",
      "[User] go on\n\n[Assistant] All tests pass. Shall I commit? Let me check the parser.",
    ],
    ["only thinks", { ...aTurn({ turnId: 2 }), text: "" }],
    [
      "asks on",
      "[User] What happens if refunds of the parser must always keep their sign?\n\n[Assistant] Nothing.",
    ],
    [
      "settles what has nothing to do with it",
      "[User] go on\n\n[Assistant] We decided to never paint the fence, because it must dry.",
    ],
    ["says it by the way", "[User] (the parser should always be the source of truth)\n\n[Assistant] Fine."],
  ])("is not told of a turn that %s", async (_what, next) => {
    expect(await statements({ 1: FIRST, 2: next, ...MORE })).toEqual([SAID]);
  });

  test("goes with the sentence that it stands for, or is left out", async () => {
    const settled = (text: string) => ({ 1: FIRST, 2: `[User] go on\n\n[Assistant] ${text}`, ...MORE });
    const points = "They must always keep their sign, because the parser of refunds sums them in the ledger.";
    expect(await statements(settled(`Amounts have two signs. ${points}`))).toContainEqual([
      2,
      "answer",
      `Amounts have two signs. ${points}`,
    ]);
    expect(await statements(settled(points))).toEqual([SAID]);
    expect(await statements(settled(`yes, ${points}`))).toEqual([SAID]);
  });

  test("does not take a sentence along that means something before it", async () => {
    const before =
      "it isn't enough, since the ledger of the shop books a refund twice on the first of a month.";
    const turns = { 1: FIRST, 2: `[User] ${before} ${RULE}\n\n[Assistant] Done.` };
    expect(await statements(turns)).toEqual([SAID, [2, "prompt", RULE]]);
  });

  test("is what follows 'Found it.'", async () => {
    const cause = "`parseRefund` of the shop drops the sign of refunds on the first of a month.";
    const turns = { 1: FIRST, 2: `[User] go on\n\n[Assistant] Found it. ${cause} All is mended.` };
    expect((await statements(turns))[1]?.[2]).toContain(cause);
  });

  test("is a rule with the word pushed in it, and no report of a push", async () => {
    const rule = "Nothing may be pushed onto the ledger until the sign of the refund stands in the parser.";
    const rest = "And the reader of refunds is slow now without need; I left that since six shops call it.";
    const turns = { 1: FIRST, 2: `[User] go on\n\n[Assistant] ${rule}\n\nTwo remarks.\n\n${rest}` };
    expect((await statements(turns))[1]?.[2]).toContain(rule);
    const report = "The parser must always keep signs of refunds, pushed to the branch of the shop.";
    expect(await statements({ ...turns, 2: `[User] go on\n\n[Assistant] ${report}` })).toEqual([SAID]);
  });

  test("is what answers a question of the session", async () => {
    const answer = "Good, that answers it: the old shop knows nothing but unsigned refunds.";
    const turns = { 1: FIRST, 2: `[User] only refunds of May are readable\n\n[Assistant] ${answer}` };
    expect(await statements(turns)).toContainEqual([2, "answer", answer]);
  });

  test("ends where another matter begins", async () => {
    const turns = { 1: FIRST, 2: `[User] ${OTHER}`, ...MORE, 3: `[User] go on\n\n[Assistant] ${RULE}` };
    expect(await statements(turns)).toEqual([SAID]);
  });

  test("what stands beside the sentence of the settling turn goes with it, but no report of a step", async () => {
    const because = "An account of the bank books them on the next day otherwise.";
    const turns = { 1: FIRST, 2: `[User] go on\n\n[Assistant] ${RULE} ${because} I changed both files.` };
    expect(await statements(turns)).toEqual([SAID, [2, "answer", `${RULE} ${because}`]]);
  });

  test("is what the user rules in the told prompt itself, however it begins", async () => {
    const ruled =
      "ok, it's clear for me then. Anything above 50k refunds is refused by the parser of the shop.";
    expect(await statements({ 1: `[User] ${ruled}\n\n[Assistant] ${CAUSE}` })).toEqual([
      [1, "prompt", ruled],
      SAID,
    ]);
  });

  test("goes on to the end of a short conversation", async () => {
    const next = `[User] ${OTHER}\n\n[Assistant] ${RULE}`;
    expect(await statements({ 1: FIRST, 2: next, 3: "[User] hm", 4: "[User] hm" })).toEqual([
      SAID,
      [2, "answer", RULE],
    ]);
  });

  test("quotes no turn that was told before, and none of the running session", async () => {
    const turns = { 1: FIRST, 2: `[User] go on\n\n[Assistant] ${RULE}` };
    for (const asked of [
      { ...NONE, sessionId: "s" },
      { ...NONE, toldBefore: new Set([2]) },
    ])
      expect(await toldWithout(asked, turns, 1)).toMatchObject([{ statements: [SAID] }]);
  });

  test("quotes no words of the agent where what the user said next must not be told", async () => {
    const turns = { 1: FIRST, 2: `[User] go on\n\n[Assistant] ${RULE}` };
    expect(await toldWithout({ ...NONE, hidden: new Set([2]) }, turns, 1)).toEqual([]);
  });

  test("is told of a long prompt that goes on with the matter", async () => {
    const next = `[User] The parser of invoices now keeps refunds, but what about invoices whose refunds the parser of the old shop wrote?\n\n[Assistant] ${RULE}`;
    expect(await statements({ 1: FIRST, 2: next, ...MORE })).toContainEqual([2, "answer", RULE]);
  });
});

describe("a matter begins with its found turn", () => {
  const YES = `[User] the second\n\n[Assistant] ${CAUSE}`;
  const beginning = async (turns: Turns, hidden: number[] = []) =>
    (await toldWithout({ ...NONE, hidden: new Set(hidden) }, turns, 2)).flatMap(({ from }) => from);

  test("or with the prompt before it, where its own names no subject", async () => {
    expect(await beginning({ 1: "[User] Which one?", 2: `[User] ${ASKED}\n\n[Assistant] ${CAUSE}` })).toEqual(
      [2],
    );
    expect(await beginning({ 1: `[User] ${ASKED}\n\n[Assistant] Cents or euros?`, 2: YES })).toEqual([1]);
    const assent = `[User] sounds good, please continue with the next step now\n\n[Assistant] ${CAUSE}`;
    expect(await beginning({ 1: "[User] Mend it", 2: assent })).toEqual([1]);
    expect(await beginning({ 2: YES })).toEqual([2]);
  });

  test("never with a hidden one", async () => {
    expect(await beginning({ 1: `[User] ${ASKED}`, 2: YES }, [1])).toEqual([2]);
  });
});

test("code that a later prompt pastes without a fence settles nothing", async () => {
  const pasted =
    '// We decided to keep the sign because the ledger must always sum refunds.\n// Never drop it.\nfmt.Fprintf(os.Stderr, "the parser must always keep refunds: %v", err)';
  const asked = { 1: `[User] ${ASKED}\n\n[Assistant] ${CAUSE}` };
  expect(await statements({ ...asked, 2: `[User] ${pasted}` })).toEqual([[1, "answer", CAUSE]]);
  expect(await statements({ ...asked, 2: `[User] ${RULE}\n${pasted}` })).toEqual([
    [1, "answer", CAUSE],
    [2, "prompt", RULE],
  ]);
});

test("soughtWords weighs the words of a query by their rarity", () => {
  expect(soughtWords(PARTS)).toEqual({
    words: [
      { form: "parser", weight: 2 },
      { form: "refund", weight: 2 },
    ],
    total: 4,
  });
});

describe("what the agent has before it", () => {
  const PLAN = "The parser of invoices keeps the sign of refunds, because the ledger sums them up at night.";
  const planned = { 1: `[User] How do we keep refunds?\n\n[Assistant] ${PLAN}` };
  const asked = (prompt: string) => ({ ...NONE, prompt });

  test("is not told where the prompt says it", async () => {
    const carriedOut = `Implement the following plan:\n\n# Refunds\n\n${PLAN.toUpperCase()}\n\nThen test it.`;
    expect(await toldWithout(asked(carriedOut), planned, 1)).toEqual([]);
    expect((await toldWithout(asked("How does the parser keep refunds?"), planned, 1)).length).toBe(1);
  });

  test("is told where the prompt asks whether it is so", async () => {
    const whether = `Did we say that ${PLAN.replace(".", "?")}`;
    expect((await toldWithout(asked(whether), planned, 1)).length).toBe(1);
    const pasted = `${whether} ${"And here is the rest of the plan. ".repeat(8)}`;
    expect(await toldWithout(asked(pasted), planned, 1)).toEqual([]);
  });

  test("is not told where the running session said it", async () => {
    const own = { turnId: 2, sessionId: "now", text: `[User] Go on.\n\n[Assistant] So: ${PLAN}` };
    expect(await toldWithout(NONE, { ...planned, 2: own }, 1)).toEqual([]);
    expect((await toldWithout(NONE, { ...planned, 2: { ...own, sessionId: "other" } }, 1)).length).toBe(1);
  });

  test("leaves the answer where only the question is repeated", async () => {
    const turns = { 1: `[User] ${RULE}\n\n[Assistant] ${CAUSE}` };
    expect(
      (await toldWithout(asked(`${RULE} Change that.`), turns, 1)).flatMap((each) => each.statements),
    ).toEqual([[1, "answer", CAUSE]]);
  });

  test("leaves the answer where only words that may be pasted are repeated, in what amends the found turn", async () => {
    const listed = "the courier webhook must always be retried five times by the depot gateway";
    const changed = "From now on the courier webhook of the depot gateway waits a minute before each retry.";
    const turns = {
      1: "[User] the courier webhook fails when the depot gateway restarts\n\n[Assistant] So the courier webhook is retried three times by the depot gateway.",
      2: {
        ...{ sessionId: "later", createdAt: "2026-05-01T10:00:00.000Z" },
        text: `[User] which of these do we break?\n\nCourier webhook\n- ${listed}\n- no shared databases\n\n[Assistant] ${changed}`,
      },
    };
    const toldOf = async (prompt: string) =>
      (await toldAmong([1, 2], asked(prompt), turns, 1)).flatMap((each) => each.statements);
    const found = [1, "answer", "So the courier webhook is retried three times by the depot gateway."];
    const answer = [2, "answer", changed];
    expect(await toldOf("hm")).toEqual([answer, [2, "unsure", listed], found]);
    expect(await toldOf(`Change this: ${listed}.`)).toEqual([answer, found]);
  });

  test("is told where it is a turn of the running session that the agent lost, and a note", async () => {
    const own = { 1: { sessionId: "now", text: planned[1] } };
    const elsewhere = { ...own, 2: { sessionId: "now", text: "[User] Go on." } };
    expect((await toldWithout(NONE, elsewhere, 1)).length).toBe(1);
    expect((await toldWithout(NONE, own, 1)).length).toBe(1);
    const note = { 1: { client: "note", role: "turn" as const, text: `[Note] ${PLAN}` } };
    expect((await toldWithout(asked(PLAN), note, 1)).length).toBe(1);
  });
});
