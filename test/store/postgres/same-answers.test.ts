import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { search } from "../../../src/recall/search.ts";
import type { Filter } from "../../../src/store/filter.ts";
import type { ReadStore } from "../../../src/store/store.ts";
import { createHashEmbedder } from "../../support/hash-embedder.ts";
import { readAs } from "../../support/postgres/pushed.ts";
import { startTeam, type TestTeam } from "../../support/postgres/team.ts";
import { fillBoth } from "../../support/sample-memory.ts";
import { SCRATCH } from "../../support/scratch.ts";
import { openStore } from "../builders.ts";

const embedder = createHashEmbedder();
const model = { id: embedder.model.id, dimensions: embedder.model.dimensions };
const directory = mkdtempSync(join(SCRATCH, "mementor-same-answers-"));

let team: TestTeam;
let local: ReadStore;
let shared: ReadStore;
let transactions = 0;

beforeAll(async () => {
  team = await startTeam();
  const file = join(directory, "memory.db");
  const project = await fillBoth(file, team, "tidemark", "ada");
  local = await openStore(file, { model });
  shared = await readAs({ team, project, role: "ada" }, (server) => ({
    ...server,
    transaction(work, options) {
      transactions++;
      return server.transaction(work, options);
    },
  }));
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
async function answer(store: ReadStore, query: string, filter: Filter, number: (value: number) => unknown) {
  const result = await search(
    { query, limit: 8, filter },
    { store: store.search, embed: (text) => embedder.embed(text) },
  );
  const { gate } = result.explain;
  return {
    confidence: result.confidence,
    hits: result.hits.map(({ turn, distance, sources, confidence, quoted }) => ({
      turn: `${turn.sessionId} ${turn.agentId} ${turn.createdAt}`,
      distance: distance === null ? null : number(distance),
      sources: sources.toSorted(),
      confidence,
      passage: quoted().passage,
    })),
    gate:
      gate === null
        ? null
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
