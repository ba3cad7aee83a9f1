import { expect, test } from "bun:test";
import {
  closestRelated,
  fuseRankings,
  type RelatedDeps,
  type RelatedSession,
  relatedSessions,
} from "../../src/recall/related.ts";
import { aTurn } from "./made.ts";

test("what two rankings have near the top comes before what one has first", () => {
  expect(
    fuseRankings([
      ["a", "b", "c"],
      ["d", "b"],
    ]),
  ).toEqual(["b", "a", "d", "c"]);
  expect(fuseRankings([[], []])).toEqual([]);
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
      turns: async () => [],
      async nearestChunks(_, limit, filter) {
        if (filter?.session === "near") return [{ chunkId: 7, turnId: 7, distance: 0.25 }];
        asked.push(limit);
        return all.slice(0, limit).map((turnId) => ({ chunkId: turnId, turnId, distance: turnId / 2000 }));
      },
    },
  };
}

test("the session's own passages do not hide those of others", async () => {
  const given = deps(Float32Array.of(1));
  expect(await relatedSessions({ sessionId: "own" }, { limit: 5 }, given)).toEqual([
    {
      sessionId: "far",
      accessDistance: null,
      textDistance: 0.5,
      sharedFiles: ["b.ts"],
      sameMatter: null,
      sharedWords: [],
      touchedIn: null,
      filesWorth: 0,
    },
  ]);
  expect(given.asked).toEqual([256, 1024]);
});

test("without vectors nothing is near", async () => {
  expect(await relatedSessions({ path: "a.ts" }, { limit: 5 }, deps(null))).toEqual([]);
});

test("a path is near by what was touched and by what was said", async () => {
  const found = await relatedSessions({ path: "a.ts" }, { limit: 5 }, deps(Float32Array.of(1)));
  expect(found).toEqual([
    {
      sessionId: "own",
      accessDistance: null,
      textDistance: 0.0005,
      sharedFiles: ["a.ts"],
      sameMatter: null,
      sharedWords: [],
      touchedIn: 0,
      filesWorth: 0,
    },
    {
      sessionId: "near",
      accessDistance: 0.1,
      textDistance: 0.25,
      sharedFiles: ["a.ts"],
      sameMatter: null,
      sharedWords: [],
      touchedIn: 0,
      filesWorth: 0,
    },
    {
      sessionId: "far",
      accessDistance: null,
      textDistance: 0.5,
      sharedFiles: [],
      sameMatter: null,
      sharedWords: [],
      touchedIn: 0,
      filesWorth: 0,
    },
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
    ["spout", [1000]],
    ["kettle", [2000]],
    ["lidhinge", [3000]],
    ["handle", [3000]],
  ]);
  const found = await relatedSessions(
    { sessionId: "own" },
    { limit: 5, text: "valve gasket spout kettle lidHinge handle" },
    {
      ...touched,
      browse: {
        ...given.browse,
        sessionsOfTurns: async (ids) =>
          new Map(
            ids.map((id) => [
              id,
              id === 1000 ? "far" : id === 2000 ? "other" : id === 3000 ? "named" : "own",
            ]),
          ),
      },
      search: { ...given.search, termTurns: async () => turnsWith },
    },
  );
  expect(found).toEqual([
    // Two ordinary words would be chance: one of these is a name.
    {
      ...{ sessionId: "named", accessDistance: null, textDistance: null, sharedFiles: ["a.ts", "b.ts"] },
      sameMatter: null,
      ...{ sharedWords: ["lidHinge", "handle"], touchedIn: null, filesWorth: 0 },
    },
    {
      ...{ sessionId: "far", accessDistance: null, textDistance: null, sharedFiles: ["b.ts"] },
      sameMatter: null,
      ...{ sharedWords: ["gasket", "spout", "valve"], touchedIn: null, filesWorth: 0 },
    },
  ]);
});

test("words in common are named as the text writes them, and those of manner or of many sessions are not", async () => {
  const given = deps(null);
  const many = Array.from({ length: 12 }, (_, i) => 2000 + i);
  const turnsOf = new Map([
    ["valveexists", [1000]],
    ["gasket", [1000]],
    ["kettle", [1000, ...many]],
    ["carefully", [1000]],
  ]);
  const found = await relatedSessions(
    { sessionId: "own" },
    { limit: 5, text: "valve_exists: seat the gasket of the kettle carefully" },
    {
      ...{ ...given, touched: null },
      browse: {
        ...given.browse,
        sessionsOfTurns: async (ids) => new Map(ids.map((id) => [id, id === 1000 ? "far" : `s${id}`])),
      },
      search: {
        ...given.search,
        termTurns: async (terms) => new Map([...turnsOf].filter(([term]) => terms.includes(term))),
      },
    },
  );
  expect(found.map(({ sessionId, sharedWords }) => [sessionId, sharedWords])).toEqual([
    ["far", ["valve_exists", "gasket"]],
  ]);
});

