import { expect, test } from "bun:test";
import { buildMatters, inOrder, type Matter } from "../../../src/recall/matter/matter.ts";
import { quotation } from "../../../src/recall/matter/quotation.ts";
import { distinct, quoteDialogue } from "../../../src/recall/matter/said.ts";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { aQuery, aScored, aTurn } from "../made.ts";

/** A store of turns; those of a session follow each other by their numbers. */
function storeOf(turns: readonly StoredTurn[]) {
  return {
    search: {
      termTurns: async (terms: readonly string[]) =>
        new Map(
          terms.map((term) => [
            term,
            turns.filter(({ text }) => text.toLowerCase().includes(term)).map(({ turnId }) => turnId),
          ]),
        ),
    },
    browse: {
      neighbours: async (turnId: number) => {
        const own = turns.find((turn) => turn.turnId === turnId)?.sessionId;
        const session = turns.filter(({ sessionId }) => sessionId === own);
        const at = session.findIndex((turn) => turn.turnId === turnId);
        return { before: session.slice(0, at), after: session.slice(at + 1) };
      },
    },
  };
}

/** What matters say: the session of each state, and its first statement with the user's next words. */
function saidIn(matters: readonly Matter[]) {
  return matters.map(({ states }) =>
    states.map(({ conversation, said }) => [
      conversation.found.sessionId,
      said[0]?.text ?? null,
      said[0]?.next?.text ?? null,
    ]),
  );
}

const OLDER = aTurn({
  turnId: 1,
  sessionId: "older",
  createdAt: "2026-03-01T10:00:00.000Z",
  text: "[User] the courier webhook fails when the depot gateway restarts\n\n[Assistant] So from now on the courier webhook is retried three times by the depot gateway.\n\n[User] good, go ahead",
});
const NEWER = aTurn({
  turnId: 2,
  sessionId: "newer",
  createdAt: "2026-04-01T10:00:00.000Z",
  text: "[User] the courier webhook must be retried five times, the depot gateway takes a minute to restart\n\n[Assistant] I set it to five in the gateway.",
});
const OTHER = aTurn({
  turnId: 3,
  sessionId: "other",
  createdAt: "2026-05-01T10:00:00.000Z",
  text: "[User] rename the invoice column\n\n[Assistant] From now on the invoice column is called total everywhere.",
});
const RESTATED = aTurn({
  turnId: 4,
  sessionId: "asked",
  createdAt: "2026-06-01T10:00:00.000Z",
  toolSummary: ['Bash(desc="Ask the memory", cmd="mementor recall \'courier webhook retries\'")'],
  text: "[User] how often is the courier webhook retried?\n\n[Assistant] So the courier webhook is retried three times by the depot gateway.",
});
const ASKED = { parts: aQuery(), turns: 4 };
/** The same where the words of the question are known. */
const SOUGHT = { parts: aQuery({ terms: termsOf("courier", "webhook", "retried") }), turns: 4 };

function termsOf(...words: readonly string[]) {
  return words.map((term) => ({ term, rarity: 2, weight: 2, share: 0.01, turnIds: [7] }));
}

function ranked(...turns: readonly StoredTurn[]) {
  return turns.map((turn, at) => ({ ...aScored(turn), score: 3 - at / 4 }));
}

test("what was settled later on the same matter stands first, however well the older statement fits", async () => {
  const found = ranked(OLDER, OTHER, NEWER);
  const matters = await buildMatters(found, ASKED, storeOf([OLDER, NEWER, OTHER]));
  expect(saidIn(matters)).toEqual([
    [
      [
        "newer",
        "the courier webhook must be retried five times, the depot gateway takes a minute to restart",
        null,
      ],
      [
        "older",
        "So from now on the courier webhook is retried three times by the depot gateway.",
        "good, go ahead",
      ],
    ],
    [["other", "From now on the invoice column is called total everywhere.", null]],
  ]);
  const order = inOrder(found, matters, (scored) => (scored === found[0] ? "strong" : "weak"));
  expect(order.map(({ scored, confidence }) => [scored.turn.sessionId, confidence])).toEqual([
    ["newer", "strong"],
    ["older", "strong"],
    ["other", "weak"],
  ]);
});

