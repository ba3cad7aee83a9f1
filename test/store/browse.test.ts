import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SessionFacts } from "../../src/domain.ts";
import type { Filter } from "../../src/filter/filter.ts";
import { readPath } from "../../src/filter/path.ts";
import type { SqliteStore } from "../../src/store/sqlite.ts";
import type { BrowseStore } from "../../src/store/store.ts";
import { batch, embedAll, MODEL, openStore, source, tempDir, turn, vectorOf } from "./builders.ts";

const KETTLE = "aaaa1111-0000-4000-8000-000000000001";
const TEAPOT = "aaaa2222-0000-4000-8000-000000000002";
const SCRIPT = "bbbb3333-0000-4000-8000-000000000003";

function facts(sessionId: string, more: Partial<SessionFacts>): SessionFacts {
  return {
    sessionId,
    projectDir: "/home/ada/kettle",
    title: null,
    titleSource: null,
    firstPrompt: null,
    automated: null,
    branch: "main",
    startedAt: null,
    endedAt: null,
    ...more,
  };
}

const touch = (toolName: string, ...paths: string[]) => paths.map((filePath) => ({ filePath, toolName }));
const at = (day: number, hour = 10) => new Date(Date.UTC(2026, 1, day, hour)).toISOString();

/** Two sessions about the same valve, the second with a subagent and a copied turn, and one that no human drove. */
async function fill(store: SqliteStore): Promise<void> {
  await store.ingest.write(
    batch(
      [
        turn(0, "[User] Why does the kettle leak?\n\n[Assistant] The valve.", {
          sessionId: KETTLE,
          createdAt: at(1),
          mentions: touch("Read", "src/valve.ts", "src/pipe.ts", "https://example.org/valves"),
          toolSummary: ["Read(src/valve.ts)", "Read(src/pipe.ts)"],
        }),
        turn(10, "[User] Mend it.", {
          sessionId: KETTLE,
          createdAt: at(2),
          mentions: touch("Edit", "src/valve.ts"),
          commits: [{ hash: "3f9d2c1aa", message: "fix: close the valve\n\nIt leaked." }],
          promptUuid: "p-10",
        }),
        turn(20, "[User] Thanks", {
          sessionId: KETTLE,
          createdAt: at(2, 11),
          provisional: true,
          branch: "leak",
        }),
      ],
      {
        source: source({ path: `/t/${KETTLE}.jsonl`, sessionId: KETTLE }),
        sessions: [
          facts(KETTLE, {
            title: "Leak",
            titleSource: "summary",
            startedAt: at(1),
            endedAt: at(2, 11),
            branch: "leak",
          }),
        ],
        prLinks: [
          {
            sessionId: KETTLE,
            prNumber: 7,
            prUrl: "https://example.org/pull/7",
            prRepository: "ada/kettle",
            timestamp: at(2),
          },
        ],
      },
    ),
  );
  const copied = (await store.browse.recent(10, {})).find(({ firstWords }) => firstWords === "Mend it.");
  await store.ingest.write(
    batch(
      [
        turn(30, "[User] The teapot has the same valve.", {
          sessionId: TEAPOT,
          createdAt: at(10),
          mentions: touch("Edit", "src/valve.ts"),
        }),
        turn(31, "[User] Look for others.", {
          sessionId: TEAPOT,
          createdAt: at(10, 11),
          agentId: "a1",
          isSidechain: true,
          origin: "subagent",
          mentions: touch("Grep", "src/lid.ts"),
        }),
        turn(40, "[User] Ship it.", { sessionId: TEAPOT, createdAt: at(11) }),
      ],
      {
        source: source({ path: `/t/${TEAPOT}.jsonl`, sessionId: TEAPOT }),
        sessions: [facts(TEAPOT, { firstPrompt: "The teapot has", startedAt: at(10), endedAt: at(11) })],
        copies: [{ sessionId: TEAPOT, lineIndex: 5, turnId: copied?.turnId ?? 0 }],
        prLinks: [
          {
            sessionId: TEAPOT,
            prNumber: 7,
            prUrl: "https://example.org/pull/7",
            prRepository: "ada/kettle",
            timestamp: at(11),
          },
        ],
      },
    ),
  );
  await store.ingest.write(
    batch([turn(0, "[User] Nightly report.", { sessionId: SCRIPT, createdAt: at(5), origin: "automated" })], {
      source: source({ path: `/t/${SCRIPT}.jsonl`, sessionId: SCRIPT }),
      sessions: [facts(SCRIPT, { client: "codex", automated: true, startedAt: at(5), endedAt: at(5) })],
    }),
  );
  await embedAll(store);
}

