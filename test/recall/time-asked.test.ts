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
  ["what did we do the day before yesterday", "the day before yesterday", day(2026, 2, 2), null],
  ["what did we do yesterday afternoon", "yesterday afternoon", day(2026, 2, 3), null],
  ["what happened last night?", "last night", day(2026, 2, 3), null],
  ["what happened this morning", "this morning", day(2026, 2, 4), null],
  ["what did we do earlier today", "earlier today", day(2026, 2, 4), null],
  ["what did we do two days ago", "two days ago", day(2026, 2, 2), null],
  ["what did we do last tuesday", "last tuesday", day(2026, 2, 3), null],
  ["what did we decide on Friday?", "Friday", day(2026, 1, 27), null],
  ["what was done last Wednesday", "last Wednesday", day(2026, 1, 25), null],
  ["what changed on 3 march", "3 march", day(2026, 2, 3), null],
  ["what did we do on the 2nd of March 2026", "2nd of March 2026", day(2026, 2, 2), null],
  [
    "what was said on March 5th about the queue",
    "March 5th",
    day(2025, 2, 5),
    "what was said about the queue",
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

/** From a day on, until the end of another or until now. */
const from = (year: number, month: number, date: number, until: Date = NOW) => ({
  since: new Date(year, month, date).toISOString(),
  until: until.toISOString(),
});
const justBefore = (year: number, month: number) => new Date(year, month, 1, 0, 0, 0, -1);

test.each([
  ["what did we do in february", from(2026, 1, 1, justBefore(2026, 2))],
  ["what did we do in march", from(2026, 2, 1, justBefore(2026, 3))],
  ["what did we do in december", from(2025, 11, 1, justBefore(2026, 0))],
  ["what did we do in 2025", from(2025, 0, 1, justBefore(2026, 0))],
  ["show the work of last month", from(2026, 1, 1, justBefore(2026, 2))],
  ["what did we decide since monday", from(2026, 2, 2)],
  ["what was changed since yesterday", from(2026, 2, 3)],
  ["what did we merge since February", from(2026, 1, 1)],
])("%p asks for a stretch of time", (question, span) => {
  expect(timeAsked(question, NOW)?.within).toEqual(span);
});

test.each([
  ["how did the rate limit look in the last 3 days", 3],
  ["past 2 weeks: what broke", 14],
  ["what was decided over the last two weeks", 14],
  ["what did we do a week ago", 7],
  ["what did we do in the past few days", 3],
])("%p reaches until now", (question, days) => {
  expect(timeAsked(question, NOW)?.within).toEqual({
    since: new Date(2026, 2, 4 - days, 10, 22).toISOString(),
    until: NOW.toISOString(),
  });
});

test.each([
  "does the report show yesterday's orders",
  "format of the date 2026-01-14 in exports",
  "what may be cached in may",
  "which orders did we ship at version 2026-01-14-rc1",
  "what did we decide about the yesterday button",
  "what did we decide about Friday deploys",
  "why did the job of a monday fail",
  "how have the 3 may users logged in",
  "what did the May release change",
  "how was port 2025 chosen",
  "is this week's plan done",
])("%p names no time that it asks for", (question) => {
  expect(timeAsked(question, NOW)).toBeNull();
});

test.each([
  "Where did we leave off?",
  "what were we working on last time",
  "where were we?",
  "ok, where are we",
  "continue where we left off",
  "let's pick up where we left off last time",
  "what was I doing",
  "Where did I leave it?",
])("%p asks where the work was left", (question) => {
  expect(asksLastState(question)).toBe(true);
});

test.each([
  "where did we leave off the trailing comma",
  "what were we doing about retries",
  "where are we with the importer",
  "continue where the parser left off",
  "where are we calling the hook",
])("%p asks for something else", (question) => {
  expect(asksLastState(question)).toBe(false);
});
