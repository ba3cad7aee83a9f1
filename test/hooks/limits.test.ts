import { expect, test } from "bun:test";
import { hookTimes } from "../../src/hooks/hook.ts";

const USUAL = { inputMs: 1_000, deadlineMs: 1_500, endMs: 2_500, busyMs: 200, closeMs: 500 };

test("hooks take as many times as long as MEMENTOR_PATIENCE says", () => {
  expect(hookTimes({})).toEqual(USUAL);
  expect(hookTimes({ MEMENTOR_PATIENCE: "2.5" })).toEqual({
    inputMs: 2_500,
    deadlineMs: 3_750,
    endMs: 6_250,
    busyMs: 500,
    closeMs: 1_250,
  });
});

test.each(["", "0.5", "101", "-3", "many", "Infinity", "NaN"])("a patience of %j is ignored", (patience) => {
  expect(hookTimes({ MEMENTOR_PATIENCE: patience })).toEqual(USUAL);
});