let directory: ReturnType<typeof tempDir>;
let store: SqliteStore;
let browse: BrowseStore;

beforeAll(async () => {
  directory = tempDir();
  store = await openStore(join(directory.path, "m.db"));
  await fill(store);
  browse = store.browse;
});

afterAll(async () => {
  await store.close();
  directory[Symbol.dispose]();
});

const idOf = async (words: string) => {
  const turns = [...(await browse.turnsOf(KETTLE)), ...(await browse.turnsOf(TEAPOT))];
  return turns.find(({ firstWords }) => firstWords === words)?.turnId ?? -1;
};

const path = (typed: string) => readPath(typed, "/app", ["/app"]);

describe("sessions", () => {
  test("are listed with what they hold, the latest first", async () => {
    const { sessions, total } = await browse.sessions({}, { limit: 2 });
    expect({ total, ids: sessions.map(({ sessionId }) => sessionId) }).toEqual({
      total: 3,
      ids: [TEAPOT, SCRIPT],
    });
    expect(await browse.sessions({}, { limit: 2, offset: 2 })).toEqual({
      total: 3,
      sessions: [
        {
          sessionId: KETTLE,
          client: "claude-code",
          title: "Leak",
          firstPrompt: null,
          automated: false,
          branch: "leak",
          projectDir: "/home/ada/kettle",
          transcriptPath: `/t/${KETTLE}.jsonl`,
          startedAt: at(1),
          endedAt: at(2, 11),
          turns: 3,
          files: 2,
          foreign: null,
        },
      ],
    });
  });

  test.each<[string, Filter, string[]]>([
    ["a branch that it was on at any time", { branch: "main" }, [TEAPOT, SCRIPT, KETTLE]],
    ["the branch that it ended on", { branch: "leak" }, [KETTLE]],
    ["a start before the end of the time", { until: at(5) }, [SCRIPT, KETTLE]],
    ["an end after its beginning", { since: at(5) }, [TEAPOT, SCRIPT]],
    ["a time in which a turn of it began", { since: at(1, 9), until: at(1, 13) }, [KETTLE]],
    ["no time between its turns", { since: at(1, 12), until: at(1, 13) }, []],
    ["a time of another zone", { since: "2026-02-05T11:00:00+01:00" }, [TEAPOT, SCRIPT]],
    ["a file", { file: path("src/pipe.ts") }, [KETTLE]],
    ["the end of a path", { file: path("valve.ts") }, [TEAPOT, KETTLE]],
    ["a directory", { file: path("src/") }, [TEAPOT, KETTLE]],
    ["a pull request", { pr: 7 }, [TEAPOT, KETTLE]],
    ["a commit", { commit: "3f9d2c1" }, [KETTLE]],
    ["a commit of four digits", { commit: "3F9d" }, [KETTLE]],
    ["an agent", { from: "codex" }, [SCRIPT]],
    ["no human", { automated: true }, [SCRIPT]],
    ["a human", { human: true }, [TEAPOT, KETTLE]],
    ["nothing that there is", { file: path("alve.ts") }, []],
  ])("are found by %s", async (_, filter, expected) => {
    const { sessions, total } = await browse.sessions(filter, { limit: 10 });
    expect({ ids: sessions.map(({ sessionId }) => sessionId), total }).toEqual({
      ids: expected,
      total: expected.length,
    });
  });

  test("are found by any unique start of their id", async () => {
    expect((await browse.session("aaaa1"))?.sessionId).toBe(KETTLE);
    expect((await browse.session(TEAPOT))?.sessionId).toBe(TEAPOT);
    expect(await browse.session("%")).toBeNull();
    expect(await browse.session("")).toBeNull();
    const refused = browse.session("aaaa");
    expect(refused).rejects.toMatchObject({
      code: "usage",
      message: 'More than one session starts with "aaaa".',
    });
    expect(await refused.catch((error) => error.hint)).toBe(
      `Which one?\n  ${TEAPOT}  The teapot has\n  ${KETTLE}  Leak`,
    );
  });
});

