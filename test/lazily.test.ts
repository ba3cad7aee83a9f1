import { expect, test } from "bun:test";
import { lazily } from "../src/lazily.ts";

test("makes a value at the first call, and once, also when it is undefined", () => {
  const made: string[] = [];
  const value = lazily(() => {
    made.push("made");
    return undefined;
  });
  expect(made).toEqual([]);
  expect([value(), value(), made]).toEqual([undefined, undefined, ["made"]]);
});
