import { expect, test } from "bun:test";
import { lowered } from "../../src/search/in-vain.ts";
import { aScored, aTurn } from "./made.ts";

const ranked = (...scores: number[]) =>
  scores.map((score, i) => ({ ...aScored(aTurn({ turnId: i + 1 })), score }));
const order = (scores: number[], inVain: number[]) =>
  lowered(ranked(...scores), new Set(inVain)).map(({ turn }) => turn.turnId);

test.each<[string, number[], number[], number[]]>([
  ["keeps the order when nothing was told in vain", [3, 2, 1], [9], [1, 2, 3]],
  ["puts a turn that was told in vain after one that is nearly as good", [3, 2.5, 1], [1], [2, 1, 3]],
  ["keeps a turn first that is clearly best", [3, 2, 1], [1], [1, 2, 3]],
  ["lowers negative scores too", [1, -1, -1.1], [2], [1, 3, 2]],
  ["keeps the order when all were told in vain", [3, 2, 1], [1, 2, 3], [1, 2, 3]],
])("%s", (_what, scores, inVain, expected) => {
  expect(order(scores, inVain)).toEqual(expected);
});
