import { afterAll, beforeAll, expect, test } from "bun:test";
import { chainHash, hashTurn, removalDigest } from "../../../../src/store/identity.ts";
import { connect } from "../../../../src/store/postgres/client/connect.ts";
import { teamServer } from "../../../../src/store/postgres/postgres.ts";
import type { TeamServer } from "../../../../src/store/team.ts";
import { type OutgoingChange, type Position, START, type TeamTurn } from "../../../../src/store/team.ts";
import { parseText } from "../../../../src/turn/grammar.ts";
import { startTeam, type TestTeam } from "../../../support/postgres/team.ts";
import { Machine } from "../../../sync/team/machine.ts";
import { tempDir, vectorOf } from "../../builders.ts";

const DEVICE = "00000000-0000-4000-8000-000000000001";
const MODEL = { id: "test-model", dimensions: 32 };

let team: TestTeam;
let projects = 0;
const opened: TeamServer[] = [];

beforeAll(async () => {
  team = await startTeam();
});
afterAll(async () => {
  await Promise.all(opened.map((server) => server.close()));
  await team[Symbol.asyncDispose]();
});

/** The members of a project of its own. */
async function project(): Promise<(role: string, model?: string) => Promise<TeamServer>> {
  const id = await team.addProject(`shop-${projects++}`, ["ada", "bob"], ["grace"]);
  return async (role, model = MODEL.id) => {
    const server = teamServer({
      server: await connect(team.server.urlOf(role), { env: {}, home: "/nowhere" }),
      project: id,
      model,
    });
    opened.push(server);
    return server;
  };
}

function turn(text: string, facts: Partial<TeamTurn> = {}): TeamTurn {
  const { parts } = parseText(text);
  return {
    text,
    parts,
    session: {
      sessionId: "s1",
      client: "claude-code",
      automated: false,
      branch: "main",
      startedAt: "2026-01-01T00:00:00.000Z",
      endedAt: "2026-01-01T00:01:00.000Z",
      opening: {
        title: "Tea",
        titleSource: "ai-title",
        firstPrompt: "make tea",
        links: [
          {
            sessionId: "s1",
            prNumber: 7,
            prUrl: "https://example.org/7",
            prRepository: "a/b",
            timestamp: null,
          },
        ],
      },
    },
    agentId: null,
    subagent: null,
    isSidechain: false,
    origin: "human",
    toolSummary: ["Bash(cmd=\"ls 'x'\")"],
    mentions: [{ filePath: "src/a b.ts", toolName: "Edit" }],
    commits: [{ hash: "0123456789abcdef", message: 'say "hi", {all}' }],
    createdAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:01:00.000Z",
    branch: "main",
    model: "opus",
    clientVersion: "2.0.0",
    promptUuid: "p1",
    chunks: [{ chunkIndex: 0, start: 0, end: text.length, content: text, vector: vectorOf("tea") }],
    vectorModel: MODEL,
    ...facts,
  };
}

const key = (n: number) => new Uint8Array(16).fill(n);

/** Puts (`turn`) and removals of one device, numbered after a position. */
function changes(
  from: Position,
  steps: readonly { n: number; turn?: TeamTurn; target?: string }[],
): OutgoingChange[] {
  let last = from;
  return steps.map(({ n, turn: sent = null, target = null }) => {
    const digest = sent === null ? removalDigest(target, key(n)) : hashTurn(sent);
    last = { number: last.number + 1, chain: chainHash(last.chain, digest) };
    const kind = sent === null ? ("remove" as const) : ("put" as const);
    return { ...last, kind, target, turnKey: key(n), digest, turn: sent };
  });
}

const last = (sent: readonly OutgoingChange[]): Position => sent.at(-1) ?? START;

test("a turn arrives as it was sent", async () => {
  const as = await project();
  const [ada, bob] = [await as("ada"), await as("bob")];
  const sent = turn(`[User] make tea "now"\n\n[Assistant] {done}, 'ok' \\ é 茶`);
  const batch = changes(START, [{ n: 1, turn: sent }]);
  expect(await ada.push(DEVICE, START, batch)).toBe(true);
  expect(await bob.devices()).toEqual([{ author: "ada", deviceId: DEVICE, ...at(batch), isMember: true }]);

  const [pulled, ...rest] = (await bob.pull({ author: "ada", deviceId: DEVICE }, START)) ?? [];
  expect(rest).toEqual([]);
  const vectors = pulled?.turn?.chunks.map(({ vector }) => [...(vector ?? [])]);
  expect(vectors?.flat().map((x) => Number(x.toFixed(2)))).toEqual(
    [...vectorOf("tea")].map((x) => Number(x.toFixed(2))),
  );
  expect(withoutVectors(pulled?.turn)).toEqual(withoutVectors(sent));
  expect(pulled).toMatchObject({ kind: "put", target: "ada", number: 1 });
});

