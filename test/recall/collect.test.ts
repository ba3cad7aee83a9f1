import { describe, expect, test } from "bun:test";
import { addPlainDistances, type Candidate, collectCandidates } from "../../src/recall/candidates.ts";
import { addByAccess, addBySharedFiles } from "../../src/recall/ranking.ts";
import type { LocalSearchStore } from "../../src/store/store.ts";
import { aCandidate, aQuery, aStore } from "./made.ts";

const VECTOR = Float32Array.of(1, 0);
const FILTER = { branch: "main" };

/** A store that notes what it is asked for, apart from the vector. */
function noting(given: Partial<LocalSearchStore>) {
  const calls: unknown[][] = [];
  const noted = Object.fromEntries(
    Object.entries(aStore(given)).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        calls.push([name, ...args.filter((arg) => !(arg instanceof Float32Array))]);
        return Reflect.apply(method, null, args);
      },
    ]),
  );
  return { calls, store: noted as unknown as LocalSearchStore };
}

const all = (found: Map<number, Candidate>) => [...found.values()];

describe("collectCandidates", () => {
  const query = aQuery({
    terms: [{ term: "parser", turnIds: [1], weight: 1, rarity: 1, share: 0.01 }],
    fileHints: ["a.ts"],
    references: { commits: ["abcd"], prNumbers: [7] },
  });

  test("asks each kind of search for its number of candidates, with the whole filter", async () => {
    const { calls, store } = noting({});
    await collectCandidates(query, VECTOR, store, FILTER);
    expect(calls).toEqual([
      ["keywordChunks", ["parser"], 120, FILTER],
      ["keywordTurns", ["parser"], 70, FILTER],
      ["turnsByFile", ["a.ts"], 40, FILTER],
      ["turnsByCommit", ["abcd"], 20, FILTER],
      ["turnsByPr", [7], 20, FILTER],
      ["nearestChunks", 200, FILTER],
    ]);
  });

  test("asks for nothing that the query does not name", async () => {
    const { calls, store } = noting({});
    await collectCandidates(aQuery(), null, store, FILTER);
    expect(calls.map(([name]) => name)).toEqual(["keywordChunks", "keywordTurns"]);
  });

  test("puts together what each way says of a turn", async () => {
    const { calls, store } = noting({
      nearestChunks: async () => [
        { chunkId: 10, turnId: 1, distance: 0.3 },
        { chunkId: 11, turnId: 1, distance: 0.2 },
        { chunkId: 12, turnId: 1, distance: 0.25 },
        { chunkId: 13, turnId: 1, distance: 0.28 },
      ],
      keywordChunks: async () => [
        { chunkId: 20, turnId: 1, score: 2 },
        { chunkId: 21, turnId: 1, score: 5 },
        { chunkId: 22, turnId: 1, score: 3 },
        { chunkId: 23, turnId: 2, score: 0 },
      ],
      keywordTurns: async () => [
        { chunkId: null, turnId: 1, score: 4 },
        { chunkId: null, turnId: 1, score: 3 },
      ],
      turnsByFile: async () => [{ turnId: 3, source: "file", matches: 2 }],
      turnsByCommit: async () => [{ turnId: 3, source: "commit", matches: 1 }],
      turnsByPr: async () => [{ turnId: 3, source: "pr", matches: 2 }],
      turnDistances: async () => [
        { chunkId: 30, turnId: 3, distance: 0.4 },
        { chunkId: 90, turnId: 99, distance: 0.1 },
      ],
    });
    expect(all(await collectCandidates(query, VECTOR, store, FILTER))).toEqual([
      aCandidate({
        turnId: 1,
        sources: new Set(["vector", "keyword"]),
        ...{ distance: 0.2, secondDistance: 0.25, nearestChunk: 11 },
        ...{ keywordChunk: 21, chunkKeywords: 5, turnKeywords: 4 },
      }),
      aCandidate({ turnId: 2, sources: new Set(["keyword"]), keywordChunk: 23 }),
      aCandidate({
        turnId: 3,
        sources: new Set(["file", "commit", "pr"]),
        ...{ distance: 0.4, nearestChunk: 30, files: 2, references: 3 },
      }),
    ]);
    expect(calls.at(-1)).toEqual(["turnDistances", [2, 3]]);
  });
});

test("the plain distance is that of the nearer of the chunks that were found", async () => {
  const found = new Map([
    [1, aCandidate({ turnId: 1, nearestChunk: 10, keywordChunk: 11 })],
    [2, aCandidate({ turnId: 2, nearestChunk: 11 })],
    [3, aCandidate({ turnId: 3 })],
    [4, aCandidate({ turnId: 4, keywordChunk: 12 })],
  ]);
  const { calls, store } = noting({
    chunkDistances: async () => [
      { chunkId: 10, turnId: 1, distance: 0.3 },
      { chunkId: 11, turnId: 1, distance: 0.2 },
    ],
  });
  await addPlainDistances(found, VECTOR, store);
  expect(all(found).map(({ plainDistance }) => plainDistance)).toEqual([0.2, 0.2, null, null]);
  expect(calls).toEqual([["chunkDistances", [10, 11, 12]]]);
});

describe("the files of the session", () => {
  test("lead to the best turn of each session that worked on the same ones", async () => {
    const { calls, store } = noting({
      nearestSessions: async () => ["s2", "s3", "s4"].map((sessionId) => ({ sessionId, distance: 0.1 })),
      nearestChunks: async (_vector, _limit, filter) =>
        filter?.session === "s3"
          ? []
          : [{ chunkId: 5, turnId: filter?.session === "s2" ? 2 : 4, distance: 0.2 }],
      turnDistances: async () => [{ chunkId: 6, turnId: 4, distance: 0.25 }],
    });
    const found = new Map<number, Candidate>();
    await addByAccess(found, { sessionId: "s1", pattern: VECTOR }, VECTOR, store, FILTER);
    expect(calls).toEqual([
      ["nearestSessions", 3, "s1", FILTER],
      ["nearestChunks", 1, { ...FILTER, session: "s2" }],
      ["nearestChunks", 1, { ...FILTER, session: "s3" }],
      ["nearestChunks", 1, { ...FILTER, session: "s4" }],
      ["turnDistances", [2, 4]],
    ]);
    expect(all(found)).toEqual([
      aCandidate({ turnId: 2, sources: new Set(["access"]), accessRank: 0 }),
      aCandidate({ turnId: 4, sources: new Set(["access"]), accessRank: 2, distance: 0.25, nearestChunk: 6 }),
    ]);
  });

  test("lead nowhere in a session that touched none", async () => {
    const { calls, store } = noting({});
    const found = new Map<number, Candidate>();
    await addByAccess(found, { sessionId: "s1", pattern: null }, VECTOR, store, FILTER);
    await addBySharedFiles(found, [], store, FILTER);
    expect([calls, all(found)]).toEqual([[], []]);
  });

  test("lead to turns that touched the last of them", async () => {
    const { calls, store } = noting({ turnsByFile: async () => [{ turnId: 1, source: "file", matches: 3 }] });
    const found = new Map<number, Candidate>();
    await addBySharedFiles(found, ["a.ts"], store, FILTER);
    expect(calls).toEqual([["turnsByFile", ["a.ts"], 60, FILTER]]);
    expect(all(found)).toEqual([aCandidate({ turnId: 1, sources: new Set(["access"]), shared: 3 })]);
  });
});
