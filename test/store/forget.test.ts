import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Turn } from "../../src/domain.ts";
import type { ForgetSelection, ForgottenField } from "../../src/store/forget.ts";
import type { SqliteOptions, SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { WriteBatch } from "../../src/store/stored.ts";
import { fcOptions } from "../support/fast-check.ts";
import { batch, embedAll, openStore, source, tempDir, turn, vectorOf } from "./builders.ts";
import { facts, uuid } from "./contract-support.ts";

const SECRET = "zanzibarquux";

/** The names of the files that hold the word in their bytes, and tables of words that have it. */
function remains(directory: string, word: string): string[] {
  const files = readdirSync(directory).filter((name) =>
    readFileSync(join(directory, name), "latin1").toLowerCase().includes(word),
  );
  const db = new Database(join(directory, "m.db"), { readonly: true });
  try {
    const tables = ["chunk_keywords", "turn_keywords"].filter((table) => {
      db.run(`CREATE VIRTUAL TABLE temp.${table}_words USING fts5vocab('main', '${table}', 'row')`);
      return db.query(`SELECT 1 FROM temp.${table}_words WHERE term LIKE ?`).get(`%${word}%`) !== null;
    });
    return [...files, ...tables];
  } finally {
    db.close();
  }
}

/** Turns of a transcript: each ends with the prompt of the next, as the reader makes them. */
function thread(prompts: readonly string[], given: Partial<Turn> = {}): Turn[] {
  return prompts.map((prompt, i) => {
    const next = prompts[i + 1];
    const text = `[User] ${prompt}\n\n[Assistant] Answer ${i}.${next === undefined ? "" : `\n\n[User] ${next}`}`;
    const uuids = [uuid(i * 10), uuid(i * 10 + 1)];
    return turn(i * 10, text, { promptUuid: uuids[0] ?? null, entryUuids: uuids, ...given });
  });
}

async function withStore(
  run: (store: SqliteStore, directory: string) => Promise<void>,
  options: Partial<SqliteOptions> = {},
): Promise<void> {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"), options);
  try {
    await run(store, dir.path);
  } finally {
    await store.close();
  }
}

async function forget(store: SqliteStore, selection: ForgetSelection): Promise<void> {
  await store.forget.forget(await store.forget.plan(selection));
  expect(await store.file.compact(0)).toBe(true);
}

const texts = async (store: SqliteStore) => {
  const ids: number[] = [];
  for (const id of await store.exports.sessionIds({})) ids.push(...(await store.exports.turnIds(id, {})));
  return (await store.search.turns(ids)).map(({ text }) => text);
};

describe("forgetting a turn", () => {
  const prompts = ["Boil the water", `Where is ${SECRET}?`, "Paint the fence"];

  test("also removes it from the turn before it, whose chunks stay slices of its text", () =>
    withStore(async (store, directory) => {
      await store.ingest.write(batch(thread(prompts)));
      await embedAll(store);
      expect(remains(directory, SECRET)).toContain("chunk_keywords");
      await forget(store, { turnIds: [2] });
      expect(remains(directory, SECRET)).toEqual([]);
      expect(await texts(store)).toEqual([
        "[User] Boil the water\n\n[Assistant] Answer 0.",
        "[User] Paint the fence\n\n[Assistant] Answer 2.",
      ]);
      const [first] = await store.search.turns([1]);
      const chunks = await store.search.chunks([1, 2, 3, 4, 5, 6]);
      const slices = chunks.filter(({ turnId }) => turnId === 1);
      expect(slices).not.toEqual([]);
      for (const { content, start, end } of slices) expect(first?.text.slice(start, end)).toBe(content);
    }));

  test.each(["again", "rewritten", "at other lines", "copied by another session", "from elsewhere"])(
    "does not bring it back when it is read %s",
    (how) =>
      withStore(async (store, directory) => {
        const original = batch(thread(prompts));
        await store.ingest.write(original);
        await forget(store, { turnIds: [2] });
        const moved = thread(prompts).map((one) => ({ ...one, lineIndex: one.lineIndex + 3 }));
        const copy = thread(prompts, { sessionId: "s2" });
        const given = {
          again: original,
          rewritten: { ...original, rewritten: true },
          "at other lines": { ...batch(moved), rewritten: true },
          "copied by another session": batch(copy, {
            source: source({ path: "/t/s2.jsonl", sessionId: "s2" }),
          }),
          "from elsewhere": { ...original, source: source({ path: "import:ada" }), foreignOrigin: "ada" },
        }[how];
        if (given === undefined) throw new Error(how);
        await store.ingest.write(given);
        expect(remains(directory, SECRET)).toEqual([]);
        expect((await texts(store)).length).toBeGreaterThanOrEqual(2);
      }),
  );

  test("says that its entries are in no turn, so that a copy of them is left out of other turns", () =>
    withStore(async (store) => {
      await store.ingest.write(batch(thread(prompts)));
      await forget(store, { turnIds: [2] });
      const known = await store.ingest.knownEntries([uuid(1), uuid(10), uuid(11), uuid(99)]);
      expect([...known].map(([id, { turnId }]) => [id, turnId])).toEqual([
        [uuid(10), 0],
        [uuid(11), 0],
        [uuid(1), 1],
      ]);
    }));

  test("keeps out a moved turn without uuids, and one that has uuids by now", () =>
    withStore(async (store, directory) => {
      const bare = { promptUuid: null, entryUuids: [] };
      await store.ingest.write(batch(thread(prompts, bare)));
      await forget(store, { turnIds: [2] });
      const moved = thread(prompts, bare).map((one) => ({ ...one, lineIndex: one.lineIndex + 5 }));
      await store.ingest.write({ ...batch(moved), rewritten: true });
      await store.ingest.write({ ...batch(thread(prompts)), rewritten: true });
      expect(remains(directory, SECRET).filter((name) => name.endsWith("keywords"))).toEqual([]);
    }));

  test("takes along what retells it, and the subagents that it set to work", () =>
    withStore(async (store) => {
      const [first, second, third] = thread(prompts);
      if (!first || !second || !third) throw new Error("three turns");
      const time = second.createdAt ?? "";
      const turns = [
        first,
        { ...second, endedAt: "2026-01-01T00:15:00.000Z" },
        { ...third, role: "compaction_summary" as const },
        turn(0, "[User] Look around", { agentId: "a1", createdAt: time, origin: "subagent" }),
        turn(0, "[User] Later", { agentId: "a2", createdAt: "2026-01-01T09:00:00.000Z", origin: "subagent" }),
      ];
      await store.ingest.write(batch(turns));
      const plan = await store.forget.plan({ turnIds: [2] });
      expect({
        ids: [...plan.turnIds].sort(),
        summaries: plan.summaries,
        subagents: plan.subagentTurns,
      }).toEqual({
        ids: [2, 3, 4],
        summaries: 1,
        subagents: 1,
      });
    }));
});

describe("what a session says of itself", () => {
  const prompts = [`Find ${SECRET}`, "Paint the fence"];
  const told = [
    facts("s1", { title: `On ${SECRET}`, titleSource: "ai-title", firstPrompt: `Find ${SECRET}` }),
  ];
  const given = () => batch(thread(prompts), { sessions: told, source: source({ sessions: told }) });

  test.each<[string, ForgetSelection]>([
    ["first turn", { turnIds: [1] }],
    ["last turn left", { turnIds: [1, 2] }],
    ["session", { sessionId: "s1" }],
  ])("goes with its %s, and stays away in a full re-read", (_what, selection) =>
    withStore(async (store, directory) => {
      await store.ingest.write(given());
      const plan = await store.forget.plan(selection);
      expect((await store.forget.preview(plan)).titles).toEqual([{ sessionId: "s1", title: `On ${SECRET}` }]);
      await forget(store, selection);
      expect(remains(directory, SECRET)).toEqual([]);
      await store.ingest.write({ ...given(), rewritten: true });
      expect(remains(directory, SECRET)).toEqual([]);
      await store.ingest.write({ ...given(), turns: [], source: source({ path: "/t/x.jsonl" }) });
      const db = new Database(join(directory, "m.db"), { readonly: true });
      const rows = db.query("SELECT title, first_prompt AS prompt FROM sessions").all();
      db.close();
      expect(JSON.stringify(rows)).not.toContain(SECRET);
    }),
  );

  test("keeps its title when a later turn is removed whose words other turns have too", () =>
    withStore(async (store) => {
      await store.ingest.write(
        batch(thread(["Paint the fence", "Paint it green"]), {
          sessions: [facts("s1", { title: "Paint", titleSource: "summary" })],
        }),
      );
      await forget(store, { turnIds: [2] });
      expect((await store.search.turns([1]))[0]?.sessionTitle).toBe("Paint");
    }));

  test("loses it to a text that only the title has", () =>
    withStore(async (store, directory) => {
      await store.ingest.write(
        batch(thread(["Paint the fence"]), {
          sessions: [facts("s1", { title: `On ${SECRET}`, titleSource: "summary" })],
          subagents: [{ sessionId: "s1", agentId: "a1", agentType: null, task: `Seek ${SECRET}` }],
          prLinks: [
            {
              sessionId: "s1",
              prNumber: 1,
              prUrl: `https://x.test/${SECRET}`,
              prRepository: "x",
              timestamp: null,
            },
          ],
        }),
      );
      await forget(store, { match: SECRET.toUpperCase() });
      expect(remains(directory, SECRET)).toEqual([]);
      expect(await store.search.totals()).toMatchObject({ turns: 1 });
    }));
});

describe("forgetting a path", () => {
  const touching = { mentions: [{ filePath: `src/${SECRET}.ts`, toolName: "Read" }] };

  test("removes turns that touched it or name it, its embedding, and records of its recall", () =>
    withStore(async (store, directory) => {
      const turns = [
        turn(0, "[User] Look there", touching),
        turn(10, `[User] What is in src/${SECRET}.ts?`),
        turn(20, `[User] Not in other/src/${SECRET}.tsx`),
        turn(30, "[User] Paint the fence", { mentions: [{ filePath: "fence.ts", toolName: "Edit" }] }),
      ];
      await store.ingest.write(batch(turns));
      await embedAll(store);
      await store.journal.recordTold({
        sessionId: "s9",
        event: "PreToolUse",
        turnIds: [],
        time: "2026-01-02",
        subject: `src/${SECRET}.ts`,
      });
      const paths = [`src/${SECRET}.ts`, `/home/ada/kettle/src/${SECRET}.ts`];
      const plan = await store.forget.plan({ paths });
      expect({ ids: plan.turnIds, naming: plan.naming }).toEqual({ ids: [1, 2], naming: 1 });
      expect(await store.forget.preview(plan)).toMatchObject({ turns: 2, paths: [`src/${SECRET}.ts`] });
      await forget(store, { paths });
      expect(await texts(store)).toEqual([`[User] Not in other/src/${SECRET}.tsx`, "[User] Paint the fence"]);
      await forget(store, { match: SECRET });
      expect(remains(directory, SECRET)).toEqual([]);
      // An embedding that was under way when its path was forgotten.
      await store.ingest.saveResources([{ resource: `src/${SECRET}.ts`, vector: vectorOf("x") }]);
      expect(remains(directory, SECRET)).toEqual([]);
    }));

  test("takes a directory with all that is below it", () =>
    withStore(async (store) => {
      await store.ingest.write(
        batch([
          turn(0, "[User] a", touching),
          turn(10, "[User] in src2/ and lib/src/"),
          turn(20, "[User] see src/x.ts"),
        ]),
      );
      expect((await store.forget.plan({ paths: ["src/"] })).turnIds).toEqual([1, 3]);
    }));
});

test("several conditions take what all of them hold for", () =>
  withStore(async (store) => {
    await store.ingest.write(batch(thread(["one fence", "two fences", "three kettles"])));
    const before = "2026-01-01T00:05:00.000Z";
    const plan = async (selection: ForgetSelection) => (await store.forget.plan(selection)).turnIds;
    expect(await plan({ match: "fence", before })).toEqual([1]);
    expect(await plan({ sessionId: "s1", match: "two fences" })).toEqual([2]);
    expect(await plan({})).toEqual([]);
  }));

describe("a prune", () => {
  const old = (i: number) =>
    thread([`old ${i} ${"word ".repeat(200)}`], {
      sessionId: `s${i}`,
      promptUuid: uuid(i * 100),
      entryUuids: [uuid(i * 100)],
      createdAt: `2025-0${i}-01T00:00:00.000Z`,
    });

  async function filled(store: SqliteStore): Promise<void> {
    for (const i of [1, 2, 3, 4])
      await store.ingest.write(
        batch(old(i), { source: source({ path: `/t/s${i}.jsonl`, sessionId: `s${i}` }) }),
      );
  }
  const everything = { before: null, maxBytes: null, keepFrom: "2026-01-01" };

  test("removes older turns, but none that are kept whatever the limits", () =>
    withStore(async (store) => {
      await filled(store);
      const ids = async (request: object) =>
        (await store.forget.planPrune({ ...everything, ...request })).turnIds;
      expect(await ids({ before: "2025-03-01" })).toEqual([1, 2]);
      expect(await ids({ before: "2025-12-01", keepFrom: "2025-02-01" })).toEqual([1]);
      expect(await ids({ maxBytes: 1, keepFrom: "2025-04-01" })).toEqual([1, 2, 3]);
      expect(await ids({ maxBytes: 1e9 })).toEqual([]);
    }));

  test("does not come back, and leaves the titles of sessions that keep turns", () =>
    withStore(async (store) => {
      const given = batch(thread(["Paint the fence", "Paint it green"]), {
        sessions: [facts("s1", { title: "Paint", titleSource: "summary" })],
      });
      await store.ingest.write(given);
      await store.forget.prune(
        await store.forget.planPrune({ ...everything, before: "2026-01-01T00:05:00.000Z", keepFrom: "2027" }),
      );
      await store.ingest.write({ ...given, rewritten: true });
      expect(
        (await store.search.turns([1, 2])).map(({ turnId, sessionTitle }) => [turnId, sessionTitle]),
      ).toEqual([[2, "Paint"]]);
    }));
});

describe("facts beside the texts", () => {
  const paint = (given: Partial<Turn> = {}) => thread(["Paint the fence"], given);
  const subagent = { sessionId: "s1", agentId: "a1", agentType: `${SECRET}-reviewer`, task: "Look" };
  const compaction = { sessionId: "s1", lineIndex: 3, trigger: SECRET, preTokens: 1, timestamp: null };
  /** Add a line for each fact that a transcript can tell. */
  test.each<[ForgottenField["name"], string, WriteBatch]>([
    ["branch", `feat/${SECRET}`, batch(paint({ branch: `feat/${SECRET}` }))],
    ["branch", SECRET, batch(paint(), { sessions: [facts("s1", { branch: SECRET })] })],
    ["directory", `/home/${SECRET}/shop`, batch(paint({ cwd: `/home/${SECRET}/shop` }))],
    [
      "directory",
      `/home/${SECRET}`,
      batch(paint(), { sessions: [facts("s1", { projectDir: `/home/${SECRET}` })] }),
    ],
    ["model", `${SECRET}-1`, batch(paint({ model: `${SECRET}-1` }))],
    ["version", `2.1-${SECRET}`, batch(paint({ clientVersion: `2.1-${SECRET}` }))],
    ["agent type", `${SECRET}-reviewer`, batch(paint(), { subagents: [subagent] })],
    ["trigger", SECRET, batch(paint(), { compactions: [compaction] })],
    [
      "kind of entry",
      `${SECRET}-event`,
      batch(paint(), {
        source: source({
          skipped: { progress: 3, [`${SECRET}-event`]: 2 },
          readerState: JSON.stringify({ counts: { skipped: { [`${SECRET}-event`]: 2 } } }),
        }),
      }),
    ],
    [
      "transcript",
      `/t/-home-${SECRET}/s1.jsonl`,
      batch(paint(), { source: source({ path: `/t/-home-${SECRET}/s1.jsonl` }) }),
    ],
  ])("a %s that says it is cleared and does not come back; the turn stays", (name, value, given) =>
    withStore(async (store, directory) => {
      await store.ingest.write(given);
      expect(remains(directory, SECRET)).not.toEqual([]);
      const plan = await store.forget.plan({ match: SECRET });
      expect({ turns: plan.turnIds, fields: plan.fields }).toEqual({ turns: [], fields: [{ name, value }] });
      await forget(store, { match: SECRET });
      expect(remains(directory, SECRET)).toEqual([]);
      await store.ingest.write(given);
      await store.ingest.write({ ...given, rewritten: true });
      expect(await store.file.compact(0)).toBe(true);
      expect([remains(directory, SECRET), await texts(store)]).toEqual([
        [],
        ["[User] Paint the fence\n\n[Assistant] Answer 0."],
      ]);
    }),
  );
});

test("data that another process still reads stays, and a later call removes it", () => {
  const run = async (store: SqliteStore, directory: string) => {
    await store.ingest.write(batch(thread([`Find ${SECRET}`, "Paint"])));
    const reader = new Database(join(directory, "m.db"), { readonly: true });
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM turns").get();
    await store.forget.forget(await store.forget.plan({ match: SECRET }));
    expect([await store.file.compact(60), await store.file.needsCompact()]).toEqual([false, true]);
    reader.run("COMMIT");
    reader.close();
    expect([await store.file.compact(0), await store.file.needsCompact()]).toEqual([true, false]);
    expect(remains(directory, SECRET)).toEqual([]);
  };
  return withStore(run, { busyTimeoutMs: 60_000 });
});

test("what another process reads is waited for", () => {
  const run = async (store: SqliteStore, directory: string) => {
    await store.ingest.write(batch(thread([`Find ${SECRET}`, "Paint"])));
    const reader = new Database(join(directory, "m.db"), { readonly: true });
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM turns").get();
    await store.forget.forget(await store.forget.plan({ match: SECRET }));
    expect(await store.file.needsCompact()).toBe(true);
    // The first try, which finds the reader, has been made when the call returns.
    const compacted = store.file.compact(60_000);
    reader.run("COMMIT");
    reader.close();
    expect(await compacted).toBe(true);
    expect([await store.file.needsCompact(), remains(directory, SECRET)]).toEqual([false, []]);
  };
  return withStore(run, { busyTimeoutMs: 1 });
});

test("whatever is forgotten in whatever order, nothing of it is found, and all the rest is", () => {
  const words = fc.uniqueArray(fc.constantFrom("amber", "birch", "cedar", "dahlia", "elder", "fern"), {
    minLength: 2,
  });
  return fc.assert(
    fc.asyncProperty(words, fc.array(fc.nat(5), { maxLength: 3 }), async (said, picks) => {
      await withStore(async (store, directory) => {
        const given = batch(thread(said.map((word) => `about ${word}leaf`)));
        await store.ingest.write(given);
        const gone = new Set(picks.map((pick) => said[pick % said.length] ?? ""));
        for (const word of gone) await forget(store, { match: `${word}leaf` });
        await store.ingest.write({ ...given, rewritten: true });
        expect([...gone].flatMap((word) => remains(directory, `${word}leaf`))).toEqual([]);
        const kept = said.filter((word) => !gone.has(word));
        expect((await texts(store)).map((text) => /about (\w+)leaf/.exec(text)?.[1])).toEqual(kept);
      });
    }),
    fcOptions(1 / 10),
  );
}, 3_600_000);

describe("what hooks were asked and answered", () => {
  const TIME = "2026-01-01T00:00:00.000Z";
  const call = { event: "user-prompt-submit", decision: "told", durationMs: 1 };
  const asked = (store: SqliteStore) =>
    store.journal
      .answers({ limit: 9 })
      .then((rows) => rows.map(({ prompt, answer, turns }) => ({ prompt, answer, turns })).reverse());

  async function answered(store: SqliteStore): Promise<void> {
    await store.ingest.write(batch(thread([`About ${SECRET}`, "Something else"], { sessionId: "first" })));
    const turns = [{ turnId: 1, passage: `said ${SECRET}` }];
    await store.journal.recordHookCall({
      ...{
        ...call,
        time: "2026-05-01T00:00:00.000Z",
        sessionId: "first",
        prompt: `About ${SECRET}`,
        answer: "Nothing.",
      },
    });
    await store.journal.recordHookCall({
      ...{
        ...call,
        time: TIME,
        sessionId: "second",
        prompt: "What was it?",
        answer: `It is ${SECRET}.`,
        turns,
      },
    });
    await store.journal.recordHookCall({
      ...call,
      time: TIME,
      sessionId: "second",
      prompt: "Else?",
      answer: "Yes.",
    });
  }

  test("goes with the turn", () =>
    withStore(async (store, directory) => {
      await answered(store);
      await forget(store, { turnIds: [1] });
      expect(await asked(store)).toEqual([
        { prompt: null, answer: null, turns: [] },
        { prompt: "What was it?", answer: null, turns: [] },
        { prompt: "Else?", answer: null, turns: [] },
      ]);
      expect(remains(directory, SECRET)).toEqual([]);
    }));

  test("goes with the session", () =>
    withStore(async (store, directory) => {
      await answered(store);
      await forget(store, { sessionId: "first" });
      expect((await asked(store))[0]).toEqual({ prompt: null, answer: null, turns: [] });
      expect(remains(directory, SECRET)).toEqual([]);
    }));

  test("goes with any turn of its session where it says how that stood: it lists files besides", () =>
    withStore(async (store, directory) => {
      await store.ingest.write(batch(thread(["Never round", "Else"], { sessionId: "first" })));
      await store.journal.recordHookCall({
        ...{ ...call, event: "subagent-start", time: TIME, sessionId: "first" },
        ...{ answer: `Never round (turn 1). Files: ${SECRET}`, turns: [{ turnId: 1, passage: null }] },
      });
      await forget(store, { turnIds: [2] });
      expect(remains(directory, SECRET)).toEqual([]);
    }));

  test("goes with the words, also where no turn says them", () =>
    withStore(async (store, directory) => {
      await answered(store);
      await store.journal.recordHookCall({
        ...call,
        time: TIME,
        sessionId: "third",
        prompt: "xylophonics",
        answer: "No.",
      });
      await forget(store, { match: SECRET });
      expect(remains(directory, SECRET)).toEqual([]);
      expect((await store.forget.plan({ match: "xylophonics" })).fields).toEqual([
        { name: "prompt", value: "xylophonics" },
      ]);
      await forget(store, { match: "xylophonics" });
      expect(remains(directory, "xylophonics")).toEqual([]);
    }));
});
