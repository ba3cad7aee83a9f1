import { expect, test } from "bun:test";
import type { SqliteStore } from "../../../src/store/sqlite/sqlite.ts";
import { newKey } from "../../../src/sync/folder/key.ts";
import { batch, embedAll, tempDir, turn, vectorOf } from "../../store/builders.ts";
import { ALL, NO_EXCLUSIONS } from "../team/machine.ts";
import { Cloud } from "./cloud.ts";
import { Device } from "./device.ts";

/** Two devices, of which the first has read what `fill` writes; both are in step. */
async function afterSync(directory: string, fill: (store: SqliteStore) => Promise<void>, given = {}) {
  const key = newKey();
  const cloud = new Cloud();
  const [laptop, desk] = [new Device(directory, "laptop", key), new Device(directory, "desk", key)];
  const sync = async (device: Device) => {
    cloud.download(device.replica);
    const result = await device.sync(undefined, given);
    cloud.upload(device.replica);
    return result;
  };
  for (const each of [laptop, desk]) await each.start();
  await laptop.work(fill);
  for (const each of [laptop, desk, laptop]) await sync(each);
  return { laptop, desk, sync };
}

const ids = (device: Device) => device.rows().map(({ id }) => id);

test("a turn brings its session, subagent, files, commits, pull requests, errors and vectors", async () => {
  using dir = tempDir();
  const { desk } = await afterSync(dir.path, async (store) => {
    const said = turn(0, '[User] tea\n\n[Assistant] poured\n\n[Tools] Bash(cmd="pour")\n\n[Errors] spilt', {
      ...{ promptUuid: "main", toolSummary: ['Bash(cmd="pour")'] },
      mentions: [
        { filePath: "src/tea.ts", toolName: "Edit" },
        { filePath: "/etc/passwd", toolName: "Read" },
      ],
      commits: [{ hash: "abcdef1", message: "Pour tea" }],
    });
    const helper = turn(1, "[User] look", {
      promptUuid: "helper",
      agentId: "a1",
      isSidechain: true,
      origin: "subagent",
    });
    await store.ingest.write(
      batch([said, helper], {
        sessions: [
          {
            ...{ sessionId: "s1", client: "claude-code", projectDir: "/home/ada/shop", title: "Tea time" },
            ...{ titleSource: "ai-title", firstPrompt: "tea", automated: false, branch: "main" },
            ...{ startedAt: null, endedAt: null },
          },
        ],
        subagents: [{ sessionId: "s1", agentId: "a1", agentType: "explore", task: "look around" }],
        prLinks: [
          ...[
            {
              sessionId: "s1",
              prNumber: 7,
              prUrl: "https://git.example/7",
              prRepository: "shop",
              timestamp: null,
            },
          ],
        ],
      }),
    );
    await embedAll(store);
  });
  await desk.work(async (store) => {
    const [session] = (await store.browse.sessions({}, { limit: 5 })).sessions;
    expect(session).toMatchObject({
      title: "Tea time",
      projectDir: null,
      turns: 2,
      author: null,
      device: "laptop",
    });
    const turns = await store.search.turns(desk.rows().map(({ turnId }) => turnId));
    expect(
      turns.map(({ agentId, origin, device, foreign }) => ({ agentId, origin, device, foreign })),
    ).toEqual([
      { agentId: "a1", origin: "subagent", device: "laptop", foreign: null },
      { agentId: null, origin: "human", device: "laptop", foreign: null },
    ]);
    const main = turns.find(({ agentId }) => agentId === null);
    expect(main?.toolSummary).toEqual(['Bash(cmd="pour")']);
    expect(await store.browse.commits({ limit: 5 })).toMatchObject([{ hash: "abcdef1" }]);
    expect(await store.browse.prs({ limit: 5 })).toMatchObject([{ prNumber: 7 }]);
    expect((await store.browse.commits({ limit: 5 })).map(({ device }) => device)).toEqual(["laptop"]);
    expect((await store.browse.files({ limit: 5 })).map(({ path, device }) => ({ path, device }))).toEqual([
      { path: "src/tea.ts", device: "laptop" },
    ]);
    expect((await store.browse.fileHistory("src/tea.ts", { limit: 5 })).map(({ device }) => device)).toEqual([
      "laptop",
    ]);
    const pending = await store.ingest.pendingChunks(10);
    expect(pending).toEqual([]);
    const [near] = await store.search.nearestChunks(vectorOf("poured"), 1);
    expect(near?.turnId).toBe(main?.turnId);
  });
});

