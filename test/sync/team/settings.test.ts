import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MementorError } from "../../../src/errors.ts";
import type { Sharing, TeamServer } from "../../../src/store/team.ts";
import { batch, openStore, tempDir, turn } from "../../store/builders.ts";
import { ALL, Machine, NO_EXCLUSIONS } from "./machine.ts";
import { MemoryServer } from "./memory-server.ts";

const SECRET = "AKIAQ3EGRIMPVALUE7Z2";

const TURNS = [
  turn(0, "[User] plain", { promptUuid: "plain" }),
  turn(1, "[User] branch", { promptUuid: "branch", branch: "feat/tea" }),
  turn(2, "[User] subagent", { promptUuid: "subagent", agentId: "a" }),
  turn(3, "[User] open", { promptUuid: "open", provisional: true }),
  turn(4, "[User] summary", { promptUuid: "summary", role: "compaction_summary" }),
  turn(5, "[User] path", {
    promptUuid: "path",
    mentions: [{ filePath: "secrets/a.txt", toolName: "Read" }],
  }),
];

async function fates(sharing: Partial<Sharing>, isPathExcluded = (_: string) => false) {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  await store.ingest.write(batch(TURNS));
  await store.ingest.write({
    ...batch([turn(9, "[User] imported", { promptUuid: "imported", sessionId: "s2" })]),
    foreignOrigin: "elsewhere",
  });
  const found = await store.team.fates({ ...ALL, ...sharing }, { ...NO_EXCLUSIONS, isPathExcluded }, 0, 100);
  await store.close();
  return found.map(({ fate }) => fate);
}

test("finished turns of main conversations are shared, and nothing else", async () => {
  expect(await fates({}, (path) => path.startsWith("secrets/"))).toEqual([
    "wanted",
    "wanted",
    "subagent",
    "provisional",
    "summary",
    "excluded",
    "imported",
  ]);
});

test("rules choose by branch, time and mark, and take subagents in", async () => {
  expect((await fates({ branches: ["feat/*"] })).slice(0, 2)).toEqual(["branch", "wanted"]);
  expect((await fates({ since: "2026-01-01T00:01:00.000Z" })).slice(0, 2)).toEqual(["before", "wanted"]);
  expect((await fates({ onlyMarked: true })).slice(0, 2)).toEqual(["unmarked", "unmarked"]);
  expect((await fates({ subagents: true }))[2]).toBe("wanted");
});

test("a secret that is found later leaves every machine: the cleaned turn takes its place", async () => {
  using dir = tempDir();
  const server = new MemoryServer([], 10);
  const ada = new Machine(dir.path, "ada", "ada", server.as("ada"));
  const bob = new Machine(dir.path, "bob", "bob", server.as("bob"));
  for (const each of [ada, bob]) await each.start();
  await ada.write("p1", "the key is here");
  for (const each of [ada, bob]) await each.sync();
  // As an older version stored it, with rules that did not know this form.
  const db = new Database(join(dir.path, "ada.db"));
  db.run("UPDATE turns SET full_text = full_text || ?", [` ${SECRET}`]);
  db.close();
  expect(ada.rows().map(({ text }) => text.includes(SECRET))).toEqual([true]);
  for (const each of [ada, bob]) await each.sync();
  expect(bob.rows().map(({ text }) => text)).toEqual([expect.stringContaining("the key is here [redacted:")]);
});

/** Two machines of two members, and what the server of the first refuses. */
class Pair {
  readonly server = new MemoryServer([], 10);
  readonly ada: Machine;
  readonly bob: Machine;
  /** The texts that were sent, and those that a full server refuses. */
  sent: string[] = [];
  isFull: (text: string) => boolean = () => false;

  constructor(directory: string) {
    const real = this.server.as("ada");
    const push: TeamServer["push"] = async (device, from, changes) => {
      const texts = changes.flatMap(({ turn }) => (turn === null ? [] : [turn.text]));
      this.sent.push(...texts);
      if (texts.some(this.isFull)) throw new MementorError("server_full", "the quota is used up");
      return real.push(device, from, changes);
    };
    this.ada = new Machine(directory, "ada", "ada", { ...real, push });
    this.bob = new Machine(directory, "bob", "bob", this.server.as("bob"));
  }

  async start(): Promise<void> {
    for (const each of [this.ada, this.bob]) await each.start();
  }

  async sync(): Promise<void> {
    for (const each of [this.ada, this.bob]) await each.sync();
  }

  seenByBob(): string[] {
    return this.bob.rows().map(({ text }) => text.split("[Assistant] ")[1] ?? "");
  }
}

test("a server without room takes removals and what replaces turns, and new turns when there is room", async () => {
  using dir = tempDir();
  const pair = new Pair(dir.path);
  const { ada } = pair;
  await pair.start();
  await ada.write("p1", "one");
  await ada.write("p2", "two");
  await pair.sync();
  expect(pair.seenByBob()).toEqual(["one", "two"]);

  pair.isFull = (text) => /three|four/.test(text);
  await ada.write("p3", "three");
  expect(await ada.sync()).toBe("full");
  await ada.write("p4", "four");
  await ada.write("p2", "changed");
  await ada.forget("p1");
  expect(await ada.sync()).toBe("full");
  await pair.bob.sync();
  expect(pair.seenByBob()).toEqual(["changed"]);

  pair.isFull = () => false;
  await pair.sync();
  expect(pair.seenByBob()).toEqual(["changed", "three", "four"]);
});

