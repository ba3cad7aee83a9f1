import { expect, test } from "bun:test";
import { foundAnswer, mattersAnswer, type ProjectResults } from "../../src/mcp/found.ts";
import type { Scored } from "../../src/recall/fusion.ts";
import { quotation } from "../../src/recall/matter/quotation.ts";
import type { StoredTurn } from "../../src/store/stored.ts";
import { composeText } from "../../src/turn/text.ts";

const TURN: StoredTurn = {
  ...{ turnId: 1, sessionId: "s-1", client: "claude-code", agentId: null, lineIndex: 0, provisional: false },
  ...{ role: "turn", origin: "human", toolSummary: [], isSidechain: false, endedAt: null, branch: "main" },
  ...composeText([{ kind: "prompt", text: "How are dates stored?" }]),
  ...{ createdAt: "2026-03-04T10:22:31.000Z", cwd: null, model: null, clientVersion: null },
  ...{ sessionTitle: null, foreign: null, author: null },
};
const LONG = "Dates are stored in UTC and shown in the time of the machine. ".repeat(40);

function found(confidence: ProjectResults["confidence"], count: number): ProjectResults {
  const hits = Array.from({ length: count }, (_, index) => ({
    hit: {
      ...{ distance: 0.2, score: 1, sources: ["keyword" as const] },
      quoted: () => ({ statement: null, passage: LONG }),
      turn: { ...TURN, turnId: index + 1 },
      confidence,
    },
  }));
  return { hits, confidence, byWords: [], leftOut: [] };
}

const page = { limit: 10, offset: 0, maxTokens: 2_000 };

test("where nothing answers, one line says so alone, with the names that no earlier session has", () => {
  const { text, structured } = foundAnswer({ ...found("weak", 11), unnamed: ["frobnicate"] }, page);
  expect<string>(text).toBe("Nothing in the memory answers this. No earlier session says `frobnicate`.");
  expect(structured).toMatchObject({ confidence: "weak", unknown_names: ["frobnicate"], results: [] });
  expect(structured.next_cursor).toBeUndefined();
});

test("how a turn was found is data for a program, of no use in the text", () => {
  const { text, structured } = foundAnswer(found("likely", 1), page);
  expect(text).toContain("turn 1 · 2026-03-04 10:22 UTC · session s-1 · branch main · likely\n> Dates");
  expect(structured).toMatchObject({ results: [{ found_by: ["keyword"] }] });
});

test("where nothing surely answers, each of the nearest is told, the first ones as fully as there is room", () => {
  const turns = [TURN, { ...TURN, turnId: 2 }];
  const conversation = { found: TURN, turns, around: turns, isShort: true };
  const said = turns.map((turn) =>
    quotation(turn, { text: `In seconds, says ${turn.turnId}.`, kind: "answer" }),
  );
  const state = { conversation, found: [], sources: new Set<number>(), said };
  const matters = [1, 2].map(() => ({ states: [{ ...state, dialogue: said }], repeats: [], weight: 1 }));
  const outcomes = { turns: new Map(), prs: new Map() };
  const { text, structured } = mattersAnswer({ ...found("weak", 3), matters, outcomes }, page);
  expect(text.split("\n").slice(2)).toEqual([
    "Nothing in the memory surely answers this. If none of the nearest fits, decide yourself:",
    "",
    '1. (weak) 2026-03-04, session s-1, turns 1-2, asked: "How are dates stored?", every prompt and answer:',
    "> Claude: In seconds, says 1.",
    "> Claude: In seconds, says 2.",
    "",
    '2. 2026-03-04, session s-1, turns 1-2, asked: "How are dates stored?", every prompt and answer:',
    "> Claude: In seconds, says 1.",
    "> Claude: In seconds, says 2.",
    "</mementor-memory>",
  ]);
  expect(structured).toMatchObject({
    confidence: "weak",
    results: [
      { turns: [1, 2], said: [{ by: "Claude" }, { by: "Claude" }] },
      { turns: [1, 2], said: [{ by: "Claude" }, { by: "Claude" }] },
    ],
  });
  expect(structured.next_cursor).toBeUndefined();
  const long = {
    ...state,
    dialogue: [quotation(TURN, { text: "In seconds. ".repeat(90).trim(), kind: "answer" })],
  };
  const several = ["one", "two", "three"].map(() => ({ states: [long], repeats: [], weight: 1 }));
  const { results } = mattersAnswer({ ...found("weak", 3), matters: several, outcomes }, page).structured;
  expect(results).toHaveLength(3);
});

test("nothing is quoted of a turn that an answer by matters does not show", () => {
  const { hits, ...rest } = found("likely", 3);
  const quoted = (): never => {
    throw new TypeError("not shown");
  };
  const unquoted = hits.map(({ hit }) => ({ hit: { ...hit, quoted } }));
  const conversation = { found: TURN, turns: [TURN], around: [TURN], isShort: true };
  const said = [quotation(TURN, { text: "In seconds.", kind: "answer" })];
  const matters = [
    {
      states: [{ conversation, found: [], sources: new Set<number>(), said, dialogue: null }],
      repeats: [],
      weight: 1,
    },
  ];
  const outcomes = { turns: new Map(), prs: new Map() };
  const { text } = mattersAnswer({ ...rest, hits: unquoted, matters, outcomes }, page);
  expect(text).toContain("> Claude: In seconds.");
});

test("a matter that was not told is among the turns of the pages that follow", () => {
  const both = found("likely", 2);
  const matters = both.hits.map(({ hit: { turn } }) => {
    const conversation = { found: turn, turns: [turn], around: [turn], isShort: true };
    const said = [quotation(turn, { text: `In seconds, says ${turn.turnId}.`, kind: "answer" })];
    const found = [{ turn, score: 1 } as Scored];
    return {
      states: [{ conversation, found, sources: new Set<number>(), said, dialogue: null }],
      repeats: [],
      weight: 1,
    };
  });
  const outcomes = { turns: new Map(), prs: new Map() };
  const asked = { ...both, matters, outcomes };
  const first = mattersAnswer(asked, { ...page, limit: 1 });
  expect(first.structured).toMatchObject({ results: [{ turn_id: 1 }], next_cursor: "1" });
  const next = mattersAnswer(asked, { ...page, limit: 1, offset: 1 });
  expect(next.structured).toMatchObject({ results: [{ turn_id: 2 }] });
});