test("what was imported, is excluded, quotes others or is still open stays", async () => {
  using dir = tempDir();
  const { desk, laptop } = await afterSync(
    dir.path,
    async (store) => {
      const turns = [
        turn(0, "[User] plain <private>marzipan</private>", { promptUuid: "plain" }),
        turn(1, "[User] path", {
          promptUuid: "path",
          mentions: [{ filePath: "secrets/a", toolName: "Read" }],
        }),
        turn(2, "[User] summary", { promptUuid: "summary", role: "compaction_summary" }),
        turn(3, "[User] open", {
          promptUuid: "open",
          provisional: true,
          createdAt: "2026-03-01T11:59:00.000Z",
        }),
      ];
      await store.ingest.write(batch(turns));
      const imported = batch([turn(9, "[User] imported", { promptUuid: "imported", sessionId: "s2" })]);
      await store.ingest.write({ ...imported, foreignOrigin: "elsewhere" });
    },
    {
      exclusions: {
        isPathExcluded: (path: string) => path.startsWith("secrets/"),
        isProjectExcluded: false,
        openSince: "2026-03-01T11:30:00.000Z",
      },
    },
  );
  expect(ids(desk)).toEqual(["plain"]);
  expect(desk.rows()[0]?.text).not.toContain("marzipan");
  // The status of the sync says what the user would look for elsewhere.
  await laptop.work(async ({ folder }) =>
    expect(await folder.counts("2026-03-01T11:30:00.000Z")).toMatchObject({ put: 1, summaries: 1 }),
  );
});

test("an answer marked bad on one device is not told on the other, until the mark is taken back", async () => {
  using dir = tempDir();
  const { laptop, desk, sync } = await afterSync(dir.path, async (store) => {
    await store.ingest.write(batch([turn(0, "[User] tea", { promptUuid: "p1" })]));
  });
  const turnId = laptop.rows()[0]?.turnId ?? 0;
  await laptop.work(async ({ journal, marks }) => {
    await journal.recordHookCall({
      ...{ sessionId: "s9", event: "user-prompt-submit", decision: "told", durationMs: 9 },
      ...{ time: "2026-03-01T12:00:00.000Z", prompt: "which tea do we drink", answer: "tea" },
      turns: [{ turnId, passage: "tea" }],
    });
    await marks.markAnswer(1, [turnId], "bad");
  });
  for (const each of [laptop, desk]) await sync(each);
  const there = desk.rows()[0]?.turnId ?? 0;
  expect(await desk.work(({ marks }) => marks.bad())).toEqual([
    { turnId: there, prompt: "which tea do we drink", subject: null, vector: null, model: "test-model" },
  ]);
  expect(await desk.work(({ marks }) => marks.marksOf(there))).toEqual(["bad"]);
  expect(await desk.work(({ marks }) => marks.answerMarks())).toMatchObject([
    { answerId: null, turnId: there, kind: "bad", prompt: "which tea do we drink", subject: null },
  ]);
  await laptop.work(({ marks }) => marks.unmarkAnswer(1, [turnId], "bad"));
  for (const each of [laptop, desk]) await sync(each);
  expect(await desk.work(({ marks }) => marks.bad())).toEqual([]);
});

test("machines of one name are kept apart by the start of their ids, on each of them, until one is renamed", async () => {
  using dir = tempDir();
  const key = newKey();
  const cloud = new Cloud();
  const ids = ["aaaa000000000000", "bbbb000000000000", "cccc000000000000"];
  const names = ["laptop", "laptop", "desk"];
  const devices = ids.map((id) => new Device(dir.path, id, key));
  const sync = async (at: number) => {
    const device = devices[at] as Device;
    cloud.download(device.replica);
    await device.sync(undefined, { device: { id: ids[at] ?? "", name: names[at] ?? "" } });
    cloud.upload(device.replica);
  };
  const shown = async (at: number) => {
    const listed = await devices[at]?.work(({ browse }) => browse.sessions({}, { limit: 5 }));
    return listed?.sessions.map(({ device }) => device ?? "").sort();
  };
  for (const each of devices) await each.start();
  await devices[0]?.write("p1", "tea");
  await devices[1]?.write("p2", "milk");
  for (const at of [0, 1, 2, 0, 1, 2]) await sync(at);
  expect(await shown(0)).toEqual(["", "laptop (bbbb00)"]);
  expect(await shown(1)).toEqual(["", "laptop (aaaa00)"]);
  expect(await shown(2)).toEqual(["laptop (aaaa00)", "laptop (bbbb00)"]);
  names[1] = "tablet";
  for (const at of [1, 0, 2]) await sync(at);
  expect(await shown(2)).toEqual(["laptop", "tablet"]);
});

