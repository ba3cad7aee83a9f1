import { expect, test } from "bun:test";
import { join } from "node:path";
import { renderLocalMinute, renderWhen } from "../../../src/cli/terminal/screen.ts";
import { renderAgo } from "../../../src/text/when.ts";

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

test("an unknown time is said to be one", () => {
  expect([renderLocalMinute(null), renderLocalMinute("soon"), renderWhen(null, NOW)]).toEqual([
    "unknown time",
    "unknown time",
    "at an unknown time",
  ]);
});

/** Shows times in a time zone, which a process has from its start. */
function shownIn(TZ: string, times: readonly string[]): string[][] {
  const script = `import { renderLocalMinute, renderWhen } from ${JSON.stringify(join(import.meta.dir, "../../../src/cli/terminal/screen.ts"))};
    const now = new Date(${JSON.stringify(NOW)});
    console.log(JSON.stringify(${JSON.stringify(times)}.map((time) => [renderLocalMinute(time), renderWhen(time, now)])));`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { env: { TZ } });
  return JSON.parse(stdout.toString());
}

const TIMES = [
  "2026-03-01T23:45:10Z",
  "2026-01-10T12:00:00.999Z",
  "2025-07-10T18:30:00Z",
  "1969-12-31T23:59:59Z",
];

const WALL_CLOCKS: [zone: string, shown: string[][]][] = [
  [
    "UTC",
    [
      ["1 Mar 2026 23:45", "Sun 23:45"],
      ["10 Jan 2026 12:00", "10 Jan 12:00"],
      ["10 Jul 2025 18:30", "10 Jul 2025"],
      ["31 Dec 1969 23:59", "31 Dec 1969"],
    ],
  ],
  [
    "Europe/Berlin",
    [
      ["2 Mar 2026 00:45", "Mon 00:45"],
      ["10 Jan 2026 13:00", "10 Jan 13:00"],
      ["10 Jul 2025 20:30", "10 Jul 2025"],
      ["1 Jan 1970 00:59", "1 Jan 1970"],
    ],
  ],
  [
    "America/St_Johns",
    [
      ["1 Mar 2026 20:15", "Sun 20:15"],
      ["10 Jan 2026 08:30", "10 Jan 08:30"],
      ["10 Jul 2025 16:00", "10 Jul 2025"],
      ["31 Dec 1969 20:29", "31 Dec 1969"],
    ],
  ],
];

test.each(WALL_CLOCKS)("in %s, times are shown as the clock on the wall had them", (zone, shown) => {
  expect(shownIn(zone, TIMES)).toEqual(shown);
});
