import { expect, test } from "bun:test";
import { asksLastState, timeAsked } from "../../src/recall/time-asked.ts";

/** A Wednesday. */
const NOW = new Date(2026, 2, 4, 10, 22);
const day = (year: number, month: number, date: number) => ({
  since: new Date(year, month, date).toISOString(),
  until: new Date(year, month, date + 1, 0, 0, 0, -1).toISOString(),
});

test.each([
  ["what did we do yesterday", "yesterday", day(2026, 2, 3), null],
  ["What happened today?", "today", day(2026, 2, 4), null],
  ["what was decided on 2026-01-14?", "2026-01-14", day(2026, 0, 14), null],
  [
    "what did we decide about the queue 3 days ago?",
    "3 days ago",
    day(2026, 2, 1),
    "what did we decide about the queue ?",
  ],
  [
    "why was the retry limit changed on 14 July 2025",
    "14 July 2025",
    day(2025, 6, 14),
    "why was the retry limit changed",
  ],
])("%p asks for %p", (question, said, span, rest) => {
  expect(timeAsked(question, NOW)).toEqual({ asked: said, within: span, rest });
});

test("a month with its year is all of it, and weeks ago reach until now", () => {
  expect(timeAsked("what did we do in July 2025", NOW)?.within).toEqual({
    since: new Date(2025, 6, 1).toISOString(),
    until: new Date(2025, 7, 1, 0, 0, 0, -1).toISOString(),
  });
  expect(timeAsked("what changed in the parser 2 weeks ago", NOW)?.within).toEqual({
    since: new Date(2026, 1, 18, 10, 22).toISOString(),
    until: NOW.toISOString(),
  });
});

test.each([
  "does the report show yesterday's orders",
  "format of the date 2026-01-14 in exports",
  "what may be cached in may",
  "which orders did we ship at version 2026-01-14-rc1",
])("%p names no time that it asks for", (question) => {
  expect(timeAsked(question, NOW)).toBeNull();
});

test("only a question for nothing else asks where the work was left", () => {
  expect(["Where did we leave off?", "what were we working on last time"].map(asksLastState)).toEqual([
    true,
    true,
  ]);
  expect(
    ["where did we leave off the trailing comma", "what were we doing about retries"].map(asksLastState),
  ).toEqual([false, false]);
});
