import { expect, test } from "bun:test";
import type { Matter, MatterState } from "../../../src/recall/matter/matter.ts";
import { quotation } from "../../../src/recall/matter/quotation.ts";
import { quoteDialogue } from "../../../src/recall/matter/said.ts";
import { matterItems } from "../../../src/recall/telling/matters.ts";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { aTurn } from "../../recall/made.ts";

function stateOf(found: StoredTurn, ...said: MatterState["said"]): MatterState {
  return {
    conversation: { found, turns: [found], around: [found], isShort: true },
    found: [],
    sources: new Set(),
    said,
    dialogue: null,
  };
}

test("a matter tells the newest state, the user's next words, what stood before it and the commit", () => {
  const newer = aTurn({
    turnId: 8,
    sessionId: "5c4e08fc-newer",
    createdAt: "2026-08-26T16:00:00.000Z",
    text: "[User] Leads drown in approvals\n\n[Assistant] A limit of 120 would take away most.\n\n[User] good, 120 then",
  });
  const older = aTurn({
    turnId: 3,
    sessionId: "a5da573f-older",
    createdAt: "2026-05-28T14:00:00.000Z",
    text: "[User] everything over 50 euros has to be approved",
  });
  const matter: Matter = {
    repeats: [],
    weight: 1,
    states: [
      stateOf(newer, quotation(newer, { text: "A limit of 120 would take away most.", kind: "answer" })),
      stateOf(
        older,
        quotation(older, { text: "everything over 50 euros has to be approved", kind: "prompt" }),
      ),
    ],
  };
  const outcomes = {
    turns: new Map([[8, { files: 1, commits: ["0123456789abcdef"] }]]),
    prs: new Map([["5c4e08fc-newer", [12]]]),
  };
  const [item] = matterItems([matter], {
    confidence: "likely",
    answers: [],
    outcomes,
    chars: 2_000,
    tokens: 2_000,
  });
  expect<string | undefined>(item?.text).toBe(
    `1. (likely) 2026-08-26, session 5c4e08fc, turn 8, asked: "Leads drown in approvals"
> Claude: A limit of 120 would take away most. — next, the user: "good, 120 then"
commit 0123456789; pull request #12; more: mementor recall --show 8
Before that, 2026-05-28, session a5da573f, turn 3
> the user: everything over 50 euros has to be approved`,
  );
});

test("what a colleague said names its author, and is no word of the user", () => {
  const turn = aTurn({
    turnId: 8,
    sessionId: "5c4e08fc",
    author: "ana",
    createdAt: "2026-08-26T16:00:00.000Z",
  });
  const said = quotation(turn, { text: "never on Fridays", kind: "prompt" });
  const matter = { states: [stateOf(turn, said)], repeats: [], weight: 1 };
  const outcomes = { turns: new Map(), prs: new Map() };
  const [item] = matterItems([matter], {
    confidence: "likely",
    answers: [],
    outcomes,
    chars: 2_000,
    tokens: 2_000,
  });
  expect(item?.text).toContain("ana");
  expect(item?.text).not.toContain("the user");
  expect(item?.data).toMatchObject({ author: "ana" });
});

test("what the asker was told before, in text or as JSON, is one line with its number", () => {
  const turn = aTurn({ turnId: 8, sessionId: "5c4e08fc", createdAt: "2026-08-26T16:00:00.000Z" });
  const said = [quotation(turn, { text: 'never "on Fridays", since nobody is there', kind: "prompt" })];
  const matter = { states: [stateOf(turn, ...said)], repeats: [], weight: 1 };
  const outcomes = { turns: new Map(), prs: new Map() };
  const told = (answers: string[]) =>
    matterItems([matter], { confidence: "likely", answers, outcomes, chars: 2_000, tokens: 2_000 })[0];
  const whole = told(["never on Sundays"]);
  expect(whole?.text).toContain("nobody is there");
  const short = told([whole?.text ?? ""]);
  expect(short?.text).toStartWith("1. (likely) shown before: 2026-08-26, session 5c4e08fc, turn 8");
  expect(short?.text).not.toContain("nobody is there");
  expect(short?.data).toMatchObject({ shown_before: true, said: [] });
  expect(told([JSON.stringify(whole?.data)])).toEqual(short);
});

