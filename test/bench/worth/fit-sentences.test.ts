import { expect, test } from "bun:test";
import { fitSentences } from "./fit-sentences.ts";
import type { SentenceRow } from "./rows.ts";

const row = (id: number, said: boolean[]): SentenceRow => ({
  ...{ kind: "sentences", id: `s:${id}`, group: "s", half: "fit", said },
  f: said.map((isSaid, at) => ({ reason: isSaid ? 1 : 0, guess: isSaid ? 0 : 1, same: 1, even: at % 2 })),
});

test("what readers tell has a weight for it, what they leave has one against it", () => {
  const rows = [row(1, [true, false, true, false]), row(2, [false, true, false, true])];
  const weights = Object.fromEntries(fitSentences(rows));
  expect(Object.keys(weights)).toEqual(["reason", "guess"]);
  expect(weights.reason).toBeGreaterThan(0);
  expect(weights.guess).toBeCloseTo(-(weights.reason ?? 0), 6);
});