describe("turns", () => {
  test("of a session come in order of time, with subagents' and copied ones", async () => {
    const turns = await browse.turnsOf(TEAPOT);
    expect(turns.map(({ firstWords, sessionId, agentId }) => [firstWords, sessionId, agentId])).toEqual([
      ["Mend it.", KETTLE, null],
      ["The teapot has the same valve.", TEAPOT, null],
      ["Look for others.", TEAPOT, "a1"],
      ["Ship it.", TEAPOT, null],
    ]);
  });

  test("have what a list shows", async () => {
    expect((await browse.turnsOf(KETTLE))[0]).toEqual({
      turnId: await idOf("Why does the kettle leak?"),
      sessionId: KETTLE,
      client: "claude-code",
      sessionTitle: "Leak",
      agentId: null,
      lineIndex: 0,
      provisional: false,
      role: "turn",
      origin: "human",
      firstWords: "Why does the kettle leak?",
      createdAt: at(1),
      endedAt: null,
      branch: "main",
      toolCalls: 2,
      files: ["https://example.org/valves", "src/pipe.ts", "src/valve.ts"],
      foreign: null,
    });
  });

  test("have neighbours in their conversation", async () => {
    const words = (turns: readonly { text: string }[]) => turns.map(({ text }) => text);
    const middle = await browse.neighbours(await idOf("Mend it."), 5);
    expect([words(middle.before), words(middle.after)]).toEqual([
      ["[User] Why does the kettle leak?\n\n[Assistant] The valve."],
      ["[User] Thanks"],
    ]);
    const last = await browse.neighbours(await idOf("Thanks"), 1);
    expect([words(last.before), words(last.after)]).toEqual([["[User] Mend it."], []]);
    expect(await browse.neighbours(await idOf("Look for others."), 5)).toEqual({ before: [], after: [] });
    expect(await browse.neighbours(4711, 5)).toEqual({ before: [], after: [] });
  });

  test("know their lines in the transcript", async () => {
    const path = `/t/${KETTLE}.jsonl`;
    expect(await browse.transcriptPlace(await idOf("Mend it."))).toEqual({
      path,
      firstLine: 10,
      endLine: 20,
      promptUuid: "p-10",
    });
    expect(await browse.transcriptPlace(await idOf("Thanks"))).toMatchObject({
      firstLine: 20,
      endLine: null,
    });
    expect(await browse.transcriptPlace(4711)).toBeNull();
  });

  test("of main conversations come newest first", async () => {
    const words = async (...args: Parameters<BrowseStore["recent"]>) =>
      (await browse.recent(...args)).map(({ firstWords }) => firstWords);
    expect(await words(3, {})).toEqual(["Ship it.", "The teapot has the same valve.", "Nightly report."]);
    expect(await words(9, { branch: "leak" })).toEqual(["Thanks"]);
    expect(await words(9, { since: at(2), until: at(5) })).toEqual(["Nightly report.", "Thanks", "Mend it."]);
  });
});

