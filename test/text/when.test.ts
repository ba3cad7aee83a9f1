import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseWhen } from "../../src/text/when.ts";

/** A Wednesday. */
const NOW = new Date(2026, 2, 4, 10, 22, 31, 500);

const local = (...parts: [number, number, number?, number?, number?, number?, number?]) => {
  const [year, month, day = 1, ...time] = parts;
  return new Date(year, month, day, ...time);
};

test.each<[string, Date, Date]>([
  ["2026-03-01", local(2026, 2, 1), local(2026, 2, 1, 23, 59, 59, 999)],
  ["2026-02", local(2026, 1, 1), local(2026, 1, 28, 23, 59, 59, 999)],
  ["2025", local(2025, 0, 1), local(2025, 11, 31, 23, 59, 59, 999)],
  ["today", local(2026, 2, 4), local(2026, 2, 4, 23, 59, 59, 999)],
  ["Yesterday", local(2026, 2, 3), local(2026, 2, 3, 23, 59, 59, 999)],
  ["this week", local(2026, 2, 2), local(2026, 2, 8, 23, 59, 59, 999)],
  [" last  week ", local(2026, 1, 23), local(2026, 2, 1, 23, 59, 59, 999)],
  ["last month", local(2026, 1, 1), local(2026, 1, 28, 23, 59, 59, 999)],
  ["last year", local(2025, 0, 1), local(2025, 11, 31, 23, 59, 59, 999)],
  ["2026-03-01 08:05", local(2026, 2, 1, 8, 5), local(2026, 2, 1, 8, 5, 59, 999)],
  ["2026-03-01T08:05:09", local(2026, 2, 1, 8, 5, 9), local(2026, 2, 1, 8, 5, 9, 999)],
  ["2026-05-31 08:05", local(2026, 4, 31, 8, 5), local(2026, 4, 31, 8, 5, 59, 999)],
  ["2026-03-01T08:05Z", new Date("2026-03-01T08:05:00Z"), new Date("2026-03-01T08:05:59.999Z")],
  [
    "2026-03-01T08:05:09.250+0200",
    new Date("2026-03-01T06:05:09.250Z"),
    new Date("2026-03-01T06:05:09.250Z"),
  ],
])("%p is all of what it names", (text, from, to) => {
  expect(parseWhen(text, NOW)).toEqual({ from, to });
});

test.each<[string, Date]>([
  ["now", NOW],
  ["30min", local(2026, 2, 4, 9, 52, 31, 500)],
  ["90 minutes ago", local(2026, 2, 4, 8, 52, 31, 500)],
  ["2 hours", local(2026, 2, 4, 8, 22, 31, 500)],
  ["6h", local(2026, 2, 4, 4, 22, 31, 500)],
  ["3d", local(2026, 2, 1, 10, 22, 31, 500)],
  ["3 days ago", local(2026, 2, 1, 10, 22, 31, 500)],
  ["2w", local(2026, 1, 18, 10, 22, 31, 500)],
  ["1mo", local(2026, 1, 4, 10, 22, 31, 500)],
  ["1y", local(2025, 2, 4, 10, 22, 31, 500)],
])("%p is a moment before now", (text, moment) => {
  expect(parseWhen(text, NOW)).toEqual({ from: moment, to: moment });
});

test("a month before the 31st is the last day of a shorter month", () => {
  expect(parseWhen("1mo", local(2026, 4, 31, 12))?.from).toEqual(local(2026, 3, 30, 12));
});

test.each([
  "",
  "soon",
  "3",
  "3m",
  "5 x",
  "-3d",
  "2026-13-01",
  "2026-02-30",
  "26-03-01",
  "2026-3-1",
  "2026-03-01 25:00",
  "2026-02-30 10:00",
  "2026-04-31T10:00Z",
  "2026-03-01T10",
  "last decade",
  "next week",
])("%p is not a time", (text) => {
  expect(parseWhen(text, NOW)).toBeNull();
});

test("any text gives an ordered range of valid times, or nothing", () => {
  const typed = fc.oneof(
    fc.string(),
    fc.stringMatching(/^\d{1,6} ?(min|h|d|w|mo|y|days|weeks)( ago)?$/),
    fc.stringMatching(/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}$/),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const span = parseWhen(text, NOW);
      expect(span === null || span.from.getTime() <= span.to.getTime()).toBe(true);
    }),
  );
});

test("every date is in its day", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(1990, 0, 1), max: new Date(2090, 0, 1), noInvalidDate: true }),
      (date) => {
        const text = `${date.getFullYear()}-${`${date.getMonth() + 1}`.padStart(2, "0")}-${`${date.getDate()}`.padStart(2, "0")}`;
        const span = parseWhen(text, NOW);
        expect(span !== null && span.from <= date && date <= span.to).toBe(true);
      },
    ),
  );
});
