import { describe, expect, test } from "bun:test";
import {
  renderTeamStatus,
  type TeamStatus,
  teamLine,
} from "../../../../src/cli/commands/team/member-text.ts";

const NOW = new Date("2026-03-04T12:00:00Z");
const SYNCED = {
  ...{ succeededAt: "2026-03-04T11:58:00Z", triedAt: "2026-03-04T11:58:00Z", failures: 0, problem: null },
  ...{ pushed: 1, pulled: 2, removed: 0 },
};
const problem = { code: "server_full", message: "the quota is used up", hint: "Ask for more." };
const FAILED = { ...SYNCED, triedAt: "2026-03-04T11:59:00Z", failures: 1, problem };

const STATUS: TeamStatus = {
  project: "shop",
  server: "postgres://ada@db.acme.example/memory",
  author: "ada",
  sharing: { since: null, branches: [], onlyMarked: false, subagents: false },
  shared: 12,
  waiting: 1,
  pulled: [
    { author: "bob", turns: 3, isFormer: false },
    { author: "carl", turns: 2, isFormer: true },
    { author: null, turns: 1, isFormer: false },
  ],
  removals: 0,
  hidden: 1,
  lastSync: SYNCED,
  quota: {
    ...{ id: 1, name: "shop", author: "ada", isAdmin: true },
    ...{ usedBytes: 1_240_000, maxBytes: 2_000_000_000, usedRows: 1_234, maxRows: 10_000_000 },
  },
  problem: null,
};

describe("the team of a memory", () => {
  test("is shown with all that there is to say", () => {
    expect(renderTeamStatus(STATUS, NOW)).toBe(`Project      shop on postgres://ada@db.acme.example/memory
You          ada, admin
Sharing      on: all turns, without those of subagents
Shared       12 turns; 1 change waits
From others  bob: 3 turns
             carl, no longer a member: 2 turns
             your other devices: 1 turn
Hidden       1 turn
Quota        1.2 MB of 2.0 GB, 1,234 of 10,000,000 rows
Last sync    2 minutes ago
`);
  });

  test("before anything happened, with a server that does not answer", () => {
    const unreachable = { message: "the server cannot be reached", hint: null };
    expect(
      renderTeamStatus(
        {
          ...STATUS,
          ...{ author: null, sharing: null, shared: 0, waiting: 0, pulled: [], hidden: 0 },
          ...{ lastSync: null, quota: null, problem: unreachable },
        },
        NOW,
      ),
    ).toBe(`Project      shop on postgres://ada@db.acme.example/memory
You          unknown
Sharing      off
Shared       0 turns
From others  nothing yet
Last sync    never
Problem      the server cannot be reached.
`);
  });

  test("is shown with why its last sync failed", () => {
    const text = renderTeamStatus({ ...STATUS, lastSync: FAILED }, NOW);
    expect(text).toEndWith("Last sync    2 minutes ago\nProblem      the quota is used up. Ask for more.\n");
  });
});

test.each([
  [{ waiting: 0, lastSync: SYNCED }, "shop as ada: synced 2 minutes ago"],
  [
    { waiting: 0, lastSync: SYNCED, isSyncing: true },
    "shop as ada: synced 2 minutes ago; a sync is under way",
  ],
  [{ waiting: 2, lastSync: null }, "shop as ada: synced never; 2 changes wait"],
  [
    { waiting: 1, lastSync: FAILED },
    "shop as ada: not synced; 1 change waits: the quota is used up. Ask for more.",
  ],
])("the line of `mementor status`: %p", (facts, expected) => {
  expect(teamLine({ project: "shop", author: "ada", isSyncing: false, ...facts }, NOW)).toBe(expected);
});
