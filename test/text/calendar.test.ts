import { describe, expect, test } from "bun:test";
import { type Period, periodStart, periodsBetween } from "../../src/text/when.ts";

const at = (text: string) => new Date(`${text}:00`);

describe("a time is in a period that starts on a local date", () => {
  test.each<[time: string, day: string, week: string, month: string]>([
    ["2026-03-04T00:00", "2026-03-04", "2026-03-02", "2026-03-01"],
    ["2026-03-04T23:59", "2026-03-04", "2026-03-02", "2026-03-01"],
    ["2026-03-02T12:00", "2026-03-02", "2026-03-02", "2026-03-01"],
    ["2026-03-01T12:00", "2026-03-01", "2026-02-23", "2026-03-01"],
    ["2026-01-01T12:00", "2026-01-01", "2025-12-29", "2026-01-01"],
    ["2025-12-31T12:00", "2025-12-31", "2025-12-29", "2025-12-01"],
    ["0987-10-11T12:00", "0987-10-11", "0987-10-08", "0987-10-01"],
  ])("%s", (time, day, week, month) => {
    const periods: Period[] = ["day", "week", "month"];
    expect(periods.map((period) => periodStart(at(time), period))).toEqual([day, week, month]);
  });
});

describe("the periods between two times are those around both and all between", () => {
  test.each<[Period, from: string, to: string, starts: string[]]>([
    ["day", "2026-02-27T23:00", "2026-03-02T01:00", ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]],
    ["day", "2026-03-01T01:00", "2026-03-01T23:00", ["2026-03-01"]],
    ["week", "2026-02-22T12:00", "2026-03-03T12:00", ["2026-02-16", "2026-02-23", "2026-03-02"]],
    [
      "month",
      "2025-11-30T12:00",
      "2026-02-01T00:00",
      ["2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01"],
    ],
    ["month", "2026-02-01T00:00", "2026-01-31T00:00", []],
  ])("%s, %s to %s", (period, from, to, starts) => {
    expect(periodsBetween(at(from), at(to), period)).toEqual(starts);
  });
});