test.each([
  ["says what it is now", "The depot button is green now; its contrast is 5.0.", true],
  ["moves it", "I moved the depot button to the other side of the label.", true],
  ["puts another thing in its place", "The depot label has a border instead of a depot button.", true],
  ["only speaks of it", "The depot button has a label that screen readers speak.", false],
])("a later conversation that %s stands first: %p is %p", async (_, answer, isFirst) => {
  const turns = [
    "[User] which colour for the depot button with the label?\n\n[Assistant] Blue, since the depot label is blue.",
    `[User] marketing looked at the depot button with the label\n\n[Assistant] ${answer}`,
  ].map((text, at) =>
    aTurn({
      turnId: at + 1,
      sessionId: ["older", "later"][at] ?? "",
      createdAt: `2026-0${at + 3}-01T10:00:00.000Z`,
      text,
    }),
  );
  const [first] = await buildMatters(ranked(...turns), { ...ASKED, turns: 60 }, storeOf(turns));
  expect(first?.states[0]?.conversation.found.sessionId).toBe(isFirst ? "later" : "older");
});

test("a commit and its answer are no matter beside another, and are where nothing else is found", async () => {
  const chore = aTurn({
    turnId: 5,
    sessionId: "chore",
    text: "[User] commit\n\n[Assistant] Committed the retries of the courier webhook.",
  });
  const store = storeOf([OLDER, OTHER, chore]);
  const sessions = async (...turns: readonly StoredTurn[]) =>
    saidIn(await buildMatters(ranked(...turns), ASKED, store)).map(([first]) => first?.[0]);
  expect(await sessions(OLDER, chore, OTHER)).toEqual(["older", "other"]);
  expect(await sessions(chore)).toEqual(["chore"]);
});

test("found turns of one session whose conversations overlap are told as one", async () => {
  const turns = Array.from({ length: 12 }, (_, at) =>
    aTurn({
      ...{ turnId: at + 1, sessionId: "long", createdAt: `2026-03-01T10:${10 + at}:00.000Z` },
      text: `[User] and depot ${at + 1}?\n\n[Assistant] Depot ${at + 1} keeps its courier webhook.`,
    }),
  );
  const found = [turns[5], turns[2]].flatMap((turn) => turn ?? []);
  const matters = await buildMatters(ranked(...found), ASKED, storeOf(turns));
  const told = matters.map(({ states }) =>
    states.map((state) => state.conversation.turns.map((turn) => turn.turnId)),
  );
  expect(told).toEqual([[turns.map(({ turnId }) => turnId)]]);
  expect(matters[0]?.states[0]?.found.map(({ turn }) => turn.turnId)).toEqual([6, 3]);
});

test("a conversation whose turns together have more of the sought words comes before a turn that was found better", async () => {
  const replies = [
    "[User] the courier takes a minute\n\n[Assistant] Its webhook could wait that long.",
    "[User] do that, and have it retried\n\n[Assistant] Done.",
  ].map((text, at) => aTurn({ turnId: at + 1, sessionId: "talk", text }));
  const other = aTurn({
    ...{ turnId: 3, sessionId: "other", text: "[User] is it retried?\n\n[Assistant] The invoice is." },
  });
  const turns = [...replies, other];
  const found = [other, ...replies.slice(0, 1)].map((turn, at) => ({ ...aScored(turn), score: 1 - at / 5 }));
  const matters = await buildMatters(found, SOUGHT, storeOf(turns));
  expect(matters.map(({ states }) => states[0]?.conversation.found.sessionId)).toEqual(["talk", "other"]);
});

test.each([
  ["in the same words", RESTATED.text],
  [
    "in other words, with what it makes of them",
    "[User] how often is the courier webhook retried? and the pilot's?\n\n[Assistant] The courier webhook is retried three times by the gateway, so I gave the pilot's the same.",
  ],
])(
  "an agent that asked the memory and repeats %s what it got is no state, and sure of nothing",
  async (_, text) => {
    const restated = aTurn({ ...RESTATED, text });
    const found = ranked(restated, OLDER, NEWER);
    const matters = await buildMatters(found, SOUGHT, storeOf([OLDER, NEWER, restated]));
    expect(saidIn(matters).map((states) => states.map(([session]) => session))).toEqual([["newer", "older"]]);
    expect(matters[0]?.repeats).toEqual(found.slice(0, 1));
    const order = inOrder(found, matters, () => "strong");
    expect(order.map(({ scored, confidence }) => [scored.turn.sessionId, confidence])).toEqual([
      ["newer", "strong"],
      ["older", "strong"],
      ["asked", "weak"],
    ]);
  },
);

