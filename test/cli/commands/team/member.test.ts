import { describe, expect, test } from "bun:test";
import {
  type JoinResult,
  renderJoined,
  renderLeaving,
  renderLeft,
  renderRules,
  renderSharingOff,
  renderSharingOn,
  renderSharingPlan,
  renderSynced,
  renderSyncProblem,
  renderUnshared,
  renderUnsharing,
} from "../../../../src/cli/commands/team/member-text.ts";
import { MementorError } from "../../../../src/errors.ts";

const ALL = { since: null, branches: [], onlyMarked: false, subagents: false };

describe("joining", () => {
  const JOINED: JoinResult = {
    ...{ project: "shop", author: "ada", server: "postgres://ada@db.acme.example/memory" },
    ...{ pulled: 3, shared: 0, sharing: null, isSynced: true, isNew: false },
  };
  const PLACE = `This memory is ada's part of "shop" on postgres://ada@db.acme.example/memory.\n`;
  const NEXT = "To preview it:  mementor team preview\nTo share it:    mementor team share on\n";

  test.each<[string, Partial<JoinResult>, string]>([
    ["the first time", {}, `3 turns came from the team.\n\nNothing of yours is shared yet.\n${NEXT}`],
    [
      "an empty project",
      { pulled: 0 },
      `Nothing new came from the team.\n\nNothing of yours is shared yet.\n${NEXT}`,
    ],
    [
      "again, after a leave",
      { pulled: 1, shared: 2 },
      `1 turn came from the team.\n\n2 turns of yours are with the team already; no more is shared.\n${NEXT}`,
    ],
    [
      "again, while sharing",
      { pulled: 0, shared: 1, sharing: ALL },
      "Nothing new came from the team.\n\n1 turn of yours is with the team already, and sharing is on: all turns, without those of subagents.\n",
    ],
    ["without a server", { pulled: 0, isSynced: false }, `\nNothing of yours is shared yet.\n${NEXT}`],
    [
      "before enable",
      { isNew: true },
      `3 turns came from the team.\nThe hooks, which fetch and tell what others share, are not installed: mementor enable\n\nNothing of yours is shared yet.\n${NEXT}`,
    ],
  ])("%s", (_, facts, expected) => {
    expect(renderJoined({ ...JOINED, ...facts })).toBe(PLACE + expected);
  });
});

describe("sharing", () => {
  test("says what will go, what stays, and by which rules", () => {
    const found = { leaving: [1, 2, 3], shared: 1, staying: { muted: 1, subagent: 4 } };
    const plan = { sharing: ALL, project: "shop", isKept: false };
    expect(renderSharingPlan(found, plan)).toBe(`2 turns will go to "shop", where 1 turn is already.
Rules: all turns, without those of subagents
These stay here: 1 turn muted or taken back, 4 turns of subagents.
Turn by turn: mementor team preview
`);
    const some = { ...plan, sharing: { ...ALL, onlyMarked: true }, isKept: true };
    expect(renderSharingPlan({ leaving: [1], shared: 0, staying: {} }, some)).toBe(
      `1 turn will go to "shop".
Rules: only turns that are pinned or marked good, without those of subagents (as before; to drop them, switch sharing off and on)
Turn by turn: mementor team preview
`,
    );
  });

  test("names its rules", () => {
    const since = "2026-02-03T10:00:00Z";
    expect(renderRules({ since, branches: ["feat/*", "main"], onlyMarked: true, subagents: true })).toBe(
      "only turns that are pinned or marked good, of branches feat/*, main, since 2026-02-03, with those of subagents",
    );
  });

  test.each([
    [{ pushed: 3, waiting: 0 }, "3 turns went to the team."],
    [{ pushed: 1, waiting: 1 }, "1 turn went to the team; 1 change follows with the next sync."],
    [{ pushed: 0, waiting: 2 }, "0 turns went to the team; 2 changes follow with the next sync."],
  ])("switched on: %p", (done, said) => {
    expect(renderSharingOn(done)).toBe(
      `Sharing is on. ${said} To remove something from it: mementor team unshare <turn|session|path>\n`,
    );
  });

  test.each([
    [0, ""],
    [1, ' 1 turn of yours is still with the team: see "mementor team unshare".'],
    [2, ' 2 turns of yours are still with the team: see "mementor team unshare".'],
  ])("switched off, with %p turns shared", (shared, said) => {
    expect(renderSharingOff(shared)).toBe(`Sharing is off: nothing more leaves this machine.${said}\n`);
  });
});

describe("a sync", () => {
  test.each([
    [{ pushed: 1, added: 0, updated: 0, removed: 0 }, 0, "Synced: sent 1 change, got 0 new turns.\n"],
    [
      { pushed: 0, added: 1, updated: 2, removed: 3 },
      1,
      "Synced: sent 0 changes, got 1 new turn, 2 turns changed, 3 turns removed, 1 change waits.\n",
    ],
  ])("%p, %p waiting", (result, waiting, expected) => {
    expect(renderSynced(result, waiting)).toBe(expected);
  });

  test("that failed is tried again", () => {
    const error = new MementorError("server_full", "the quota is used up", { hint: "Ask for more." });
    expect(renderSyncProblem(error)).toBe(
      "Not synced: the quota is used up. Ask for more.\nThe background worker tries again; nothing is lost.\n",
    );
  });
});

describe("taking back", () => {
  const everywhere =
    "will be removed from the team's database, and from every member's machine at its next sync, and cannot be shared again.";

  test("says what will happen", () => {
    expect(renderUnsharing(1, 0)).toBe(`1 turn ${everywhere} Your own memory keeps what it has.\n`);
    expect(renderUnsharing(0, 2)).toBe(`2 turns of a colleague ${everywhere}\n`);
  });

  test("says what happened", () => {
    expect(renderUnshared({ turns: 1, isSynced: true })).toBe("Removed 1 turn from the team.\n");
    expect(renderUnshared({ turns: 2, isSynced: false })).toBe(
      "2 turns will be removed as soon as the server is reached.\n",
    );
  });
});

describe("leaving", () => {
  test("says what will go", () => {
    const plan = { project: "shop", pulled: 3, shared: 1 };
    const expected =
      'You leave "shop". 3 turns from the team will be removed from this machine.\n1 turn of yours is with the team.\n';
    expect(renderLeaving({ ...plan, removals: 0 })).toBe(expected);
    expect(renderLeaving({ ...plan, removals: 2 })).toBe(
      `${expected}2 turns that you unshared or forgot are removed from the team first.\n`,
    );
  });

  test.each([
    [{ erased: true, shared: 0, rewritten: true }, " Your own turns were removed from the team.\n"],
    [{ erased: false, shared: 0, rewritten: true }, "\n"],
    [{ erased: false, shared: 1, rewritten: true }, " 1 turn of yours stays with the team.\n"],
    [
      { erased: false, shared: 2, rewritten: false },
      " 2 turns of yours stay with the team.\nAnother process reads the database: the removed bytes are erased when it ends, or with mementor forget --finish.\n",
    ],
  ])("%p", (done, expected) => {
    expect(renderLeft({ project: "shop", removed: 3, ...done })).toBe(
      `Left "shop": 3 turns from the team removed.${expected}`,
    );
  });
});
