import { expect, test } from "bun:test";
import { foldsOf } from "./folds.ts";

test("groups stay together, and folds are about equal", () => {
  const rows = [..."aaaabbbccde"].map((group) => ({ group }));
  const folds = foldsOf(rows, 3).map((fold) => fold.map(({ group }) => group).join(""));
  expect(folds).toEqual(["aaaa", "bbbe", "ccd"]);
});