test.each([
  ["another number", "The courier webhook is retried six times by the depot gateway."],
  ["what was changed", "The courier webhook is no longer retried three times by the depot gateway."],
])("an agent that asked the memory and says %s is the newest state", async (_, answer) => {
  const changed = aTurn({
    ...RESTATED,
    text: `[User] six retries for the courier webhook, please\n\n[Assistant] ${answer}`,
  });
  const matters = await buildMatters(ranked(OLDER, changed), SOUGHT, storeOf([OLDER, changed]));
  expect(saidIn(matters).map((states) => states.map(([session]) => session))).toEqual([["asked", "older"]]);
  expect(matters[0]?.repeats).toEqual([]);
});

/** Two turns of an agent on the retries of a webhook, and notes; all of them were found, with these scores. */
function withNotes(scores: readonly number[], ...notes: readonly string[]) {
  const talk = ["three times", "after a minute"].map((words, at) =>
    aTurn({
      ...{ turnId: at + 1, sessionId: "talk", createdAt: `2026-03-01T10:1${at}:00.000Z` },
      text: `[User] and the depot gateway?\n\n[Assistant] The courier webhook is retried ${words} by the depot gateway.`,
    }),
  );
  const noted = notes.map((text, at) =>
    aTurn({
      ...{ turnId: at + 3, sessionId: `note ${at}`, client: "note", text: `[User] ${text}` },
      createdAt: `2026-02-01T10:0${at}:00.000Z`,
    }),
  );
  const turns = [...talk, ...noted];
  const found = turns.map((turn, at) => ({ ...aScored(turn), score: scores[at] ?? 0 }));
  const byScore = found.toSorted((a, b) => b.score - a.score);
  return buildMatters(byScore, { ...ASKED, turns: 60 }, storeOf(turns));
}

test("a person's note weighs as much as a conversation of which many turns were found, and is told whole", async () => {
  const note = "Not so any more. Ask Maren how often, until the council has decided.";
  const [first] = saidIn(await withNotes([1, 0.9, 0.95], note));
  expect(first).toEqual([["note 0", note, null]]);
  const [other] = saidIn(await withNotes([1, 0.9, 0.6], note));
  expect(other?.map(([session]) => session)).toEqual(["talk"]);
});

test("a person's note that has few of the sought words comes first on the matter of a conversation that was found", async () => {
  const note = "The courier webhook of the depot gateway: ask Maren, until the council has decided.";
  const [first, ...others] = saidIn(await withNotes([1, 0.9, 0.1, 0.1], note, "The canteen closes at two."));
  expect(first?.map(([session]) => session)).toEqual(["note 0", "talk"]);
  expect(others).toEqual([]);
  const talk = aTurn({ turnId: 1, sessionId: "talk", text: OLDER.text });
  const further = aTurn({ turnId: 2, sessionId: "note", client: "note", text: `[User] ${note}` });
  const [matter] = await buildMatters(ranked(talk), { ...ASKED, turns: 60 }, storeOf([talk, further]), [
    { ...aScored(further), score: 0.1 },
  ]);
  expect(matter?.states.map(({ conversation }) => conversation.found.sessionId)).toEqual(["note", "talk"]);
});

test("of two notes on a conversation the one that was asked for stands first, or the newer where both say the same", async () => {
  const retries = "The courier webhook is retried five times.";
  const path = "The courier webhook moved to the depot gateway of the harbour, which logs every parcel.";
  const sessions = async (...notes: string[]) =>
    saidIn(await withNotes([0.8, 0.7, 1, 0.8], ...notes)).map((states) => states.map(([session]) => session));
  expect(await sessions(retries, path)).toEqual([["note 0", "talk"], ["note 1"]]);
  expect(await sessions(retries, "The courier webhook is retried six times.")).toEqual([
    ["note 1", "note 0", "talk"],
  ]);
});

