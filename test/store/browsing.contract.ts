import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Filter, readPath } from "../../src/store/filter.ts";
import type { BrowseStore, ReadStore } from "../../src/store/store.ts";
import { batch, MODEL, tempDir, turn, vectorOf } from "./builders.ts";
import { type OpenWritten, type Written, withFreshMemory } from "./contract-support.ts";
import { at, fillKettle, KETTLE, SCRIPT, TEAPOT } from "./kettle-history.ts";

const path = (typed: string) => readPath(typed, "/app", ["/app"]);

/** What a file and a team's database must list. */
export function browsingContract(name: string, open: OpenWritten): void {
  describe(`${name}: browsing`, () => {
    let directory: ReturnType<typeof tempDir>;
    let written: Written;
    let store: ReadStore;
    let browse: BrowseStore;

    beforeAll(async () => {
      directory = tempDir();
      written = await open(join(directory.path, "memory.db"));
      await fillKettle(written.store);
      store = await written.read();
      browse = store.browse;
    });

    afterAll(async () => {
      await written.close();
      directory[Symbol.dispose]();
    });

    const idOf = async (words: string) => {
      const turns = [...(await browse.turnsOf(KETTLE)), ...(await browse.turnsOf(TEAPOT))];
      return turns.find(({ firstWords }) => firstWords === words)?.turnId ?? -1;
    };

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
              projectDir: store.local && "/home/ada/kettle",
              transcriptPath: store.local && `/t/${KETTLE}.jsonl`,
              startedAt: at(1),
              endedAt: at(2, 11),
              turns: 3,
              files: 2,
              foreign: null,
              author: null,
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
      test("of a session come in order of time, with subagents' and, in a file, copied ones", async () => {
        const turns = await browse.turnsOf(TEAPOT);
        expect(turns.map(({ firstWords, sessionId, agentId }) => [firstWords, sessionId, agentId])).toEqual([
          ...(store.local === null ? [] : [["Mend it.", KETTLE, null]]),
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
          lineIndex: store.local === null ? -1 : 0,
          provisional: false,
          role: "turn",
          origin: "human",
          firstWords: "Why does the kettle leak?",
          title: "Why does the kettle leak?",
          createdAt: at(1),
          endedAt: null,
          branch: "main",
          toolCalls: 2,
          files: ["https://example.org/valves", "src/pipe.ts", "src/valve.ts"],
          foreign: null,
          author: null,
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

      test("of main conversations come newest first", async () => {
        const words = async (...args: Parameters<BrowseStore["recent"]>) =>
          (await browse.recent(...args)).map(({ firstWords }) => firstWords);
        expect(await words(3, {})).toEqual(["Ship it.", "The teapot has the same valve.", "Nightly report."]);
        expect(await words(9, { branch: "leak" })).toEqual(["Thanks"]);
        expect(await words(9, { since: at(2), until: at(5) })).toEqual([
          "Nightly report.",
          "Thanks",
          "Mend it.",
        ]);
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
        expect(
          (await browse.files({ limit: 9, paths: ["src/lid.ts", "nope"] })).map(({ path }) => path),
        ).toEqual(["src/lid.ts"]);
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
    });

    test("pull requests come with the sessions that named them", async () => {
      const all = [
        {
          prNumber: 7,
          prRepository: "ada/kettle",
          prUrl: "https://example.org/pull/7",
          time: at(11),
          sessionIds: [TEAPOT, KETTLE],
          opened: { turnId: await idOf("Mend it."), at: 0, of: 1 },
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
          author: null,
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

    test("there are vectors of a turn, a session and a path", async () => {
      // A store may keep vectors in half the precision.
      const near = (a: Float32Array | null, b: Float32Array) =>
        expect(Math.max(...b.map((value, i) => Math.abs(value - (a?.[i] ?? 9))))).toBeLessThan(0.001);
      near(await browse.meanVector({ turnId: await idOf("Mend it.") }), vectorOf("[User] Mend it."));
      near(await browse.meanVector({ sessionId: SCRIPT }), vectorOf("[User] Nightly report."));
      near(await browse.meanVector({ path: "src/lid.ts" }), vectorOf("[User] Look for others."));
      expect((await browse.meanVector({ sessionId: KETTLE }))?.length).toBe(MODEL.dimensions);
      expect(await browse.meanVector({ turnId: 4711 })).toBeNull();
    });

    test("sessions come in the order asked for, without those that do not exist", async () => {
      const found = await browse.summaries([SCRIPT, "nope", KETTLE]);
      expect(found.map(({ sessionId, automated }) => [sessionId, automated])).toEqual([
        [SCRIPT, true],
        [KETTLE, false],
      ]);
    });

    test("lists know how many rows they have without their limit", async () => {
      const branch = { branch: "main" };
      expect({
        turns: await browse.count("turns"),
        ofSubagent: await browse.count("turns", { filter: { agent: "a1" } }),
        commits: await browse.count("commits"),
        commitsOfBranch: await browse.count("commits", { filter: { branch: "leak" } }),
        prs: await browse.count("prs"),
        prsOfAgent: await browse.count("prs", { filter: { from: "codex" } }),
        files: await browse.count("files"),
        filesBelow: await browse.count("files", { below: "src" }),
        filesBelowOther: await browse.count("files", { below: "sr" }),
        filesOfSession: await browse.count("files", { filter: { session: TEAPOT, ...branch } }),
        touches: await browse.count("touches", { paths: ["src/valve.ts", "src/lid.ts"] }),
        touchesOfSession: await browse.count("touches", {
          paths: ["src/valve.ts"],
          filter: { session: KETTLE },
        }),
      }).toEqual({
        turns: 6,
        ofSubagent: 1,
        commits: 1,
        commitsOfBranch: 0,
        prs: 1,
        prsOfAgent: 0,
        files: 3,
        filesBelow: 3,
        filesBelowOther: 0,
        filesOfSession: 2,
        touches: 4,
        touchesOfSession: 2,
      });
    });

    test("files of matching turns count only their touches", async () => {
      expect(await browse.files({ limit: 1, filter: { session: KETTLE } })).toEqual([
        { path: "src/valve.ts", touches: 2, changes: 1, lastTime: at(2) },
      ]);
    });

    test("branches and agents come with what was done with them", async () => {
      expect(await browse.branches()).toEqual(["main", "leak"]);
      expect(await browse.clients({})).toEqual([
        { client: "claude-code", sessions: 2, turns: 6 },
        { client: "codex", sessions: 1, turns: 1 },
      ]);
      expect(await browse.clients({ from: "codex" })).toEqual([{ client: "codex", sessions: 1, turns: 1 }]);
    });

    test("turns know their session, their files and their commits", async () => {
      const [first, mend] = [await idOf("Why does the kettle leak?"), await idOf("Mend it.")];
      expect(await browse.sessionsOfTurns([mend, 4711, first])).toEqual(
        new Map([
          [mend, KETTLE],
          [first, KETTLE],
        ]),
      );
      expect(await browse.outcomes([first, mend, 4711])).toEqual(
        new Map([
          [first, { files: 2, commits: [] }],
          [mend, { files: 1, commits: ["3f9d2c1aa"] }],
        ]),
      );
    });

    test("a report has files, hours, commits and pull requests of the sessions", async () => {
      const { sessions, ...rows } = await browse.report({ branch: "main", human: true }, 1);
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual([TEAPOT, KETTLE]);
      const pr = { prNumber: 7, prUrl: "https://example.org/pull/7", prRepository: "ada/kettle" };
      expect(rows).toEqual({
        files: [
          { sessionId: TEAPOT, path: "src/lid.ts", touches: 1, changes: 0 },
          { sessionId: TEAPOT, path: "src/valve.ts", touches: 1, changes: 1 },
          { sessionId: KETTLE, path: "src/valve.ts", touches: 2, changes: 1 },
          { sessionId: KETTLE, path: "src/pipe.ts", touches: 1, changes: 0 },
        ],
        hours: [
          { path: "src/valve.ts", hour: "2026-02-01T10", touches: 1 },
          { path: "src/valve.ts", hour: "2026-02-02T10", touches: 1 },
          { path: "src/valve.ts", hour: "2026-02-10T10", touches: 1 },
        ],
        commits: [{ sessionId: KETTLE, hash: "3f9d2c1aa", message: "fix: close the valve\n\nIt leaked." }],
        prs: [
          { sessionId: TEAPOT, ...pr },
          { sessionId: KETTLE, ...pr },
        ],
      });
    });

    test("a report of some turns of a session counts these alone", async () => {
      const { sessions, ...rows } = await browse.report({ until: at(1) }, 1);
      expect(
        sessions.map(({ sessionId, turns, files, ...of }) => [sessionId, turns, files, of.endedAt]),
      ).toEqual([[KETTLE, 1, 2, at(1)]]);
      expect(rows).toMatchObject({
        files: [
          { sessionId: KETTLE, path: "src/pipe.ts", touches: 1, changes: 0 },
          { sessionId: KETTLE, path: "src/valve.ts", touches: 1, changes: 0 },
        ],
        hours: [{ path: "src/pipe.ts", hour: "2026-02-01T10", touches: 1 }],
        commits: [],
      });
      const branch = await browse.report({ branch: "main", human: true }, 1);
      expect(branch.sessions.map(({ turns }) => turns)).toEqual([3, 2]);
    });
  });

  fileHistoryContract(name, open);
}

const mention = (filePath: string, toolName: string) => ({ filePath, toolName });

function fileHistoryContract(name: string, open: OpenWritten): void {
  const withMemory = withFreshMemory(open);
  describe(`${name}: the history of a file`, () => {
    withMemory("starts with the turns that changed it, newer before older", async ({ store, read }) => {
      await store.ingest.write(
        batch(
          [
            turn(1, "[User] Write\nthe valve.\n\n[Assistant] Done.", {
              mentions: [mention("src/valve.ts", "Write")],
            }),
            turn(2, "[User] Look at it.", { mentions: [mention("src/valve.ts", "Read")], branch: "leak" }),
            turn(3, "[User] Mend it.", {
              mentions: [
                mention("src/valve.ts", "Read"),
                mention("src/valve.ts", "Edit"),
                mention("src/pipe.ts", "Edit"),
              ],
              agentId: "a1",
            }),
            turn(4, "[User] Another file.", { mentions: [mention("lib/src/valve.ts", "Edit")] }),
            turn(5, "[User] No time.", { mentions: [mention("src/valve.ts", "Grep")], createdAt: null }),
            turn(6, "[User] Elsewhere.", {
              sessionId: "s2",
              mentions: [mention("src/valve.ts", "MultiEdit")],
            }),
          ],
          {
            sessions: [
              {
                sessionId: "s1",
                projectDir: null,
                title: "Valves",
                titleSource: "summary",
                firstPrompt: null,
                automated: null,
                branch: null,
                startedAt: null,
                endedAt: null,
              },
            ],
          },
        ),
      );
      const { browse } = await read();
      const all = await browse.fileHistory("src/valve.ts", { limit: 10 });
      expect(all.map((touch) => [touch.firstWords, touch.toolNames, touch.sessionId])).toEqual([
        ["Elsewhere.", ["MultiEdit"], "s2"],
        ["Mend it.", ["Edit", "Read"], "s1"],
        ["Write the valve.", ["Write"], "s1"],
        ["Look at it.", ["Read"], "s1"],
        ["No time.", ["Grep"], "s1"],
      ]);
      const byTime = await browse.fileHistory("src/valve.ts", { limit: 3, byTime: true });
      expect(byTime.map(({ firstWords }) => firstWords)).toEqual(["Elsewhere.", "Mend it.", "Look at it."]);
      const [newest] = await browse.fileHistory("src/valve.ts", { limit: 1, filter: { session: "s1" } });
      expect(newest).toEqual({
        turnId: all[1]?.turnId ?? 0,
        sessionId: "s1",
        client: "claude-code",
        origin: "human",
        sessionTitle: "Valves",
        firstWords: "Mend it.",
        title: "Mend it: Valves",
        toolNames: ["Edit", "Read"],
        createdAt: "2026-01-01T00:03:00.000Z",
        branch: "main",
        agentId: "a1",
        foreign: null,
        author: null,
      });
      expect(await browse.fileHistory("valve.ts", { limit: 10 })).toEqual([]);
    });
  });
}
