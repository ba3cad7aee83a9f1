import { expect, test } from "bun:test";
import { hitJson, renderHits } from "../../../src/cli/commands/search/text.ts";
import { styleFor } from "../../../src/cli/terminal/screen.ts";
import { type Quotation, quotation } from "../../../src/recall/matter/quotation.ts";
import { spokenLines, statementJson, withSenders } from "../../../src/recall/telling/said.ts";
import type { StoredTurn } from "../../../src/store/stored.ts";
import { composeText, type PartKind } from "../../../src/turn/text.ts";
import { aTurn } from "../made.ts";

const SCREEN = {
  style: styleFor({ isTerminal: false }, { LANG: "en_US.UTF-8" }),
  width: null,
  now: new Date("2026-03-04T12:00:00Z"),
};
const PIECES = [
  { kind: "prompt", text: "Which gate do the trucks of the north take?\nYes or no is enough." },
  { kind: "thinking", text: "The north gate opens inwards." },
  { kind: "answer", text: "Yes or no is not.\nThe trucks take the south gate." },
  { kind: "errors", text: "Exit code 1\n  x gate.test" },
] satisfies { kind: PartKind; text: string }[];

function turnOf(
  facts: Partial<StoredTurn> = {},
  pieces: readonly { kind: PartKind; text: string }[] = PIECES,
): StoredTurn {
  return aTurn({ turnId: 7, ...composeText(pieces), ...facts });
}

function hitOf(turn: StoredTurn, passage: string, statement: Quotation | null = null) {
  const sources = ["keyword" as const];
  const quoted = () => ({ passage, statement });
  return { turn, distance: 0.2, score: 1, sources, quoted, confidence: "likely" as const };
}

function shownOf(...given: Parameters<typeof hitOf>): string[] {
  const shown = { hits: [{ hit: hitOf(...given), words: [], outcome: undefined }], confidence: "likely" };
  return renderHits(shown as Parameters<typeof renderHits>[0], SCREEN)
    .trimEnd()
    .split("\n")
    .slice(2, -1)
    .map((line) => line.trim());
}

test("each line of a passage has its speaker, what tools returned has none", () => {
  const turn = turnOf();
  expect(spokenLines(turn.text, turn).map(({ speaker, words }) => [speaker, words])).toEqual([
    ["the user", "Which gate do the trucks of the north take?"],
    ["the user", "Yes or no is enough."],
    ["the user", ""],
    ["Claude, thinking", "The north gate opens inwards."],
    ["Claude, thinking", ""],
    ["Claude", "Yes or no is not."],
    ["Claude", "The trucks take the south gate."],
    ["Claude", ""],
    [null, "Exit code 1"],
    [null, "  x gate.test"],
  ]);
});

test("a plan that the user accepted is not quoted as the user's words", () => {
  const plan = "Implement the following plan:\n\n# Two gates\n\nThe user wants a gate in the north.";
  const pieces = [{ kind: "prompt" as const, text: plan }];
  const speakers = (turn: StoredTurn) => new Set(spokenLines(turn.text, turn).map(({ speaker }) => speaker));
  expect(speakers(turnOf({}, pieces))).toEqual(new Set(["the plan that the user accepted"]));
  expect(speakers(turnOf({ author: "eve" }, pieces))).toEqual(new Set(["the plan that eve accepted"]));
});

test("a search says who said what it shows", () => {
  const turn = turnOf();
  expect(shownOf(turn, "Yes or no is not.\nThe trucks take the south gate.")).toEqual([
    "Claude: Yes or no is not.",
    "The trucks take the south gate.",
  ]);
  expect(
    shownOf(
      turn,
      turn.text.slice(turn.text.indexOf("Yes or no is enough"), turn.text.indexOf("\nThe trucks")),
    ),
  ).toEqual([
    "the user: Yes or no is enough.",
    "Claude, thinking: The north gate opens inwards.",
    "Claude: Yes or no is not.",
  ]);
  expect(shownOf(turn, "[Errors] Exit code 1\n  x gate.test")).toEqual(["Exit code 1", "x gate.test"]);
});

test("what was pasted, sent, imported or said by a colleague is not the user's in a search", () => {
  const pasted = [
    { kind: "prompt" as const, text: "Look at the gates.\n\n> The vendor's gate has to stay open.\n\nWhy?" },
  ];
  expect(
    shownOf(turnOf({}, pasted), "[Pasted] > The vendor's gate has to stay open.\n\n[User] Why?"),
  ).toEqual(["pasted by the user: > The vendor's gate has to stay open.", "the user: Why?"]);
  const words = "Which gate do the trucks of the north take?\nYes or no is enough.";
  const shown = (facts: Partial<StoredTurn>) => shownOf(turnOf(facts), words)[0];
  expect(shown({ origin: "channel" })).toBe("a message from elsewhere: Yes or no is enough.");
  expect(shown({ foreign: "old" })).toBe("a user: Yes or no is enough.");
  expect(shown({ author: "mira" })).toBe("mira: Yes or no is enough.");
});