test("a removal that was pulled is told though the push fails", async () => {
  using dir = tempDir();
  const pair = new Pair(dir.path);
  const { ada, bob } = pair;
  await pair.start();
  await bob.write("p1", "one");
  for (const each of [bob, ada]) await each.sync();
  await bob.unshare("p1");
  await bob.sync();
  pair.isFull = () => true;
  await ada.write("p2", "two");
  expect(await ada.sync()).toBe("full");
  expect({ rows: ada.rows().map(({ id }) => id), removals: ada.removals }).toEqual({
    rows: ["p2"],
    removals: 1,
  });
});

test("a restored memory learns what it unshared, and does not send it again", async () => {
  using dir = tempDir();
  const pair = new Pair(dir.path);
  const { ada } = pair;
  await pair.start();
  await ada.write("p1", "one");
  await ada.write("p2", "two");
  await pair.sync();
  await ada.backUp();
  await ada.unshare("p1");
  await pair.sync();
  expect(pair.seenByBob()).toEqual(["two"]);

  await ada.restore();
  pair.sent = [];
  await pair.sync();
  expect(pair.sent.map((text) => text.split("[Assistant] ")[1])).toEqual(["two"]);
  expect(ada.rows().map(({ id, shared }) => [id, shared])).toEqual([
    ["p1", false],
    ["p2", true],
  ]);
  expect(pair.seenByBob()).toEqual(["two"]);
});

test("what one device pruned stays with the team, also when another one sends it again", async () => {
  using dir = tempDir();
  const server = new MemoryServer([], 10);
  const laptop = new Machine(dir.path, "laptop", "ada", server.as("ada"));
  const desk = new Machine(dir.path, "desk", "ada", server.as("ada"));
  const bob = new Machine(dir.path, "bob", "bob", server.as("bob"));
  for (const each of [laptop, desk, bob]) await each.start();
  await laptop.write("p1", "one");
  for (const each of [laptop, desk, bob]) await each.sync();
  await desk.prune("p1");
  await laptop.write("p1", "changed");
  for (const each of [laptop, desk, bob, laptop]) await each.sync();
  expect([laptop, desk, bob].map((each) => each.rows().map(({ text, shared }) => [text, shared]))).toEqual([
    [["[User] p1\n\n[Assistant] changed", true]],
    [],
    [["[User] p1\n\n[Assistant] changed", true]],
  ]);
});

describe("the last turn of a session", () => {
  const SAID = "2026-01-01T00:10:00.000Z";
  const LATER = "2026-01-01T01:00:00.000Z";
  const AFTER = "2026-01-01T01:00:00.001Z";

  test("is shared when nothing was said in it for a while, and again when it went on", async () => {
    await using session = await lastTurn();
    await session.says("[User] decide", SAID);
    expect(await session.sent(SAID)).toEqual({ waiting: 0, sent: [] });
    expect(await session.sent("2026-01-01T00:10:00.001Z")).toEqual({ waiting: 1, sent: ["[User] decide"] });
    await session.says("[User] decide\n\n[Assistant] SQLite", LATER);
    expect(await session.sent(LATER)).toEqual({ waiting: 1, sent: [] });
    expect(await session.sent(AFTER)).toEqual({ waiting: 2, sent: ["[User] decide\n\n[Assistant] SQLite"] });
  });

  test("is shared at once when the session ended", async () => {
    await using session = await lastTurn();
    await session.says("[User] decide", SAID);
    await session.hears("stop", SAID);
    expect(await session.sent(SAID)).toEqual({ waiting: 0, sent: [] });
    await session.hears("session-end", SAID);
    expect(await session.sent(SAID)).toEqual({ waiting: 1, sent: ["[User] decide"] });
    await session.says("[User] decide\n\n[Assistant] SQLite", LATER);
    expect(await session.sent(SAID)).toEqual({ waiting: 1, sent: [] });
  });
});

/** A session of one turn, of a member who shares. */
async function lastTurn() {
  const dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  await store.team.join({ project: "shop", author: "ada" });
  await store.team.share(ALL);
  const written = (text: string, endedAt: string) =>
    turn(3, text, { promptUuid: "last", provisional: true, endedAt });
  return {
    says: (text: string, endedAt: string) => store.ingest.write(batch([written(text, endedAt)])),
    hears: (event: string, time: string) =>
      store.journal.recordHookCall({
        ...{ sessionId: written("", time).sessionId, event, time, decision: "queued", durationMs: 1 },
      }),
    /** What a sync would send that takes sessions for open which speak since a time. */
    sent: async (openSince: string) => {
      const exclusions = { ...NO_EXCLUSIONS, openSince };
      const { waiting } = await store.team.counts(openSince);
      while (await store.team.noteChanges(exclusions));
      const changes = await store.team.outgoing(0, Number.MAX_SAFE_INTEGER, exclusions);
      const sent = changes.filter(({ kind }) => kind === "put").map((change) => change.turn?.text);
      return { waiting, sent };
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      dir[Symbol.dispose]();
    },
  };
}
