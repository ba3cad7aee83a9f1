import { expect, test } from "bun:test";
import { renderAgo, renderLocalMinute } from "../../src/render/time.ts";

const NOW = new Date("2026-03-04T10:00:00Z");

test.each<[string | null, string]>([
  ["2026-03-04T09:59:30Z", "just now"],
  ["2026-03-04T09:59:00Z", "1 minute ago"],
  ["2026-03-04T08:00:01Z", "1 hour ago"],
  ["2026-03-01T10:00:00Z", "3 days ago"],
  ["2026-02-20T10:00:00Z", "1 week ago"],
  ["2025-11-04T10:00:00Z", "4 months ago"],
  ["2024-01-04T10:00:00Z", "2 years ago"],
  ["2026-03-06T10:00:00Z", "in 2 days"],
  ["soon", "at an unknown time"],
  [null, "at an unknown time"],
])("%p is %p", (time, expected) => {
  expect(renderAgo(time, NOW)).toBe(expected);
});

test("a time is shown as the clock on the wall had it", () => {
  const time = new Date(2026, 2, 4, 9, 5);
  expect(renderLocalMinute(time.toISOString())).toBe("2026-03-04 09:05");
  expect(renderLocalMinute(null)).toBe("unknown time");
});
