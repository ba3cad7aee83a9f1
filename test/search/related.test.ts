import { expect, test } from "bun:test";
import { fuse, type RelatedDeps, relatedSessions } from "../../src/search/related.ts";

test("what two rankings have near the top comes before what one has first", () => {
  expect(
    fuse([
      ["a", "b", "c"],
      ["d", "b"],
    ]),
  ).toEqual(["b", "a", "d", "c"]);
  expect(fuse([[], []])).toEqual([]);
});

/** Turns 1 to 300 are of the session itself and nearest; turn 1000 is of another. */
function deps(vector: Float32Array | null): RelatedDeps & { asked: number[] } {
  const asked: number[] = [];
  const all = [...Array.from({ length: 300 }, (_, i) => i + 1), 1000];
  return {
    asked,
    browse: {
      fileHistory: async () => [],
      meanVector: async () => vector,
      filesOf: async (of) => ("sessionId" in of && of.sessionId === "far" ? ["b.ts"] : ["a.ts", "b.ts"]),
      sessionsOfTurns: async (turnIds) => new Map(turnIds.map((id) => [id, id === 1000 ? "far" : "own"])),
    },
    touched: {
      accessPattern: async () => null,
      nearestSessions: async () => [{ sessionId: "near", distance: 0.1 }],
      resourceVector: async () => vector,
    },
    search: {
      termTurns: async () => new Map(),
      async nearestChunks(_, limit) {
        asked.push(limit);
        return all.slice(0, limit).map((turnId) => ({ chunkId: turnId, turnId, distance: turnId / 2000 }));
      },
    },
  };
}

test("the session's own passages do not hide those of others", async () => {
  const given = deps(Float32Array.of(1));
  expect(await relatedSessions({ sessionId: "own" }, { limit: 5 }, given)).toEqual([
    { sessionId: "far", accessDistance: null, textDistance: 0.5, sharedFiles: ["b.ts"], sharedWords: [] },
  ]);
  expect(given.asked).toEqual([256, 1024]);
});

test("without vectors nothing is near", async () => {
  expect(await relatedSessions({ path: "a.ts" }, { limit: 5 }, deps(null))).toEqual([]);
});

test("a path is near by what was touched and by what was said", async () => {
  const found = await relatedSessions({ path: "a.ts" }, { limit: 5 }, deps(Float32Array.of(1)));
  expect(found).toEqual([
    { sessionId: "near", accessDistance: 0.1, textDistance: null, sharedFiles: ["a.ts"], sharedWords: [] },
    { sessionId: "own", accessDistance: null, textDistance: 0.0005, sharedFiles: ["a.ts"], sharedWords: [] },
    { sessionId: "far", accessDistance: null, textDistance: 0.5, sharedFiles: [], sharedWords: [] },
  ]);
});

test("where it is not known what was touched, what was said decides alone", async () => {
  const found = await relatedSessions(
    { path: "a.ts" },
    { limit: 5 },
    { ...deps(Float32Array.of(1)), touched: null },
  );
  expect(found.map(({ sessionId, accessDistance }) => [sessionId, accessDistance])).toEqual([
    ["own", null],
    ["far", null],
  ]);
});

test("files and rare words in common need no vectors", async () => {
  const given = deps(null);
  const touched = { ...given, touched: null };
  const turnsWith = new Map([
    ["valve", [1000, 1]],
    ["gasket", [1000]],
    ["kettle", [2000]],
  ]);
  const found = await relatedSessions(
    { sessionId: "own" },
    { limit: 5, text: "valve gasket kettle" },
    {
      ...touched,
      browse: {
        ...given.browse,
        sessionsOfTurns: async (ids) =>
          new Map(ids.map((id) => [id, id === 1000 ? "far" : id === 2000 ? "other" : "own"])),
      },
      search: { ...given.search, termTurns: async () => turnsWith },
    },
  );
  expect(found).toEqual([
    {
      ...{ sessionId: "far", accessDistance: null, textDistance: null, sharedFiles: ["b.ts"] },
      sharedWords: ["gasket", "valve"],
    },
  ]);
});