test("what was pasted into the next prompt is not the user's in a search", () => {
  const next = { kind: "forward" as const, text: "Look at this.\n\n> The vendor's gate stays open.\n\nWhy?" };
  const turn = turnOf({}, [...PIECES.slice(0, 3), next]);
  const passage = "[User] Look at this.\n\n[Pasted] > The vendor's gate stays open.\n\n[User] Why?";
  expect(shownOf(turn, passage)).toEqual([
    "the user: Look at this.",
    "pasted by the user: > The vendor's gate stays open.",
    "the user: Why?",
  ]);
});

test("what may be pasted says so in a search, as a statement, as next words and in JSON", () => {
  const text = "which gate rules do we break?\n\nGates\nThe vendor's gate has to stay open.";
  const turn = turnOf({ turnId: 8 }, [{ kind: "prompt", text }]);
  expect(shownOf(turn, "[Typed or pasted] The vendor's gate has to stay open.")).toEqual([
    "the user, typed or pasted: The vendor's gate has to stay open.",
  ]);
  const said = quotation(turn, { kind: "unsure", text: "The vendor's gate has to stay open." });
  expect(hitJson(hitOf(turn, said.text, said)).statement).toMatchObject({
    ...{ kind: "prompt", by: "the user, typed or pasted" },
  });
  const list = turnOf({ turnId: 9 }, [
    { kind: "prompt", text: "Gates\n- The vendor's gate is open\n- It is red" },
  ]);
  const answer = quotation(turnOf(), { kind: "answer", text: "The trucks take the south gate." }, list);
  expect(hitJson(hitOf(turn, answer.text, answer)).statement?.next).toMatchObject({
    ...{ text: "Gates\n- The vendor's gate is open\n- It is red", by: "the user, typed or pasted" },
  });
  expect(quotation(turnOf(), { kind: "answer", text: "South." }, turn).next?.text).toBe(
    "which gate rules do we break?",
  );
});

test("JSON names the speaker of a statement, of the next words and of the passage", () => {
  const turn = turnOf();
  const after = turnOf({ turnId: 8 }, [{ kind: "prompt", text: "No, the east gate." }]);
  const said = quotation(turn, { kind: "answer", text: "The trucks take the south gate." }, after);
  const json = hitJson(hitOf(turn, "The trucks take the south gate.", said));
  expect(json.statement).toEqual({
    ...{ text: "The trucks take the south gate.", kind: "answer", by: "Claude" },
    next: { text: "No, the east gate.", by: "the user", at: after.createdAt, turn_id: 8 },
  });
  expect(json.passage_by).toBe("Claude");
  expect(hitJson(hitOf(turnOf({}, PIECES.slice(3)), "Exit code 1")).passage_by).toBeNull();
});

test("what a subagent said is told as the subagent's", () => {
  const turn = turnOf({ origin: "subagent" }, [
    { kind: "prompt", text: "Look at the gates." },
    { kind: "thinking", text: "There may be two of them." },
    { kind: "answer", text: "Report: the depot has two gates." },
  ]);
  expect(shownOf(turn, "[Assistant] Report: the depot has two gates.")).toEqual([
    "a subagent of Claude: Report: the depot has two gates.",
  ]);
  expect(withSenders(turn.text, turn)).toBe(
    "[The agent that started it] Look at the gates.\n\n[Subagent, thinking] There may be two of them.\n\nReport: the depot has two gates.",
  );
  const codex = turnOf({ origin: "subagent", client: "codex" });
  expect(statementJson(quotation(codex, { kind: "answer", text: "Two gates." })).by).toBe(
    "a subagent of Codex",
  );
});

test("a label says who sent what nobody typed, and only where it is one", () => {
  const sent = turnOf({ origin: "channel" }, [
    { kind: "prompt", text: "Keep the gate open." },
    { kind: "answer", text: "It said:\n[User] Keep the gate open for us." },
  ]);
  const text =
    "[A message from elsewhere] Keep the gate open.\n\n[Assistant] It said:\n[User] Keep the gate open for us.";
  expect(withSenders(sent.text, sent)).toBe(text);
  expect(hitJson(hitOf(sent, "[User] Keep the gate open."))).toMatchObject({
    ...{ text, passage: "[A message from elsewhere] Keep the gate open." },
    passage_by: "a message from elsewhere",
  });
  expect(withSenders(turnOf().text, turnOf())).toBe(turnOf().text);
});
