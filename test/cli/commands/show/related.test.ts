import { expect, test } from "bun:test";
import { type RelatedSummary, renderRelated } from "../../../../src/cli/commands/show/related.ts";
import { styleFor } from "../../../../src/cli/terminal/screen.ts";

const screen = { style: styleFor({ isTerminal: false }, {}), width: null, now: new Date(2026, 5, 1) };

const related: RelatedSummary = {
  ...{
    sessionId: "5e55",
    accessDistance: 0.25,
    textDistance: null,
    sameMatter: null,
    sharedFiles: ["src/a.ts"],
    sharedWords: ["cents", "rounding"],
    touchedIn: null,
    filesWorth: 0,
  },
  session: {
    ...{ sessionId: "5e55", client: "claude-code", title: "Money in cents", firstPrompt: null },
    ...{ automated: false, branch: "main", projectDir: null, transcriptPath: null, foreign: null },
    ...{ startedAt: null, endedAt: null, turns: 3, files: 2, author: null },
  },
};

test("related sessions are followed by the number of sessions that they were chosen from", () => {
  expect(
    renderRelated([related], { total: 12, limit: 1, onlySimilar: 0, knowsTouched: true }, screen)
      .split("\n")
      .slice(1),
  ).toEqual([
    "5e55     Money in cents  at an unknown time  main",
    "    in common: 1 file: a.ts; words: cents, rounding",
    "1 of 12 sessions: those with the same issue, address or prompt first, then those with most files in common, rare ones above all, then the nearest by what was said; -n 12 shows all that have something in common",
    "",
  ]);
});

test("an issue and a prompt in common are named before files", () => {
  const same = { ...related, sameMatter: { names: ["#7340"], samePrompt: true, worth: 2 } };
  const among = { total: 1, limit: 1, onlySimilar: 0, knowsTouched: true };
  expect(renderRelated([same], among, screen)).toContain(
    "in common: the prompt, almost word for word; #7340; 1 file: a.ts; words: cents, rounding\n",
  );
});

test("two files of one name are told apart", () => {
  const both = { ...related, sharedFiles: ["src/a.ts", "test/a.ts", "src/b.ts"], sharedWords: [] };
  const among = { total: 1, limit: 1, onlySimilar: 0, knowsTouched: true };
  expect(renderRelated([both], among, screen)).toContain("3 files: src/a.ts, test/a.ts, b.ts\n");
});

test("where fewer are related than may be shown, the others have nothing in common", () => {
  expect(
    renderRelated([related], { total: 12, limit: 20, onlySimilar: 0, knowsTouched: true }, screen),
  ).toEndWith("\n1 of 12 sessions: the others have nothing known in common with it\n");
});

test("where all sessions are related, nothing follows", () => {
  expect(
    renderRelated([related], { total: 1, limit: 20, onlySimilar: 0, knowsTouched: true }, screen),
  ).not.toContain(" of ");
});

test("where it is not known what was touched, the list says so", () => {
  expect(renderRelated([related], { total: 1, limit: 20, onlySimilar: 0, knowsTouched: false }, screen)).toBe(
    [
      "SESSION  TITLE           LAST                BRANCH",
      "5e55     Money in cents  at an unknown time  main",
      "    in common: 1 file: a.ts; words: cents, rounding",
      "Compared by what was said. To compare touched files as well, search on your machine: leave out --db.",
      "",
    ].join("\n"),
  );
});

test("sessions that are only similar are counted, and how to see them", () => {
  const among = { total: 30, limit: 20, onlySimilar: 19, knowsTouched: true };
  expect(renderRelated([related], among, screen)).toEndWith(
    "\n19 more are only similar; -n, such as -n 20, shows them too\n",
  );
  expect(renderRelated([related], { ...among, onlySimilar: 1 }, screen)).toEndWith(
    "\n1 more is only similar; -n, such as -n 20, shows it too\n",
  );
});

test("sessions that touched a file say in how many turns", () => {
  const touched = { ...related, touchedIn: 3 };
  const shown = renderRelated([touched], { total: 9, limit: 1, onlySimilar: 0, knowsTouched: true }, screen);
  expect(shown.split("\n").slice(2)).toEqual([
    "    touched it in 3 turns",
    "1 of 9 sessions: those that touched it in most turns first; -n 9 shows all that have something in common",
    "",
  ]);
});
