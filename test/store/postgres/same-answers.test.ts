import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import type { Filter } from "../../../src/filter/filter.ts";
import { search } from "../../../src/search/search.ts";
import { connect } from "../../../src/store/postgres/client/connect.ts";
import type { Database } from "../../../src/store/postgres/client/database.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres.ts";
import { openSqliteStore } from "../../../src/store/sqlite.ts";
import type { Store } from "../../../src/store/store.ts";
import { createHashEmbedder } from "../../support/hash-embedder.ts";
import { startTeam, type TestTeam } from "../../support/postgres/team.ts";
import { readSample } from "../../support/sample-memory.ts";
import { SCRATCH } from "../../support/scratch.ts";
import { NOW } from "../builders.ts";

const embedder = createHashEmbedder();
const model = { id: embedder.model.id, dimensions: embedder.model.dimensions };
const directory = mkdtempSync(join(SCRATCH, "mementor-same-answers-"));

let team: TestTeam;
let local: Store;
let shared: Store;
let transactions = 0;

beforeAll(async () => {
  team = await startTeam();
  local = await openSqliteStore({
    file: join(directory, "memory.db"),
    mode: "create",
    vecLibrary: getLoadablePath(),
    vectorBackend: "auto",
    busyTimeoutMs: 2000,
    now: () => NOW,
    tombstoneKey: () => new Uint8Array(32),
    model,
  });
  const project = await team.addProject("tidemark", [], ["ada"]);
  const server = await connect(team.urlOf("ada"), { env: {}, home: "/nowhere" });
  const counted: Database = {
    ...server,
    transaction(work, options) {
      transactions++;
      return server.transaction(work, options);
    },
  };
  shared = openPostgresStore({ server: counted, project, now: () => NOW });
  await shared.models.add(model);
  for (const store of [local, shared]) await readSample(store, embedder);
});
afterAll(async () => {
  await Promise.all([local.close(), shared.close()]);
  await team[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

test("both stores hold the same", async () => {
  expect(await shared.search.totals()).toEqual(await local.search.totals());
  expect((await local.search.totals()).turns).toBeGreaterThan(30);
});

/** Vectors on the server have eleven bits of each component. */
const near = (value: number) => expect.closeTo(value, 2);

/** What a search says: the hits in order, and how sure it is. Turns are named by their place, since ids may differ. */
async function answer(store: Store, query: string, filter: Filter, number: (value: number) => unknown) {
  const result = await search(
    { query, limit: 8, filter },
    { store: store.search, embed: (text) => embedder.embed(text) },
  );
  const { gate, trivial } = result.explain.hook;
  return {
    confidence: result.confidence,
    hits: result.hits.map(({ turn, distance, sources, confidence, passage }) => ({
      turn: `${turn.sessionId} ${turn.agentId} ${turn.lineIndex}`,
      distance: distance === null ? null : number(distance),
      sources: sources.toSorted(),
      confidence,
      passage,
    })),
    gate:
      gate === null
        ? trivial
        : { ...gate, probability: number(gate.probability), features: {}, contributions: {} },
  };
}

async function expectSame(query: string, filter: Filter = {}): Promise<void> {
  const exact = (value: number) => value;
  expect(await answer(shared, query, filter, exact)).toEqual(await answer(local, query, filter, near));
}

test.each([
  ["how did we fix the tide table"],
  ["why does the harbour cache return stale data"],
  ["parse_station and parseStation in the parser"],
  ["src/tides/cache.ts"],
  ["what was decided about time zones and daylight saving"],
  ["tests fail on CI"],
  ["rate limit of the NOAA API"],
  ["refactor the fetch client with retries"],
  ["commit that changed the README"],
  ["the user's coordinates, rounded"],
  ["quantum chromodynamics lattice gauge"],
  ["error: cannot find module"],
  ["thanks"],
])("the answer to %p is the same", async (query) => {
  await expectSame(query);
});

test("all steps of a search are one transaction of the server", async () => {
  const before = transactions;
  await answer(shared, "how did we fix the tide table in src/tides/cache.ts", {}, near);
  expect(transactions - before).toBe(1);
});

test("filters leave the same answers", async () => {
  for (const filter of [{ role: "turn" }, { since: "2026-01-10T00:00:00Z" }, { human: true }] as const)
    await expectSame("how did we fix the tests", filter);
});

test("words have the scores of SQLite's bm25", async () => {
  for (const terms of [
    ["tide"],
    ["cache", "station", "tests"],
    ["the", "and"],
    ["full run", "on github", "the fix"],
  ])
    for (const kind of ["keywordChunks", "keywordTurns"] as const) {
      const [ours, theirs] = await Promise.all([shared, local].map((store) => store.search[kind](terms, 20)));
      const rounded = (hits = ours) => hits?.map(({ score }) => score.toFixed(6));
      expect([kind, terms, rounded(ours)]).toEqual([kind, terms, rounded(theirs)]);
    }
});
