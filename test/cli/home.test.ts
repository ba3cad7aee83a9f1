import { expect, test } from "bun:test";
import { type Home, renderHome } from "../../src/cli/home.ts";
import { styleFor } from "../../src/cli/terminal/screen.ts";
import type { TurnSummary } from "../../src/store/browse.ts";

const SCREEN = {
  style: styleFor({ isTerminal: false }, { LANG: "en_US.UTF-8" }),
  width: null,
  now: new Date("2026-03-04T12:00:00Z"),
};

function turn(turnId: number, client: string, firstWords: string): TurnSummary {
  return {
    turnId,
    sessionId: `s${turnId}`,
    client,
    agentId: null,
    sessionTitle: null,
    firstWords,
    title: firstWords,
    lineIndex: 0,
    provisional: false,
    role: "turn",
    origin: "human",
    createdAt: "2026-03-04T11:00:00.000Z",
    endedAt: null,
    branch: null,
    toolCalls: 0,
    files: [],
    foreign: null,
    author: null,
  };
}

/** What is offered to try after these turns, newest first. */
function tried(...recent: TurnSummary[]): string[] {
  const totals = { sessions: 2, turns: 2, notes: 0, chunks: 2, pendingChunks: 0 };
  const home: Home = { name: "shop", branch: null, totals, recent, told: [] };
  const [, after = ""] = renderHome(home, SCREEN).split("\nTry\n");
  return [...after.matchAll(/^ {2}(mementor .*?) {2}/gm)].map(([, command = ""]) => command.trimEnd());
}

const NOTE = turn(9, "note", "Dates are UTC in the store, local on screen");

test("what was said on another device names it, and is not offered to be continued here", () => {
  const elsewhere: TurnSummary = { ...turn(8, "claude-code", "Add a queue"), device: "laptop" };
  expect(tried(elsewhere, turn(7, "claude-code", "Add a mailer"))).toContain("mementor show 7 --resume");
  const totals = { sessions: 1, turns: 1, notes: 0, chunks: 1, pendingChunks: 0 };
  const home: Home = { name: "shop", branch: null, totals, recent: [elsewhere], told: [] };
  expect(renderHome(home, SCREEN)).toContain("[said on laptop] Add a queue");
});

test("what is offered works: a note is searched for and shown, and an older conversation continued", () => {
  expect(tried(NOTE, turn(7, "claude-code", "Add a queue"))).toEqual([
    "mementor search 'Dates are UTC in the store'",
    "mementor show 9",
    "mementor show 7 --resume",
  ]);
});

test("with notes alone there is nothing to continue", () => {
  expect(tried(NOTE)).toEqual(["mementor search 'Dates are UTC in the store'", "mementor show 9"]);
});

test("a chore is not searched for: what was before it is, or nothing", () => {
  const chore = turn(12, "claude-code", "then commit, and update changelog");
  expect(tried(chore, turn(7, "claude-code", "Add a queue"))).toEqual([
    "mementor search 'Add a queue'",
    "mementor show 12",
    "mementor show 12 --resume",
  ]);
  expect(tried(chore)).toEqual(["mementor show 12", "mementor show 12 --resume"]);
});

test("a colleague's turn is named as such and shown, and one's own conversation continued", () => {
  const hers = { ...turn(13, "claude-code", "Add a queue for mails"), author: "ada", foreign: "team" };
  const totals = { sessions: 2, turns: 2, notes: 0, chunks: 2, pendingChunks: 0 };
  const home: Home = { name: "shop", branch: null, totals, recent: [hers], told: [] };
  expect(renderHome(home, SCREEN)).toContain("[by ada] Add a queue for mails");
  const shown = ["mementor search 'Add a queue for mails'", "mementor show 13"];
  expect(tried(hers)).toEqual(shown);
  expect(tried(hers, turn(7, "claude-code", "Add a cache"))).toEqual([...shown, "mementor show 7 --resume"]);
});

test("turns of related projects that were told are counted", () => {
  const totals = { sessions: 1, turns: 2, notes: 0, chunks: 2, pendingChunks: 0 };
  const told = [
    {
      ...{
        id: 1,
        time: "2026-03-04T12:00:00Z",
        sessionId: "s",
        event: "user-prompt-submit",
        decision: "told",
      },
      ...{ durationMs: 1, prompt: "Which queue do mails use?", subject: null, gate: null },
      answer: "## From project api, 2 days ago\n> Postgres.\n\n## From project api, 3 days ago\n> Retries.",
      turns: [],
    },
  ];
  const home: Home = { name: "shop", branch: null, totals, recent: [], told };
  expect(renderHome(home, SCREEN)).toContain('2 turns for "Which queue do mails use?"');
});

test("what was taken out as a secret is not offered to search for", () => {
  expect(tried(turn(9, "note", "key [redacted:aws-access-key] of the shop"))).toEqual(["mementor show 9"]);
});

test("where the project was named, what is offered names it, too", () => {
  const totals = { sessions: 1, turns: 1, notes: 0, chunks: 1, pendingChunks: 0 };
  const recent = [turn(7, "claude-code", "Add a queue for mails")];
  const home: Home = { name: "shop", branch: null, totals, recent, told: [] };
  const named = { ...SCREEN, program: "mementor -C ../shop" };
  const [, after = ""] = renderHome(home, named).split("\nTry\n");
  expect(after.match(/^ {2}mementor -C \.\.\/shop (?:search|show|resume) /gm)).toHaveLength(3);
  expect(renderHome(home, named)).toContain('"mementor -C ../shop told" shows each recall');
  expect(renderHome({ ...home, recent: [] }, named)).not.toMatch(/mementor (?:ingest|status|doctor)/);
});