test("a member with another model gets turns without the vectors that mean nothing to it", async () => {
  const as = await project();
  const [ada, bob] = [await as("ada"), await as("bob", "other-model")];
  const sent = turn("[User] make tea");
  expect(await ada.push(DEVICE, START, changes(START, [{ n: 1, turn: sent }]))).toBe(true);
  const [pulled] = (await bob.pull({ author: "ada", deviceId: DEVICE }, START)) ?? [];
  expect(pulled?.turn).toEqual({ ...withoutVectors(sent), vectorModel: null } as TeamTurn);

  const vector = new Float32Array(8).fill(Math.sqrt(1 / 8));
  const other = { id: "other-model", dimensions: 8 };
  const chunks = sent.chunks.map((chunk) => ({ ...chunk, vector }));
  const own = turn("[User] make tea", { chunks, vectorModel: other, promptUuid: "p2" });
  expect(await bob.push(DEVICE, START, changes(START, [{ n: 2, turn: own }]))).toBe(true);
  const [back] = (await ada.pull({ author: "bob", deviceId: DEVICE }, START)) ?? [];
  expect(back?.turn).toMatchObject({ vectorModel: null, chunks: [{ vector: null }] });
  const again = await as("bob", "other-model");
  const [kept] = (await again.pull({ author: "bob", deviceId: DEVICE }, START)) ?? [];
  expect(kept?.turn?.vectorModel).toEqual(other);
});

test("the server says whose devices are those of former members", async () => {
  const as = await project();
  const [ada, bob] = [await as("ada"), await as("bob")];
  await ada.push(DEVICE, START, changes(START, [{ n: 1, turn: turn("[User] one") }]));
  const members = async () => (await bob.devices()).map(({ author, isMember }) => [author, isMember]);
  expect(await members()).toEqual([["ada", true]]);
  await team.admin.unsafe(
    "DELETE FROM mementor.members WHERE role = 'ada' AND project_id = (SELECT max(project_id) FROM mementor.projects)",
  );
  expect(await members()).toEqual([["ada", false]]);
});

test("a batch that comes again changes nothing, and another one with its number is refused", async () => {
  const as = await project();
  const ada = await as("ada");
  const first = changes(START, [{ n: 1, turn: turn("[User] one") }]);
  const other = changes(START, [{ n: 1, turn: turn("[User] two") }]);
  expect(await ada.push(DEVICE, START, first)).toBe(true);
  expect(await ada.push(DEVICE, START, first)).toBe(true);
  expect(await ada.push(DEVICE, START, other)).toBe(false);
  const device = { author: "ada", deviceId: DEVICE };
  expect((await ada.pull(device, START))?.map((change) => change.turn?.text)).toEqual(["[User] one"]);
  expect(await ada.pull(device, last(other))).toBeNull();
  expect(await ada.pull(device, last(first))).toEqual([]);
});

test("a push is prepared again on a server that was restored since", async () => {
  const id = await team.addProject(`shop-${projects++}`, ["ada"], []);
  const real = await connect(team.server.urlOf("ada"), { env: {}, home: "/nowhere" });
  let transactions = 0;
  const restored: typeof real = {
    ...real,
    async transaction(work, options) {
      // The first one has prepared the push; a backup does not know of it.
      if (++transactions === 2)
        await team.admin.unsafe(`DELETE FROM mementor.reserved_ids WHERE project_id = ${id}`);
      return real.transaction(work, options);
    },
  };
  const ada = teamServer({ server: restored, project: id, model: MODEL.id });
  opened.push(ada);
  const sent = changes(START, [{ n: 1, turn: turn("[User] one") }]);
  expect(await ada.push(DEVICE, START, sent)).toBe(true);
  expect(transactions).toBe(4);
  const pulled = await ada.pull({ author: "ada", deviceId: DEVICE }, START);
  expect(pulled?.map((change) => change.turn?.text)).toEqual(["[User] one"]);
});

test("a later change of a turn takes its place under the same id", async () => {
  const as = await project();
  const ada = await as("ada");
  const batch = changes(START, [
    { n: 1, turn: turn("[User] one") },
    { n: 2, turn: turn("[User] two", { promptUuid: "p2" }) },
  ]);
  await ada.push(DEVICE, START, batch);
  const more = changes(last(batch), [{ n: 1, turn: turn("[User] one more", { chunks: [] }) }]);
  await ada.push(DEVICE, last(batch), more);
  const pulled = await ada.pull({ author: "ada", deviceId: DEVICE }, START);
  expect(pulled?.map((change) => change.turn?.text)).toEqual([
    "[User] one more",
    "[User] two",
    "[User] one more",
  ]);
});