test("a note that names what is asked for is on the matter of a conversation that names it, too", async () => {
  const note =
    "courierWebhook: the ministry wants none during the summer timetable. Not our choice, ask Petra.";
  const talk = aTurn({
    ...OLDER,
    text: "[User] courierWebhook fails when the depot gateway restarts\n\n[Assistant] So from now on courierWebhook is retried three times, each after twice the pause of the one before.",
  });
  const turn = aTurn({
    ...{ turnId: 9, sessionId: "note", client: "note", text: `[User] ${note}` },
    createdAt: "2026-03-02T10:00:00.000Z",
  });
  const found = [talk, turn].map((each, at) => ({ ...aScored(each), score: 1 - at / 2 }));
  const sessions = async (...terms: string[]) => {
    const asked = { parts: aQuery({ terms: termsOf(...terms) }), turns: 60 };
    return saidIn(await buildMatters(found, asked, storeOf([talk, turn]))).map((states) =>
      states.map(([session]) => session),
    );
  };
  expect(await sessions("courierwebhook", "retried")).toEqual([["note", "older"]]);
  expect(await sessions("depot", "gateway", "restarts")).toEqual([["older"], ["note"]]);
});

test("a short conversation that is much alike and says another number stands first where it is newer", async () => {
  const later = aTurn({
    ...NEWER,
    text: "[User] the courier webhook and the depot gateway: five times?\n\n[Assistant] The courier webhook takes the depot gateway four minutes then.\n\n[User] right",
  });
  const matters = await buildMatters(ranked(OLDER, later), SOUGHT, storeOf([OLDER, later]));
  expect(saidIn(matters).map((states) => states.map(([session]) => session))).toEqual([["newer", "older"]]);
});

test("of conversations that are a little alike the most alike is on the matter where the later says that something changed", async () => {
  const [older, newer, other] = [
    "[User] where do the depot flags live? checkout reads variables, the shop a file\n\n[Assistant] Then all of them stand in one file of the repository, each with an owner, and a pull request turns one on.",
    "[User] support waited fifty minutes to turn the broken gift wrapping off\n\n[Assistant] The switches are a table now, and support flips them on the page of the depot within thirty seconds.",
    "[User] the invoice of the printer lacks its tax\n\n[Assistant] It is printed below the total now, as the auditors want it.",
  ].map((text, at) =>
    aTurn({ ...{ turnId: at + 1, text }, sessionId: `${at}`, createdAt: `2026-0${at + 3}-01T10:00:00.000Z` }),
  );
  if (older === undefined || newer === undefined || other === undefined) throw new TypeError("three turns");
  const turns = [older, other, newer];
  const matters = await buildMatters(ranked(...turns), { ...ASKED, turns: 60 }, storeOf(turns));
  expect(saidIn(matters).map((states) => states.map(([session]) => session))).toEqual([["1", "0"], ["2"]]);
});

test("a question that the user answered before is answered with that answer first", async () => {
  const answers = Array.from(
    { length: 9 },
    (_, i) => `Question: Must ledger ${i} be closed at night?\nAnswer: Always`,
  );
  const answered = [...answers, "Question: Should the courier webhook be retried?\nAnswer: Five times"].join(
    "\n\n",
  );
  const turn = aTurn({
    turnId: 7,
    sessionId: "asked",
    text: `[User] plan the invoices\n\n${answered}\n\n[Assistant] We decided that ledgers must always be closed at night, because the courier never waits.`,
  });
  const [matter] = await buildMatters(ranked(turn), SOUGHT, storeOf([turn]));
  const [first, ...others] = matter?.states[0]?.said.map(({ text }) => text) ?? [];
  expect(first).toBe("Question: Should the courier webhook be retried? Answer: Five times");
  expect(others.length).toBeGreaterThan(0);
});

/** A long conversation of one session, with a prompt and an answer in each turn. */
function longTalk(...texts: readonly (readonly [prompt: string, answer: string])[]): StoredTurn[] {
  return texts.map(([prompt, answer], at) => {
    const next = texts[at + 1]?.[0];
    const forward = next === undefined ? "" : `\n\n[User] ${next}`;
    return aTurn({
      ...{ turnId: at + 1, sessionId: "long", createdAt: `2026-03-01T1${at}:00:00.000Z` },
      text: `[User] ${prompt}\n\n[Assistant] ${answer}${forward}`,
    });
  });
}

const FILLER = "The worker reads the next file. ".repeat(60);

