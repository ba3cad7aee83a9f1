import { expect, test } from "bun:test";
import { buildTimeline, recallStats } from "../../src/report/activity.ts";

const at = (month: number, day: number) => new Date(2026, month - 1, day, 12).toISOString();

test("every period between the first turn and the last is counted, even empty ones", () => {
  const activity = { turns: [at(3, 1), at(3, 1), at(3, 4)], sessions: [at(3, 1)] };
  expect(buildTimeline(activity)).toEqual({
    first: at(3, 1),
    last: at(3, 4),
    period: "day",
    timeline: [
      { start: "2026-03-01", turns: 2, sessions: 1 },
      { start: "2026-03-02", turns: 0, sessions: 0 },
      { start: "2026-03-03", turns: 0, sessions: 0 },
      { start: "2026-03-04", turns: 1, sessions: 0 },
    ],
  });
  expect(buildTimeline(activity, "week").timeline).toEqual([
    { start: "2026-02-23", turns: 2, sessions: 1 },
    { start: "2026-03-02", turns: 1, sessions: 0 },
  ]);
  expect(buildTimeline(activity, "month").timeline).toEqual([{ start: "2026-03-01", turns: 3, sessions: 1 }]);
});

test.each<[number, number, string]>([
  [3, 2, "day"],
  [6, 1, "week"],
  [30, 1, "month"],
])("a memory that reaches to month %p is shown by a fitting period", (month, day, period) => {
  expect(buildTimeline({ turns: [at(1, 20), at(month, day)], sessions: [] }).period).toBe(period as "day");
});

test("an empty memory has no timeline", () => {
  expect(buildTimeline({ turns: [], sessions: [] })).toEqual({
    first: null,
    last: null,
    period: "day",
    timeline: [],
  });
});

test("only prompts count as recalls", () => {
  const calls = [
    { event: "user-prompt-submit", decision: "gate", calls: 5, meanMs: 20 },
    { event: "user-prompt-submit", decision: "told", calls: 3, meanMs: 80 },
    { event: "user-prompt-submit", decision: "late", calls: 2, meanMs: 900 },
    { event: "session-start", decision: "told", calls: 4, meanMs: 20 },
    { event: "subagent-start", decision: "told", calls: 6, meanMs: 20 },
    { event: "pre-tool-use", decision: "told", calls: 9, meanMs: 10 },
  ];
  const told = [
    { event: "pre-tool-use", answers: 9, turns: 20, named: 20, edited: 20, read: 0, shown: 0 },
    { event: "user-prompt-submit", answers: 3, turns: 7, named: 6, edited: 3, read: 1, shown: 2 },
  ];
  const marked = [{ event: "user-prompt-submit", good: 2, bad: 1 }];
  expect(recallStats({ calls, told, marked, asked: { calls: 12, sessions: 3 } })).toEqual({
    ...{ given: 3, silent: 7, turnsTold: 7, turnsUsed: 4, turnsNamingFiles: 6, ledToEdit: 3, shown: 2 },
    marked: { good: 2, bad: 1 },
    ...{ late: 2, asked: { calls: 12, sessions: 3 }, invited: { sessions: 4, subagents: 6 } },
    calls,
  });
  expect(recallStats({ calls: [], told: [], marked: [], asked: { calls: 0, sessions: 0 } })).toEqual({
    ...{ given: 0, silent: 0, turnsTold: 0, turnsUsed: 0, turnsNamingFiles: 0, ledToEdit: 0, shown: 0 },
    marked: { good: 0, bad: 0 },
    ...{ late: 0, asked: { calls: 0, sessions: 0 }, invited: { sessions: 0, subagents: 0 } },
    calls: [],
  });
});