test("a short reply was not shown before because an answer on another session has the same words", () => {
  const turn = aTurn({ turnId: 8, sessionId: "5c4e08fc-newer", createdAt: "2026-08-26T16:00:00.000Z" });
  const said = quotation(turn, { text: "no, 30 seconds", kind: "prompt" });
  const matter = { states: [stateOf(turn, said)], repeats: [], weight: 1 };
  const told = (answer: string) =>
    matterItems([matter], { ...ROOM, chars: 2_000, answers: [answer] })[0]?.text ?? "";
  expect(told("2026-05-28, session a5da573f, turn 3\n> the user: no, 30 seconds are fine")).toContain(
    "> the user: no",
  );
  expect(told("2026-08-26, session 5c4e08fc, turn 8\n> the user: no, 30 seconds")).toContain("shown before");
});

/** The surest matter: two turns of a conversation, of which nothing is left out. */
function wholeMatter(): Matter {
  const first = aTurn({
    turnId: 8,
    sessionId: "5c4e08fc-newer",
    createdAt: "2026-08-26T16:00:00.000Z",
    text: "[User] Leads drown in approvals\n\n[Assistant] A limit of 120 would take away most.\n\n[User] 150, the printer costs 140",
  });
  const second = aTurn({
    ...{ turnId: 9, sessionId: first.sessionId, createdAt: first.createdAt },
    text: "[User] 150, the printer costs 140\n\n[Assistant] So 150, with tax.\n\n[User] good",
  });
  const conversation = { found: first, turns: [first, second], around: [first, second], isShort: true };
  const said = [quotation(second, { text: "So 150, with tax.", kind: "answer" })];
  return {
    states: [
      { conversation, found: [], sources: new Set(), said, dialogue: quoteDialogue(conversation, said) },
    ],
    repeats: [],
    weight: 1,
  };
}

const ROOM = {
  confidence: "likely",
  answers: [],
  outcomes: { turns: new Map(), prs: new Map() },
  tokens: 2_000,
} as const;

test("a short conversation is told whole and in order, with what was said next below the last answer alone", () => {
  const [item] = matterItems([wholeMatter()], { ...ROOM, chars: 2_000 });
  expect<string | undefined>(item?.text).toBe(
    `1. (likely) 2026-08-26, session 5c4e08fc, turns 8-9, every prompt and answer:
> the user: Leads drown in approvals
> Claude: A limit of 120 would take away most.
> the user: 150, the printer costs 140
> Claude: So 150, with tax. — next, the user: "good"`,
  );
});

test("where there is no room for all that was said, what settles the matter is told, and how to get the rest", () => {
  const [item] = matterItems([wholeMatter()], { ...ROOM, chars: 200 });
  expect<string | undefined>(item?.text).toBe(
    `1. (likely) 2026-08-26, session 5c4e08fc, turns 8-9, asked: "Leads drown in approvals"
> Claude: So 150, with tax. — next, the user: "good"
more: mementor recall --show 8-9`,
  );
});

test("parts of a conversation are told in the order of what was said, and what was said next only once", () => {
  const matter = wholeMatter();
  const [state] = matter.states;
  const dialogue = state?.dialogue ?? [];
  const [, proposal, ruling] = dialogue;
  if (state === undefined || proposal === undefined || ruling === undefined)
    throw new TypeError("a dialogue");
  const parts = { ...matter, states: [{ ...state, said: [ruling, proposal], dialogue: null }] };
  const [item] = matterItems([parts], { ...ROOM, chars: 2_000 });
  expect<string | undefined>(item?.text).toBe(
    `1. (likely) 2026-08-26, session 5c4e08fc, turns 8-9, asked: "Leads drown in approvals"
> Claude: A limit of 120 would take away most.
> the user: 150, the printer costs 140
more: mementor recall --show 8-9`,
  );
});

test("of a conversation too long for one call the turn that says most is shown", () => {
  const long = "It was checked twice. ".repeat(200);
  const turns = [8, 9, 10].map((turnId) =>
    aTurn({ turnId, sessionId: "5c4e08fc", text: `[User] prompt ${turnId}\n\n[Assistant] ${long}` }),
  );
  const [found, second] = turns;
  if (found === undefined || second === undefined) throw new TypeError("turns");
  const state = {
    ...stateOf(found, quotation(second, { text: "150, the printer costs 140", kind: "prompt" })),
    conversation: { found, turns, around: turns, isShort: false },
  };
  const [item] = matterItems([{ states: [state], repeats: [], weight: 1 }], { ...ROOM, chars: 2_000 });
  expect(item?.text).toContain("turns 8-10");
  expect(item?.text).toEndWith("more: mementor recall --show 9");
});