test("what the user ruled on the asked names stands before what an agent settled beside it", async () => {
  const talk = longTalk(
    ["how could the courier webhook be tried end to end?", `With a container for each depot. ${FILLER}`],
    ["containers are not relevant, the courier webhook runs on the depot's own runner", `Done. ${FILLER}`],
    ["run it", `So the report must always be removed at night, because nobody may read it. ${FILLER}`],
  );
  const terms = termsOf("courier", "webhook", "runner");
  const [matter] = await buildMatters(
    ranked(...talk),
    { parts: aQuery({ terms }), turns: 60 },
    storeOf(talk),
  );
  expect(matter?.states[0]?.said[0]).toMatchObject({
    kind: "prompt",
    text: "containers are not relevant, the courier webhook runs on the depot's own runner",
  });
});

test("what an agent says before a bare reply ends with what the reply answers", async () => {
  const talk = longTalk(
    ["look at the courier webhook", `It is retried. ${FILLER}`],
    [
      "how long does it wait?",
      `The courier webhook waits for the depot. ${FILLER}\n\nShall I make it ten seconds?`,
    ],
    ["no, thirty", `Changed. ${FILLER}`],
  );
  const [matter] = await buildMatters(ranked(...talk), SOUGHT, storeOf(talk));
  const said = matter?.states[0]?.said.map(({ text, next }) => [text, next?.text]);
  expect(said).toContainEqual([
    "The courier webhook waits for the depot. … Shall I make it ten seconds?",
    "no, thirty",
  ]);
});

test("a ruling that names only what was said before is followed by that", async () => {
  const talk = longTalk(
    ["how long does the courier webhook wait?", `A profile of the depot needs care. ${FILLER}`],
    ["the courier webhook must never wait for the gateway", "The depot waits a week."],
    ["take it, and no chains back beyond the week before that", `Changed. ${FILLER}`],
  );
  const [matter] = await buildMatters(ranked(...talk), SOUGHT, storeOf(talk));
  const said = matter?.states[0]?.said.map(({ text }) => text) ?? [];
  const ruling = said.indexOf("take it, and no chains back beyond the week before that");
  expect(ruling).toBeGreaterThanOrEqual(0);
  expect(said[ruling + 1]).toBe("The depot waits a week.");
});

test("where a user overrules what was proposed, that stands before their other words on it", async () => {
  const talk = longTalk(
    ["how is the courier webhook retried?", `Oldest first. ${FILLER}`],
    ["no, they are gone by then. Last in, first out", `Noted. ${FILLER}`],
    ["fine, and now the page of the depot", `Opened. ${FILLER}`],
  );
  const [matter] = await buildMatters(ranked(...talk), SOUGHT, storeOf(talk));
  const said = matter?.states[0]?.said.filter(({ kind }) => kind === "prompt").map(({ text }) => text) ?? [];
  const [overruling, other] = [
    "no, they are gone by then. Last in, first out",
    "fine, and now the page of the depot",
  ];
  expect(said.indexOf(overruling)).toBeGreaterThanOrEqual(0);
  expect(said.indexOf(overruling)).toBeLessThan(said.indexOf(other));
});

test("a short conversation is quoted whole only where nothing of it would be missing", () => {
  const dialogue = (text: string, best = "Set.") => {
    const turn = aTurn({ turnId: 7, text });
    const conversation = { found: turn, turns: [turn], around: [turn], isShort: true };
    const said = quoteDialogue(conversation, [quotation(turn, { text: best, kind: "answer" })]);
    return said?.map(({ kind, text }) => [kind, text]) ?? null;
  };
  expect(dialogue("[User] five retries\n\n[Assistant] Set.", "I take ten … Set.")).toBeNull();
  expect(dialogue("[User] five retries\n\n[Assistant] Set.")).toEqual([
    ["prompt", "five retries"],
    ["answer", "Set."],
  ]);
  expect(dialogue(`[User] five retries\n\n[Assistant] ${"Set. ".repeat(400)}`)).toBeNull();
  const pasted = "see what they wrote:\n\n> From: Ada\n> never more than three retries\n> Ada";
  expect(dialogue(`[User] ${pasted}\n\n[Assistant] Set.`)).toBeNull();
});

test("a correction stays beside what it begins like, and a short reply beside a word that holds it", () => {
  const left = (...texts: string[]) => distinct(texts.map((text) => ({ text }))).map(({ text }) => text);
  expect(left("set the limit to 5", "set the limit to 50, because 5 fails")).toHaveLength(2);
  expect(left("that is known", "no")).toHaveLength(2);
  expect(left("set it to 5, please", "set it to 5")).toEqual(["set it to 5, please"]);
});