describe("files", () => {
  test("are listed by how often they were touched", async () => {
    expect(await browse.files({ limit: 2 })).toEqual([
      { path: "src/valve.ts", touches: 3, changes: 2, lastTime: at(10) },
      { path: "src/lid.ts", touches: 1, changes: 0, lastTime: at(10, 11) },
    ]);
    expect((await browse.files({ limit: 9, below: "src/" })).map(({ path }) => path)).toEqual([
      "src/valve.ts",
      "src/lid.ts",
      "src/pipe.ts",
    ]);
    expect(await browse.files({ limit: 9, below: "sr" })).toEqual([]);
    expect((await browse.files({ limit: 9, paths: ["src/lid.ts", "nope"] })).map(({ path }) => path)).toEqual(
      ["src/lid.ts"],
    );
  });

  test.each<[string, string[], string | null, string[]]>([
    ["exactly", ["nope", "src/pipe.ts"], "valve.ts", ["src/pipe.ts"]],
    ["by name", [], "valve.ts", ["src/valve.ts"]],
    ["by the end of the path", [], "src/valve.ts", ["src/valve.ts"]],
    ["not by a path that they are the end of", [], "home/ada/src/lid.ts", []],
    ["only exactly where the path says where it starts", ["nope"], null, []],
    ["not by a part of a name", [], "alve.ts", []],
  ])("are found %s", async (_, exact, suffix, expected) => {
    expect(await browse.findPaths({ exact, suffix })).toEqual(expected);
  });

  test("of sessions and turns have no web addresses", async () => {
    expect(await browse.filesOf({ sessionId: KETTLE })).toEqual(["src/pipe.ts", "src/valve.ts"]);
    expect(await browse.filesOf({ turnId: await idOf("Mend it.") })).toEqual(["src/valve.ts"]);
  });

  test("that are forgotten with their turns are counted no more", async () => {
    using own = tempDir();
    const other = await openStore(join(own.path, "m.db"));
    await fill(other);
    await other.forget.forget(await other.forget.plan({ sessionId: KETTLE }));
    expect(await other.browse.files({ limit: 9 })).toEqual([
      { path: "src/lid.ts", touches: 1, changes: 0, lastTime: at(10, 11) },
      { path: "src/valve.ts", touches: 1, changes: 1, lastTime: at(10) },
    ]);
    await other.close();
  });
});

test("pull requests come with the sessions that named them", async () => {
  const all = [
    {
      prNumber: 7,
      prRepository: "ada/kettle",
      prUrl: "https://example.org/pull/7",
      time: at(11),
      sessionIds: [TEAPOT, KETTLE],
    },
  ];
  expect(await browse.prs({ limit: 9 })).toEqual(all);
  expect(await browse.prs({ limit: 9, prNumber: 7 })).toEqual(all);
  expect(await browse.prs({ limit: 9, prNumber: 8 })).toEqual([]);
});

test("commits come with the turns that made them", async () => {
  const all = [
    {
      hash: "3f9d2c1aa",
      message: "fix: close the valve\n\nIt leaked.",
      turnId: await idOf("Mend it."),
      sessionId: KETTLE,
      sessionTitle: "Leak",
      firstWords: "Mend it.",
      createdAt: at(2),
      branch: "main",
      foreign: null,
    },
  ];
  expect(await browse.commits({ limit: 9 })).toEqual(all);
  for (const hash of ["3f9d", "3f9d2c1", "3F9D2C1AA", "3f9d2c1aa0000"])
    expect(await browse.commits({ limit: 9, hash })).toEqual(all);
  expect(await browse.commits({ limit: 9, hash: "3f9e" })).toEqual([]);
});

test("activity has the start times of turns and sessions, or their first times in the range", async () => {
  expect(await browse.activity({ since: at(2), until: at(10) })).toEqual({
    turns: [at(2), at(2, 11), at(5), at(10)],
    sessions: [at(2), at(5), at(10)],
  });
});

