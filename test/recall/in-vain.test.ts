import { expect, test } from "bun:test";
import { withInVainLater } from "../../src/recall/recall.ts";
import { aScored, aTurn } from "./made.ts";

const judged = (...sure: number[]) =>
  sure.map((probability, i) => ({ scored: aScored(aTurn({ turnId: i + 1 })), worth: { probability } }));
const order = (sure: number[], inVain: number[]) =>
  withInVainLater(judged(...sure), new Set(inVain)).map(({ scored }) => scored.turn.turnId);

test.each<[string, number[], number[], number[]]>([
  ["keeps the order when nothing was told in vain", [0.9, 0.8, 0.3], [9], [1, 2, 3]],
  ["puts a turn that was told in vain after one that is nearly as sure", [0.9, 0.8, 0.3], [1], [2, 1, 3]],
  ["keeps a turn first that is clearly surest", [0.9, 0.6, 0.3], [1], [1, 2, 3]],
  ["keeps the order when all were told in vain", [0.9, 0.8, 0.3], [1, 2, 3], [1, 2, 3]],
])("%s", (_what, sure, inVain, expected) => {
  expect(order(sure, inVain)).toEqual(expected);
});