test("of many sessions that are near, those that touched the file are chosen and come first", async () => {
  const given = deps(Float32Array.of(1));
  const touch = (sessionId: string) => ({ sessionId });
  const found = await relatedSessions(
    { path: "a.ts" },
    { limit: 2 },
    {
      ...given,
      touched: null,
      browse: {
        ...given.browse,
        fileHistory: async () => ["far", "near"].map(touch) as never,
        filesOf: async () => ["a.ts"],
      },
    },
  );
  expect(found.map(({ sessionId, textDistance }) => [sessionId, textDistance])).toEqual([
    ["near", 0.25],
    ["far", 0.5],
  ]);
});

test("sessions that are merely similar stay only where none has something in common by name", () => {
  const similar: Pick<RelatedSession, "sameMatter" | "sharedFiles" | "sharedWords"> = {
    sameMatter: null,
    sharedFiles: [],
    sharedWords: [],
  };
  const byFile = { ...similar, sharedFiles: ["a.ts"] };
  const byWord = { ...similar, sharedWords: ["valve"] };
  const byIssue = { ...similar, sameMatter: { names: ["#12"], samePrompt: false, worth: 1 } };
  expect(closestRelated([byFile, similar, byWord, byIssue, similar])).toEqual([byFile, byWord, byIssue]);
  expect(closestRelated([similar, similar])).toEqual([similar, similar]);
});

test("files that few sessions touched say more than those that many did", async () => {
  const given = deps(null);
  const touches = (...sessions: string[]) =>
    sessions.map((sessionId, turnId) => ({ sessionId, turnId: turnId + 1 }) as never);
  const histories: Record<string, never[]> = {
    "plan.md": touches("own", "busy", "near", "one", "two"),
    "skill.md": touches("own", "busy", "one", "two"),
    "src/lid.ts": touches("own", "near"),
  };
  const found = await relatedSessions(
    { sessionId: "own" },
    { limit: 5 },
    {
      ...given,
      touched: null,
      browse: {
        ...given.browse,
        filesOf: async (of) =>
          Object.keys(histories).filter(
            (path) =>
              "sessionId" in of &&
              histories[path]?.some((touch: { sessionId: string }) => touch.sessionId === of.sessionId),
          ),
        fileHistory: async (path) => histories[path] ?? [],
      },
    },
  );
  expect(found.slice(0, 2).map(({ sessionId, sharedFiles }) => [sessionId, sharedFiles])).toEqual([
    ["near", ["src/lid.ts", "plan.md"]],
    ["busy", ["skill.md", "plan.md"]],
  ]);
});

test("a session on the same issue comes before those that share more files", async () => {
  const given = deps(null);
  const asked = "https://forge.example.com/me/kettle/issues/7340#issuecomment-1 Find the cause";
  const found = await relatedSessions(
    { sessionId: "own" },
    { limit: 2, prompts: [asked] },
    {
      ...{ ...given, touched: null },
      browse: {
        ...given.browse,
        fileHistory: async () => ["far", "other"].map((sessionId) => ({ sessionId, turnId: 1 })) as never,
        filesOf: async (of) => ("sessionId" in of && of.sessionId === "named" ? [] : ["a.ts", "b.ts"]),
      },
      search: {
        ...given.search,
        termTurns: async (terms) => new Map(terms.includes("7340") ? [["7340", [3000]]] : []),
        turns: async () => [
          aTurn({ turnId: 3000, sessionId: "named", text: "[User] Does issue #7340 still hold?" }),
        ],
      },
    },
  );
  expect(found.map(({ sessionId, sameMatter }) => [sessionId, sameMatter])).toEqual([
    ["named", { names: ["#7340"], samePrompt: false, worth: 1 }],
    ["far", null],
  ]);
});

test("words of every conversation are no words in common", async () => {
  const given = deps(null);
  const asked: string[] = [];
  const search = {
    ...given.search,
    termTurns: async (terms: readonly string[]) => {
      asked.push(...terms);
      return new Map<string, number[]>();
    },
  };
  await relatedSessions(
    { sessionId: "own" },
    { limit: 5, text: "today anyone told gasket" },
    { ...given, search },
  );
  expect(asked).toEqual(["gasket"]);
});
