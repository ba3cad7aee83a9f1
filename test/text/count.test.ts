import { expect, test } from "bun:test";
import fc from "fast-check";
import { groupedDigits } from "../../src/text/numbers.ts";
import { fcOptions } from "../support/fast-check.ts";

test("groups digits as English does", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(groupedDigits(count)).toBe(count.toLocaleString("en"));
    }),
    fcOptions(),
  );
});
