import { expect, test } from "bun:test";
import { choreShare } from "../../src/recall/chore.ts";

test.each<[string, number]>([
  ["commit and push", 1],
  ["rebase on main", 0.6],
  ["Add a cache for parsed invoices to the shop", 0],
  ["", 0],
])("choreShare of %j", (prompt, share) => {
  expect(choreShare(prompt)).toBeCloseTo(share);
});
