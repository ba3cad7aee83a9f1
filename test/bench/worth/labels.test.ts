import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { keyOf, readLabels } from "../life/labels.ts";
import { halfOf } from "./said.ts";

const { prompts } = readLabels([resolve(import.meta.dir, "../../../fixtures/worth")]);

test("the half of a prompt follows from its session", () => {
  expect(prompts.filter(({ session, half }) => half !== halfOf(session)).map(keyOf)).toEqual([]);
});

test("sentences to say are named of turns that are worth it, and each range goes forward", () => {
  const wrong = prompts.filter(({ candidates }) =>
    candidates.some(
      ({ turn, say }) => say !== undefined && (turn < 2 || say.some(([start, end]) => start >= end)),
    ),
  );
  expect(wrong.map(keyOf)).toEqual([]);
});
