import { describe, expect, test } from "bun:test";
import { countStreaks, turnsByHour } from "../../src/report/activity.ts";

/** Local times: days and hours on a card are those of the person. */
const at = (day: number, hour = 12) => new Date(2026, 2, day, hour).toISOString();
const NOW = new Date(2026, 2, 20, 9);

describe("streaks", () => {
  test.each([
    ["none without turns", [], { longest: 0, current: 0, days: 0 }],
    [
      "days in a row, each counted once",
      [at(1), at(1, 23), at(2, 0), at(3)],
      { longest: 3, current: 0, days: 3 },
    ],
    ["the longest run, not the last", [at(1), at(2), at(3), at(7)], { longest: 3, current: 0, days: 4 }],
    ["a run that reaches today", [at(19), at(20, 8)], { longest: 2, current: 2, days: 2 }],
    ["a run that reached yesterday", [at(18), at(19)], { longest: 2, current: 2, days: 2 }],
    ["across a change of clocks", [at(28), at(29), at(30)], { longest: 3, current: 0, days: 3 }],
  ])("%s", (_, turns, expected) => {
    expect(countStreaks(turns, NOW)).toEqual(expected);
  });
});

test("turns are counted by the local hour", () => {
  const hours = turnsByHour([at(1, 0), at(2, 9), at(3, 9), at(3, 23)]);
  const expected = Array.from({ length: 24 }, (_, hour) => ({ 0: 1, 9: 2, 23: 1 })[hour] ?? 0);
  expect(hours).toEqual(expected);
});
