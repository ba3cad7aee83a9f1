import { expect, test } from "bun:test";
import { readyWords, renderProgress } from "../../../src/cli/terminal/progress.ts";

const REST = { pending: 380, total: 1_000 };

test("says what of the turns the search by meaning has", () => {
  expect(readyWords({ first: { pending: 1, total: 300 }, rest: REST })).toBe(
    "99 % of the turns' first passages; 62 % of the rest",
  );
  expect(readyWords({ first: { pending: 0, total: 300 }, rest: REST })).toBe(
    "every turn by its first passage; 62 % of the rest",
  );
  expect(readyWords({ first: { pending: 2, total: 4 }, rest: { pending: 0, total: 0 } })).toBe(
    "50 % of the turns' first passages",
  );
});

test("the bar says what can be asked already", () => {
  const progress = { label: "Embedding", done: 62, total: 100, unit: "100 chunks", elapsedMs: 0 };
  const bar = "Embedding  ███████████████░░░░░░░░░   62 %  100 chunks";
  const found = { first: { pending: 0, total: 300 }, rest: REST };
  expect(renderProgress({ ...progress, found })).toBe(
    `${bar}  every turn by its first passage; 62 % of the rest`,
  );
  expect(renderProgress({ ...progress, found: 3 })).toBe(`${bar}  3 turns can be asked`);
});
