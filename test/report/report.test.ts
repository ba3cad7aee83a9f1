import { expect, test } from "bun:test";
import { buildReport } from "../../src/report/report.ts";
import type { SessionSummary } from "../../src/store/browse.ts";

const DAYS = ["02", "03", "04", "05", "06", "09", "10", "11"].map((day) => `2026-03-${day}`);

function summary(day: string): SessionSummary {
  return {
    ...{ sessionId: day, client: "claude-code", title: null, firstPrompt: "Go", automated: false },
    ...{ branch: "main", projectDir: null, transcriptPath: null, startedAt: `${day}T10:00:00.000Z` },
    ...{ endedAt: null, turns: 1, files: 1, foreign: null, author: null },
  };
}

/** The report of sessions that began on these days, each of which touched a file. */
function reportOn(days: readonly string[]) {
  const rows = {
    sessions: days.map(summary),
    ...{ files: [], commits: [], prs: [] },
    hours: days.map((day) => ({ path: "src/valve.ts", hour: `${day}T10`, touches: 1 })),
  };
  return buildReport({ browse: { report: async () => rows } }, {});
}

test("one session of another time widens neither the time axis nor the columns of files", async () => {
  const { heat, usual: range } = await reportOn(["1970-01-01", ...DAYS]);
  expect(range).toEqual([Date.parse("2026-03-02T10:00:00Z"), Date.parse("2026-03-11T10:00:00Z")]);
  const { heat: without } = await reportOn(DAYS);
  expect({ period: heat.period, starts: heat.starts }).toEqual({ period: "day", starts: without.starts });
  expect(heat.rows).toEqual([
    { ...without.rows[0], path: "src/valve.ts", touches: 9, counts: without.rows[0]?.counts ?? [] },
  ]);
});

test("a session is near those with the same files, first those with a file that few touched", async () => {
  const touched = (sessionId: string, ...paths: string[]) =>
    paths.map((path) => ({ sessionId, path, touches: 1, changes: 1 }));
  const rows = {
    sessions: DAYS.slice(0, 4).map(summary),
    files: [
      ...touched(DAYS[0] ?? "", "README.md", "src/valve.ts"),
      ...touched(DAYS[1] ?? "", "README.md"),
      ...touched(DAYS[2] ?? "", "README.md", "src/valve.ts"),
      ...touched(DAYS[3] ?? "", "src/lid.ts"),
    ],
    ...{ commits: [], prs: [], hours: [] },
  };
  const { sessions } = await buildReport({ browse: { report: async () => rows } }, {});
  expect(sessions.map(({ near }) => near)).toEqual([[2, 1], [0, 2], [0, 1], []]);
});
