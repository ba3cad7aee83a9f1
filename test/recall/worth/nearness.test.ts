import { expect, test } from "bun:test";
import { type ComparedVectors, nearnessOf } from "../../../src/recall/worth/nearness.ts";
import type { TurnVector } from "../../../src/store/marks.ts";
import { composeText } from "../../../src/turn/text.ts";
import { aTurn } from "../made.ts";

const fifty = "x".repeat(50);
const TURN = aTurn({
  turnId: 1,
  ...composeText([
    { kind: "prompt", text: fifty },
    { kind: "narration", text: fifty },
    { kind: "answer", text: fifty },
    { kind: "forward", text: fifty },
  ]),
});
const [PROMPT, NARRATION, ANSWER, FORWARD] = TURN.parts;

/** A chunk whose cosine to the prompt is given. */
function chunk(range: { start: number; end: number } | undefined, cosine: number, turnId = 1): TurnVector {
  const { start = 0, end = 0 } = range ?? {};
  return { turnId, start, end, vector: Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2)) };
}

function nearness(chunks: TurnVector[], own: TurnVector[] = []) {
  const vectors: ComparedVectors = { prompt: Float32Array.of(1, 0), own, of: new Map([[1, chunks]]) };
  const near = Object.entries(nearnessOf(TURN, vectors));
  return Object.fromEntries(near.map(([name, value]) => [name, Math.round(value * 1_000) / 1_000]));
}

const NONE = { best: 0, second: 0, mean: 0, prompt: 0, answer: 0, narration: 0, own: 0, ownTurn: 0, gain: 0 };

test("is nothing without vectors of the prompt or of the turn", () => {
  expect(nearnessOf(TURN, null)).toEqual(NONE);
  expect(nearness([])).toEqual(NONE);
});

test("tells how near each part of a turn is", () => {
  const chunks = [chunk(PROMPT, 0.5), chunk(NARRATION, 0.25), chunk(ANSWER, 0.75), chunk(FORWARD, 0.9)];
  expect(nearness(chunks)).toEqual({
    ...NONE,
    ...{ best: 0.9, second: 0.75, mean: 0.6, prompt: 0.5, narration: 0.25, answer: 0.75, gain: 0.1 },
  });
});

test("a chunk belongs to the parts that it holds or of which it has more than 40 characters", () => {
  const whole = chunk({ start: 0, end: TURN.text.length }, 0.5);
  expect(nearness([whole])).toMatchObject({
    best: 0.5,
    second: 0.475,
    prompt: 0.5,
    narration: 0.5,
    answer: 0.5,
  });
  const start = PROMPT?.start ?? 0;
  expect(nearness([chunk({ start, end: start + 41 }, 0.5)])).toMatchObject({ prompt: 0.5 });
  expect(nearness([chunk({ start, end: start + 40 }, 0.5)])).toMatchObject({ best: 0.5, prompt: 0 });
});

test("compares with what the session said last", () => {
  const own = [chunk(PROMPT, 0.6, 8), chunk(PROMPT, 0.8, 9)];
  expect(nearness([chunk(PROMPT, 0.6)], own)).toMatchObject({ best: 0.6, own: 0.8, ownTurn: 1, gain: -0.2 });
});