test("what its author took back is gone and stays away; an admin may do so too, others may not", async () => {
  const as = await project();
  const [ada, bob, grace] = [await as("ada"), await as("bob"), await as("grace")];
  const batch = changes(START, [
    { n: 1, turn: turn("[User] one") },
    { n: 2, turn: turn("[User] two", { promptUuid: "p2" }) },
    { n: 3, turn: turn("[User] three", { promptUuid: "p3" }) },
  ]);
  await ada.push(DEVICE, START, batch);
  const removal = changes(last(batch), [{ n: 1 }, { n: 1, turn: turn("[User] one again") }]);
  await ada.push(DEVICE, last(batch), removal);
  await bob.push(DEVICE, START, changes(START, [{ n: 2, target: "ada" }]));
  await grace.push(DEVICE, START, changes(START, [{ n: 3, target: "ada" }]));
  const pulled = await bob.pull({ author: "ada", deviceId: DEVICE }, START);
  expect(pulled?.map(({ kind, turn: found }) => [kind, found?.text ?? null])).toEqual([
    ["put", null],
    ["put", "[User] two"],
    ["put", null],
    ["remove", null],
    ["put", null],
  ]);
  const removed = await bob.pull({ author: "grace", deviceId: DEVICE }, START);
  expect(removed?.map(({ kind, target }) => [kind, target])).toEqual([["remove", "ada"]]);
});

test("a row that holds no turn is left out", async () => {
  const as = await project();
  const [ada, bob] = [await as("ada"), await as("bob")];
  await ada.push(
    DEVICE,
    START,
    changes(START, [
      { n: 1, turn: turn("[User] one", { parts: [{ kind: "prompt", start: 5, end: 4000 }] }) },
      { n: 2, turn: turn("[User] two", { promptUuid: "p2" }) },
    ]),
  );
  const pulled = await bob.pull({ author: "ada", deviceId: DEVICE }, START);
  expect(pulled?.map((change) => change.turn?.text ?? null)).toEqual([null, "[User] two"]);
});

test("what a session or a subagent has comes with its first turn alone, however many it has", async () => {
  const as = await project();
  const [ada, bob] = [await as("ada"), await as("bob")];
  const long = "tea? ".repeat(1_100_000);
  const { session } = turn("");
  const opening = { title: "Tea", titleSource: "ai-title" as const, firstPrompt: long, links: [] };
  const nth = (n: number, facts: Partial<TeamTurn> = {}) =>
    turn(`[User] number ${n}`, {
      session: { ...session, opening },
      promptUuid: `p${n}`,
      // Turns without a time have an order, too.
      createdAt: null,
      ...facts,
    });
  const agent = { agentId: "a1", subagent: { agentType: "explorer", task: long } };
  const sent = [nth(1), nth(2), nth(3), nth(4, agent), nth(5, agent), nth(6, agent)];
  await ada.push(
    DEVICE,
    START,
    changes(
      START,
      sent.map((each, at) => ({ n: at + 1, turn: each })),
    ),
  );
  const pulled = (await bob.pull({ author: "ada", deviceId: DEVICE }, START)) ?? [];
  // With the long texts at each of them, a page would have two.
  expect(pulled.map(({ turn: each }) => each?.text)).toEqual(sent.map(({ text }) => text));
  const length = (text: string | null | undefined) => text?.length ?? null;
  expect(
    pulled.map(({ turn: each }) => [
      length(each?.session.opening?.firstPrompt),
      length(each?.subagent?.task),
    ]),
  ).toEqual([
    [long.length, null],
    [null, null],
    [null, null],
    [null, long.length],
    [null, null],
    [null, null],
  ]);
});

test("two memories sync through the server", async () => {
  using dir = tempDir();
  const as = await project();
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map(async (role) => new Machine(dir.path, role, role, await as(role))),
  );
  if (ada === undefined || bob === undefined) throw new Error("two machines were made");
  await ada.start();
  await bob.start();
  await ada.write("p1", "the port is 5432");
  await ada.write("p2", "the pot is hot");
  await bob.write("p3", "the cup is cold");
  for (const each of [ada, bob, ada, bob]) await each.sync();
  const all = ["ada/p1", "ada/p2", "bob/p3"];
  expect([ada, bob].map(namesIn)).toEqual([all, all]);
  await ada.forget("p1");
  await bob.unshare("p3");
  for (const each of [ada, bob, ada, bob]) await each.sync();
  expect([ada, bob].map(namesIn)).toEqual([["ada/p2"], ["ada/p2", "bob/p3"]]);
});

function namesIn(machine: Machine): string[] {
  return machine
    .rows()
    .map(({ author, id }) => `${author}/${id}`)
    .sort();
}

function at(sent: readonly OutgoingChange[]): Position {
  const { number, chain } = last(sent);
  return { number, chain: Buffer.from(chain) };
}

function withoutVectors(sent: TeamTurn | null | undefined) {
  return sent && { ...sent, chunks: sent.chunks.map((chunk) => ({ ...chunk, vector: null })) };
}
