import { expect, test } from "bun:test";
import { renderStats } from "../../../../src/cli/commands/report/text.ts";
import { styleFor } from "../../../../src/cli/terminal/screen.ts";
import type { MemoryStats, RecallStats } from "../../../../src/report/activity.ts";

const SCREEN = {
  style: styleFor({ isTerminal: false }, {}),
  width: 80,
  now: new Date("2026-03-04T12:00:00Z"),
};
const NONE: RecallStats = {
  ...{
    given: 21,
    silent: 79,
    turnsTold: 30,
    turnsUsed: 0,
    turnsNamingFiles: 21,
    ledToEdit: 0,
    shown: 0,
    calls: [],
  },
  marked: { good: 0, bad: 0 },
  ...{ late: 0, asked: { calls: 0, sessions: 0 }, invited: { sessions: 0, subagents: 0 } },
};

const STATS: MemoryStats = {
  ...{ first: null, last: null, period: "day", timeline: [], files: [], clients: [], recall: null },
  ...{
    totals: { sessions: 1, turns: 2, notes: 0, chunks: 3, pendingChunks: 0 },
    othersLeftOut: false,
    narrowed: "",
  },
};

function recallLines(recall: RecallStats): string[] {
  const text = renderStats({ ...STATS, recall }, SCREEN);
  return text
    .slice(text.indexOf("Recall"))
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
}

test("what came of recalls is counted in words, and what was not seen is no zero", () => {
  const some = { turnsUsed: 5, ledToEdit: 3, shown: 2, marked: { good: 4, bad: 1 } };
  expect(recallLines({ ...NONE, ...some })).toEqual([
    "Recall    21 of 100 prompts told something (21 %)",
    "30 turns told, 21 of them with files",
    "3 of these 21 turns led to an edit of one of their files",
    "2 of these 21 turns led to a read of one of their files, without an edit",
    "2 then shown in full",
    "4 answers marked good",
    "1 answer marked bad",
    "no agent has asked the memory",
  ]);
  const used = {
    late: 4,
    invited: { sessions: 9, subagents: 2 },
    asked: { calls: 1, sessions: 1 },
  };
  expect(recallLines({ ...NONE, ...used })).toEqual([
    "Recall    21 of 100 prompts told something (21 %)",
    "4 of 100 prompts ran out of time",
    "30 turns told, 21 of them with files",
    "9 session starts told the agent that it can ask",
    "agents asked the memory 1 time in 1 session",
  ]);
  expect(recallLines(NONE)).toEqual([
    "Recall    21 of 100 prompts told something (21 %)",
    "30 turns told, 21 of them with files",
    "no agent has asked the memory",
  ]);
});

test("turns of colleagues that are not counted are named", () => {
  expect(renderStats({ ...STATS, othersLeftOut: true }, SCREEN)).toStartWith(
    "2 turns of 1 session\nYours only; --author all counts those of colleagues, too.\n\n",
  );
  expect(renderStats(STATS, SCREEN)).toStartWith("2 turns of 1 session\n\n");
});

test("on a narrow terminal, the column that the files are sorted by stays, and when they were touched last goes", () => {
  const file = {
    path: "src/api/routes/bookmarks.ts",
    touches: 12,
    changes: 3,
    lastTime: "2026-03-01T10:00:00Z",
  };
  const shown = renderStats({ ...STATS, files: [file] }, { ...SCREEN, width: 40 });
  expect(shown).toContain("\nFILE                         TOUCHED\nsrc/api/routes/bookmarks.ts       12\n");
});

test("notes are counted apart, and the chart says that it is without them", () => {
  const totals = { sessions: 3, turns: 9, notes: 2, chunks: 3, pendingChunks: 0 };
  const clients = [
    { client: "claude-code", sessions: 3, turns: 9 },
    { client: "note", sessions: 2, turns: 2 },
  ];
  const timeline = [{ start: "2026-03-01", turns: 9, sessions: 0 }];
  const shown = renderStats({ ...STATS, totals, clients, timeline }, SCREEN);
  expect(shown).toStartWith("9 turns of 3 sessions, 2 notes\n\nTurns by day, without notes\n");
  expect(shown).not.toContain("Agents");
  const more = [...clients, { client: "codex", sessions: 1, turns: 1 }];
  expect(renderStats({ ...STATS, totals, clients: more }, SCREEN)).toEndWith(
    "Agents\nClaude Code           9 turns in 3 sessions\nCodex                 1 turn in 1 session\n",
  );
});

test("where only notes were asked for, the chart counts them, and no sessions", () => {
  const totals = { sessions: 0, turns: 0, notes: 2, chunks: 2, pendingChunks: 0 };
  const timeline = [{ start: "2026-03-01", turns: 2, sessions: 2 }];
  const shown = renderStats({ ...STATS, totals, timeline }, SCREEN);
  expect(shown).toStartWith("2 notes\n\nNotes by day\n");
  expect(shown).toMatch(/ 2 notes$/m);
  expect(shown).not.toContain("session");
});

test("a day on which no session began names none", () => {
  const timeline = [
    { start: "2026-03-01", turns: 2, sessions: 1 },
    { start: "2026-03-02", turns: 4, sessions: 0 },
  ];
  const shown = renderStats({ ...STATS, timeline }, SCREEN);
  expect(shown.match(/\d turns.*$/gm)).toEqual(["2 turns of 1 session", "2 turns, 1 new session", "4 turns"]);
});

test("a month is called by its name, and a filter that leaves nothing is named", () => {
  const timeline = [{ start: "2026-07-01", turns: 2, sessions: 1 }];
  expect(renderStats({ ...STATS, period: "month", timeline }, SCREEN)).toContain("\nJul 2026  ");
  const totals = { ...STATS.totals, sessions: 0, turns: 0 };
  expect(renderStats({ ...STATS, totals, narrowed: "since 1 Jan 2027" }, SCREEN)).toBe(
    "No turn fits since 1 Jan 2027.\n",
  );
});
