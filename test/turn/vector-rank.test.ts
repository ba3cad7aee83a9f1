import { expect, test } from "bun:test";
import { type VectorRank, vectorRanks } from "../../src/turn/parts.ts";
import { composeText, type PartContent } from "../../src/turn/text.ts";

/** Cuts a turn's text at these words, and ranks what stands between them. */
function ranksOf(pieces: readonly PartContent[], cuts: readonly string[]): VectorRank[] {
  const { text, parts } = composeText(pieces);
  const starts = [0, ...cuts.map((cut) => text.indexOf(cut))];
  const chunks = starts.map((start, at) => ({ start, end: starts[at + 1] ?? text.length }));
  return vectorRanks(parts, chunks);
}

const PROMPT = { kind: "prompt", text: "Why does the kettle leak?" } as const;
const THINKING = { kind: "thinking", text: "The seal may be worn. The spout may be loose." } as const;
const ANSWER = { kind: "answer", text: "The spout was loose. It is tight now." } as const;
const TOOLS = { kind: "tools", text: `Read(src/kettle.ts) | ${"Edit(src/spout.ts) | ".repeat(9)}` } as const;
const ERRORS = { kind: "errors", text: "spout.ts: 9 leaks remain" } as const;
const FORWARD = { kind: "forward", text: "Thank you" } as const;

test("the prompt and the end of the answer come first, what is between them later", () => {
  expect(
    ranksOf([PROMPT, THINKING, ANSWER, FORWARD], ["The seal", "The spout", "It is", "[User] Thank"]),
  ).toEqual([0, 1, 1, 0, 1]);
});

test("without an answer, what was said last is the outcome", () => {
  expect(ranksOf([PROMPT, THINKING], ["The seal", "The spout may"])).toEqual([0, 1, 0]);
});

test("rows of tool calls and errors get no vector, but a turn's first chunk does", () => {
  expect(ranksOf([PROMPT, ANSWER, TOOLS, ERRORS], ["[Tools]", "[Errors]"])).toEqual([0, null, null]);
  expect(ranksOf([TOOLS], ["Edit"])).toEqual([0, null]);
});

test("a chunk with more than a few words beside its rows gets its vector", () => {
  const said = "It is tight now, since the thread was cut anew and sealed with hemp.";
  expect(ranksOf([PROMPT, { kind: "answer", text: said }, TOOLS], ["It is"])).toEqual([0, 0]);
});
