import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProject } from "../../src/git/project.ts";
import { enableProject } from "../../src/project/enable.ts";
import { hookEntries } from "../../src/project/hook-entries.ts";
import { collectStatus, type StatusDatabase } from "../../src/project/status.ts";
import type { HookCallFacts } from "../../src/store/journal.ts";

let dir = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "mementor-status-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const call = {
  event: "stop",
  decision: "queued",
  durationMs: 4,
  time: "2026-01-02T03:04:05Z",
  sessionId: "s",
};
const database: StatusDatabase = {
  totals: async () => ({ sessions: 1, turns: 2, notes: 0, chunks: 3, pendingChunks: 1 }),
  vectors: async () => ({ first: { pending: 0, total: 2 }, rest: { pending: 1, total: 1 } }),
  status: {
    lastIngest: async () => "2026-01-02T03:04:05Z",
    sessionPlaces: async () => [],
    skippedLines: async () => ({ progress: 7 }),
    lastHookCalls: async () => [call],
    lastTold: async () => ({ ...call, decision: "told", time: "2026-01-01T00:00:00Z" }),
  },
  reading: async () => ({ read: 1, total: 2 }),
  model: async () => ({ id: "tiny", isCalibrated: false, next: { id: "other", pending: 3 } }),
  team: async () => ({ project: "shop", author: "ada", waiting: 2, lastSync: null, isSyncing: false }),
  folder: async () => null,
};
const request = (openDatabase: () => Promise<StatusDatabase>) => ({
  project: findProject(dir),
  claudeDir: join(dir, "claude"),
  configDir: join(dir, "config"),
  dataDir: join(dir, "data"),
  self: ["/opt/mementor"],
  platform: "linux" as const,
  databaseFile: join(dir, "mementor.db"),
  openDatabase,
  queued: 2,
  isPaused: false,
  agents: [],
  servers: [],
  notedCalls: [] as HookCallFacts[],
});

test("describes a project that is not enabled", async () => {
  const status = await collectStatus(request(() => Promise.reject(new Error("not to be called"))));
  expect(status).toMatchObject({
    project: { root: dir, worktreeRoot: dir, kind: "directory", branch: null },
    trust: "off",
    database: null,
    queued: 2,
    isPaused: false,
    agents: [],
    servers: [],
    neverCalled: false,
  });
  expect(status.hooks.map(({ scope, exists, events }) => [scope, exists, events])).toEqual([
    ["user", false, []],
    ["project", false, []],
    ["local", false, []],
  ]);
});

test("describes an enabled project, and survives a database that cannot be read", async () => {
  enableProject({
    ...request(async () => database),
    scope: "local",
    leave: { rules: [], files: [], tracked: [] },
    adopt: false,
    now: new Date(0),
  });
  writeFileSync(join(dir, "mementor.db"), "12345");
  const content = { ...(await database.totals()), lastIngest: call.time, skippedLines: { progress: 7 } };
  const file = join(dir, "mementor.db");
  const status = await collectStatus(request(async () => database));
  expect(status).toMatchObject({ trust: "trusted", neverCalled: false });
  expect(status.database).toEqual({
    file,
    bytes: 5,
    content: {
      ...content,
      hookCalls: [call],
      lastTold: await database.status.lastTold(),
      vectors: await database.vectors(),
      reading: await database.reading(),
      model: await database.model(),
      team: await database.team(),
      folder: null,
    },
    problem: null,
  });
  expect(status.hooks[2]).toMatchObject({
    events: hookEntries().map(({ event }) => event),
    missing: [],
    outdated: [],
  });
  const [older, newer] = [
    { ...call, event: "session-start" },
    { ...call, event: "user-prompt-submit" },
  ];
  const waiting = await collectStatus({ ...request(async () => database), notedCalls: [older, newer] });
  expect(waiting.database?.content?.hookCalls).toEqual([newer, older, call]);
  const told = { ...newer, decision: "told" };
  const latest = await collectStatus({ ...request(async () => database), notedCalls: [told, older] });
  expect(latest.database?.content?.lastTold).toEqual(told);
  const broken = await collectStatus(request(() => Promise.reject(new Error("malformed"))));
  expect(broken.database).toEqual({ file, bytes: 5, content: null, problem: "malformed" });
  expect(broken.neverCalled).toBe(true);
});