test("only the device where a turn was said shares it with a team, and leaving the team takes nothing of one's own", async () => {
  using dir = tempDir();
  const { laptop, desk } = await afterSync(dir.path, async (store) => {
    await store.ingest.write(batch([turn(0, "[User] tea", { promptUuid: "p1" })]));
  });
  const fates = async (device: Device) =>
    device.work(async ({ team }) => {
      await team.join({ project: "shop", author: "ada" });
      await team.share(ALL);
      return (await team.fates(ALL, NO_EXCLUSIONS, 0, 10)).map(({ fate }) => fate);
    });
  expect(await fates(laptop)).toEqual(["wanted"]);
  expect(await fates(desk)).toEqual([]);
  await desk.work(async ({ team }) => {
    while (await team.noteChanges(NO_EXCLUSIONS));
    expect(await team.outgoing(0, 100, NO_EXCLUSIONS)).toEqual([]);
    expect((await team.counts("")).shared).toBe(0);
    // The team brings the same turn: it is one, and stays when the team goes.
    const [change] = await laptop.work(async (store) => {
      while (await store.team.noteChanges(NO_EXCLUSIONS));
      return store.team.outgoing(0, 100, NO_EXCLUSIONS);
    });
    if (change === undefined) throw new Error("nothing was shared");
    const device = { author: "ada", deviceId: "other" };
    await team.apply(device, [{ ...change, target: "ada" }], { from: null, until: null, maxTurns: 100 });
    expect(ids(desk)).toEqual(["p1"]);
    await team.leave();
  });
  expect(ids(desk)).toEqual(["p1"]);
});

test("what one device pruned stays in the folder for others, over a new key, too", async () => {
  using dir = tempDir();
  const { laptop, sync } = await afterSync(dir.path, async () => {});
  await laptop.write("p1", "tea");
  await laptop.write("p2", "milk");
  await sync(laptop);
  await laptop.prune("p1");
  laptop.formerKeys = [laptop.key];
  laptop.key = newKey();
  await laptop.forget("p2");
  await sync(laptop);
  expect(ids(laptop)).toEqual([]);
  expect(await laptop.put()).toContain("tea");
  expect(await laptop.put()).not.toContain("milk");
});

test("a secret that one device takes out goes from the device that put it, whose rules do not know it", async () => {
  using dir = tempDir();
  const { laptop, desk, sync } = await afterSync(dir.path, async () => {});
  await laptop.write("p1", "the word is marzipan");
  for (const each of [laptop, desk]) await sync(each);
  // As newer rules would, which the laptop's program does not have.
  desk.edit("marzipan", "[redacted]");
  for (const each of [desk, laptop, desk, laptop]) await sync(each);
  for (const each of [laptop, desk]) {
    expect(each.rows().map(({ text }) => text)).toEqual(["[User] p1\n\n[Assistant] the word is [redacted]"]);
    expect(await each.put()).not.toContain("marzipan");
  }
  expect((await laptop.bytes()).includes("marzipan")).toBe(false);
});

test("many small segments become one, and readers take nothing twice", async () => {
  using dir = tempDir();
  const { laptop, desk, sync } = await afterSync(dir.path, async () => {});
  for (let i = 0; i < 12; i++) {
    await laptop.write(`p${i}`, "tea");
    await sync(laptop);
    if (i % 4 === 0) await sync(desk);
  }
  const segments = await laptop.work(({ folder }) => folder.segments());
  expect(segments.length).toBeLessThan(8);
  expect(segments.reduce((sum, { live }) => sum + live, 0)).toBe(12);
  expect(await sync(desk)).toMatchObject({ added: 3, updated: 0 });
  expect(ids(desk)).toHaveLength(12);
});