test("a recalled turn was useful if the session touched one of its files afterwards", async () => {
  using own = tempDir();
  const other = await openStore(join(own.path, "m.db"));
  await fill(other);
  const event = "user-prompt-submit";
  const told = (await other.browse.turnsOf(KETTLE))
    .filter(({ firstWords }) => firstWords !== "Mend it.")
    .map(({ turnId }) => turnId);
  const injection = { sessionId: TEAPOT, event, turnIds: told };
  await other.journal.recordInjection({ ...injection, time: at(10) });
  await other.journal.recordInjection({ ...injection, time: at(12) });
  await other.journal.recordHookCall({
    sessionId: TEAPOT,
    event,
    decision: "told",
    durationMs: 30,
    time: at(10),
  });
  await other.journal.recordHookCall({
    sessionId: TEAPOT,
    event,
    decision: "told",
    durationMs: 50,
    time: at(12),
  });
  await other.journal.recordHookCall({
    sessionId: TEAPOT,
    event,
    decision: "gate",
    durationMs: 10,
    time: at(12),
  });
  expect(await other.browse.recalls({})).toEqual({
    calls: [
      { event, decision: "told", calls: 2, meanMs: 40 },
      { event, decision: "gate", calls: 1, meanMs: 10 },
    ],
    told: [{ event, injections: 2, turns: 4, named: 2, edited: 1, read: 0, shown: 0 }],
    marked: [],
  });
  expect((await other.browse.recalls({ since: at(11) })).told).toEqual([
    { event, injections: 1, turns: 2, named: 1, edited: 0, read: 0, shown: 0 },
  ]);
  await other.close();
});

test("there are vectors of a turn, a session, a path, and a resource", async () => {
  const near = (a: Float32Array | null, b: Float32Array) =>
    expect([...(a ?? [])].map((value) => value.toFixed(5))).toEqual([...b].map((value) => value.toFixed(5)));
  near(await browse.meanVector({ turnId: await idOf("Mend it.") }), vectorOf("[User] Mend it."));
  near(await browse.meanVector({ sessionId: SCRIPT }), vectorOf("[User] Nightly report."));
  near(await browse.meanVector({ path: "src/lid.ts" }), vectorOf("[User] Look for others."));
  near(await browse.resourceVector("src/lid.ts"), vectorOf("src/lid.ts"));
  expect((await browse.meanVector({ sessionId: KETTLE }))?.length).toBe(MODEL.dimensions);
  expect([await browse.meanVector({ turnId: 4711 }), await browse.resourceVector("nope")]).toEqual([
    null,
    null,
  ]);
});

test("a recalled turn that the session then printed, and marks, are counted", async () => {
  using own = tempDir();
  const other = await openStore(join(own.path, "m.db"));
  const told = { sessionId: "s1", createdAt: at(1), toolSummary: [] };
  await other.ingest.write(batch([turn(0, "[User] First.", told), turn(2, "[User] Second.", told)]));
  const toolSummary = [`Bash(cmd="mementor show 1")`, `Bash(cmd="mementor show 21")`];
  const later = turn(0, "[User] Later.", { sessionId: "s2", createdAt: at(3), toolSummary });
  await other.ingest.write(batch([later], { source: source({ path: "/t/s2.jsonl", sessionId: "s2" }) }));
  const event = "user-prompt-submit";
  await other.journal.recordInjection({ sessionId: "s2", event, turnIds: [1, 2], time: at(3) });
  const call = { sessionId: "s2", event, decision: "told", durationMs: 1, time: at(3), prompt: "?" };
  const turns = [1, 2].map((turnId) => ({ turnId, passage: null }));
  await other.journal.recordHookCall({ ...call, answer: "…", turns });
  await other.marks.markAnswer(1, [1], "good");
  await other.marks.markAnswer(1, [2], "bad");
  expect(await other.browse.recalls({})).toMatchObject({
    told: [{ event, turns: 2, named: 0, edited: 0, read: 0, shown: 1 }],
    marked: [{ event, good: 1, bad: 1 }],
  });
  await other.close();
});
