import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import type { Turn } from "../../src/domain.ts";
import { MementorError } from "../../src/errors.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { WriteBatch } from "../../src/store/stored.ts";
import { composeText } from "../../src/turn/text.ts";
import { fcOptions } from "../support/fast-check.ts";
import { batch, openStore, source, tempDir, turn } from "./builders.ts";
import { uuid } from "./contract-support.ts";

const LONG =
  "The vault of the brass kettle opens with the number that stands below its lid, said three times over.";
const REPLY =
  "It stands there, and I wrote it into the notes of the workshop, where nobody looks for such a number.";

interface Said {
  prompt: string;
  answer: string;
  tools?: string;
}

/** A transcript that says these things; `at` gives its session, its lines and its ids. */
function transcript(said: readonly Said[], at: number, given: Partial<Turn> = {}): WriteBatch {
  const sessionId = `s${at}`;
  const turns = said.map(({ prompt, answer, tools = "" }, i) => {
    const { text, parts } = composeText([
      { kind: "prompt", text: prompt },
      { kind: "answer", text: answer },
      { kind: "tools", text: tools },
      { kind: "forward", text: said[i + 1]?.prompt ?? "" },
    ]);
    const id = uuid(at * 1_000 + i);
    return turn(at + i * 10, text, { sessionId, text, parts, promptUuid: id, entryUuids: [id], ...given });
  });
  return batch(turns, { source: source({ path: `/t/${sessionId}.jsonl`, sessionId }) });
}

/** The same without ids, as records of Codex have none. */
const bare = { promptUuid: null, entryUuids: [] };

async function withStore(run: (store: SqliteStore, file: string) => Promise<void>): Promise<void> {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const store = await openStore(file);
  try {
    await run(store, file);
  } finally {
    await store.close();
  }
}

async function textsOf(store: SqliteStore): Promise<string[]> {
  const ids: number[] = [];
  for (const id of await store.exports.sessionIds({})) ids.push(...(await store.exports.turnIds(id, {})));
  return (await store.search.turns(ids)).map(({ text }) => text);
}

const forget = async (store: SqliteStore, turnIds: number[]) =>
  store.forget.forget(await store.forget.plan({ turnIds }));

describe("a forgotten turn does not come back", () => {
  const said = [
    { prompt: "Boil the water", answer: "It boils." },
    { prompt: LONG, answer: REPLY },
    { prompt: "Paint the fence", answer: "It is green." },
  ];
  const isGone = async (store: SqliteStore) => {
    const texts = (await textsOf(store)).join("\n");
    expect([texts.includes("vault"), texts.includes("workshop")]).toEqual([false, false]);
  };

  test.each<[string, WriteBatch]>([
    ["with a fork that copies whole turns without ids", transcript(said, 7, bare)],
    ["with a copy under new ids", transcript(said, 7)],
    ["with a fork that answers otherwise", transcript([{ prompt: LONG, answer: "I do not know it." }], 7)],
    ["with its answer under another prompt", transcript([{ prompt: "Say it again", answer: REPLY }], 7)],
    ["with other white space", transcript([{ prompt: LONG.replaceAll(" ", "\n  "), answer: "Yes." }], 7)],
    ["from elsewhere", { ...transcript(said, 7), foreignOrigin: "ada" }],
  ])("%s", (_how, copy) =>
    withStore(async (store) => {
      await store.ingest.write(transcript(said, 1));
      await forget(store, [2]);
      await store.ingest.write(copy);
      await isGone(store);
    }),
  );

  test("as context of the turn before it, in a copy that ends there", () =>
    withStore(async (store) => {
      await store.ingest.write(transcript(said, 1));
      await forget(store, [2]);
      const [first] = transcript(said, 7).turns;
      if (!first) throw new Error("a turn");
      await store.ingest.write(batch([first.turn], { source: source({ path: "/t/s7.jsonl" }) }));
      await isGone(store);
      expect(await textsOf(store)).toHaveLength(3);
    }));

  test("nor unnoticed: turns that stay although they say a line of it are named", () =>
    withStore(async (store) => {
      const line = "The old workshop was closed in the spring of that year.";
      const telling = [
        { prompt: "What became of it?", answer: `I looked.\n${line}` },
        { prompt: `> ${line}\nIs that so?`, answer: "It is." },
        { prompt: "What became of the mill?", answer: "I looked." },
        { prompt: "Say it again", answer: `- ${line}` },
      ];
      await store.ingest.write(transcript(telling, 1));
      const plan = await store.forget.plan({ turnIds: [1] });
      expect((await store.forget.preview(plan)).quoting).toEqual([2, 4]);
      expect((await store.forget.preview(plan, true)).quoting).toEqual([]);
      const all = await store.forget.plan({ match: line });
      expect([all.turnIds, (await store.forget.preview(all)).quoting]).toEqual([[1, 2, 4], []]);
    }));

  test("as context of a copy that is here already, and takes the copies of its words along", () =>
    withStore(async (store) => {
      await store.ingest.write(transcript(said, 1));
      await store.ingest.write(transcript(said, 7));
      const plan = await store.forget.plan({ turnIds: [2] });
      expect([plan.turnIds, plan.copies]).toEqual([[2, 5], 1]);
      expect(await store.forget.preview(plan)).toMatchObject({ turns: 2, copies: 1 });
      await store.forget.forget(plan);
      await isGone(store);
      expect(await textsOf(store)).toHaveLength(4);
    }));

  test("in pieces: its beginning goes once its words are known, and so does what quotes it", () =>
    withStore(async (store) => {
      const pin = [
        { prompt: "Boil it", answer: "Yes." },
        { prompt: "my pin is 4831", answer: "Noted." },
      ];
      await store.ingest.write(transcript(pin, 1));
      await forget(store, [2]);
      const begun = transcript(
        [pin[0], { prompt: "my pin is 4831", answer: "" }].flatMap((one) => one ?? []),
        7,
        bare,
      );
      const [before, open] = begun.turns;
      if (!before || !open) throw new Error("two turns");
      await store.ingest.write({
        ...begun,
        turns: [before, { ...open, turn: { ...open.turn, provisional: true } }],
      });
      const [, whole] = transcript(pin, 7, bare).turns;
      if (!whole) throw new Error("a turn");
      await store.ingest.write({ ...begun, turns: [whole] });
      expect((await textsOf(store)).join("\n")).not.toContain("4831");
    }));

  test("with a copy that ends within the turn", () =>
    withStore(async (store) => {
      const pin = { prompt: "my pin is 4831", answer: `${REPLY} And it is told to nobody.` };
      await store.ingest.write(transcript([pin], 1));
      await forget(store, [1]);
      await store.ingest.write(transcript([{ ...pin, answer: `${REPLY} And` }], 7));
      expect(await textsOf(store)).toEqual([]);
    }));

  test("whatever is taken out of its text by then", () =>
    withStore(async (store) => {
      const [first] = transcript(said, 1).turns;
      const secret = transcript([{ prompt: LONG.replace("brass", "[redacted]"), answer: "Yes." }], 7)
        .turns[0];
      const before = transcript([{ prompt: LONG, answer: "Yes." }], 7).turns[0];
      if (!first || !secret || !before) throw new Error("turns");
      const { hashWording } = await import("../../src/turn/wording.ts");
      await store.ingest.write(batch([{ ...secret.turn, wording: hashWording(before.turn) }]));
      await forget(store, [1]);
      await store.ingest.write(transcript([{ prompt: LONG, answer: "No." }], 9));
      await isGone(store);
    }));
});

test("a pull request goes with the turn that opened it, and a fork does not bring its address back", () =>
  withStore(async (store, file) => {
    const said = [
      { prompt: "Open it", answer: "It is open." },
      { prompt: "Paint it", answer: "It is green." },
    ];
    const link = (sessionId: string) => ({
      sessionId,
      prNumber: 7,
      prUrl: "https://forge.test/ada/kettle/pull/7",
      prRepository: "ada/kettle",
      timestamp: "2026-01-01T00:01:30.000Z",
    });
    const given = transcript(said, 1);
    const turns = given.turns.map((item) => ({
      ...item,
      turn: { ...item.turn, endedAt: "2026-01-01T00:02:00.000Z" },
    }));
    await store.ingest.write({ ...given, turns, prLinks: [link("s1")] });
    await forget(store, [1]);
    await store.ingest.write({ ...transcript(said, 7), prLinks: [link("s7")] });
    await store.ingest.write({ ...given, rewritten: true, prLinks: [link("s1")] });
    const db = new Database(file, { readonly: true });
    const links = db.query("SELECT * FROM pr_links").all();
    db.close();
    expect(links).toEqual([]);
  }));

test("a forgotten session leaves no name of a kind of line, and one count of all", () =>
  withStore(async (store, file) => {
    const given = transcript([{ prompt: "Boil it", answer: "Yes." }], 1);
    const skipped = { progress: 3, "kettle-event": 2 };
    const readerState = JSON.stringify({ counts: { skipped } });
    const told = { ...given, source: { ...given.source, skipped, readerState } };
    await store.ingest.write(told);
    await store.forget.forget(await store.forget.plan({ sessionId: "s1" }));
    const kinds = () => {
      const db = new Database(file, { readonly: true });
      const rows = db.query("SELECT skipped, reader_state AS state FROM sources").all();
      db.close();
      return rows;
    };
    const left = [{ skipped: '{"other":5}', state: '{"counts":{"skipped":{"other":5}}}' }];
    expect(kinds()).toEqual(left);
    await store.ingest.write({ ...told, rewritten: true });
    expect(kinds()).toEqual(left);
  }));

test("a turn that says the same only while it goes on is stored when it says more", () =>
  withStore(async (store) => {
    await store.ingest.write(transcript([{ prompt: "continue", answer: "" }], 1));
    await forget(store, [1]);
    const [open] = transcript([{ prompt: "continue", answer: "" }], 7).turns;
    const [whole] = transcript([{ prompt: "continue", answer: "The fence is painted." }], 7).turns;
    if (!open || !whole) throw new Error("turns");
    const given = { source: source({ path: "/t/s7.jsonl", sessionId: "s7" }) };
    await store.ingest.write(batch([{ ...open.turn, provisional: true }], given));
    expect(await textsOf(store)).toEqual([]);
    await store.ingest.write(batch([whole.turn], given));
    expect(await textsOf(store)).toEqual(["[User] continue\n\n[Assistant] The fence is painted."]);
  }));

test("a damaged key keeps no turn from being stored", async () => {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"), {
    tombstoneKey: () => {
      throw new MementorError("io", "damaged");
    },
  });
  const [one] = transcript([{ prompt: "The key is [redacted]", answer: "Yes." }], 1).turns;
  if (!one) throw new Error("a turn");
  const wording = { turn: ["0".repeat(64)], forward: null, copy: null };
  await store.ingest.write(batch([{ ...one.turn, wording }]));
  expect(await textsOf(store)).toHaveLength(1);
  await store.close();
});

test("forgetting one short turn removes no other, whatever the transcripts say, however often they are read", () => {
  const words = fc.constantFrom("yes", "no", "go on", "Done.", "my pin is 4831", `${LONG} And more.`);
  const said = fc.record({
    prompt: fc.constantFrom("yes", "no", "go on"),
    answer: words,
    tools: fc.constantFrom("", "Edit(kettle.ts)"),
  });
  const sessions = fc.array(fc.array(said, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  return fc.assert(
    fc.asyncProperty(sessions, fc.nat(20), fc.boolean(), async (given, pick, hasIds) => {
      await withStore(async (store) => {
        const batches = given.map((one, i) => transcript(one, i + 1, hasIds ? {} : bare));
        for (const one of batches) await store.ingest.write(one);
        const all = await store.search.turns(Array.from({ length: given.flat().length }, (_, i) => i + 1));
        const chosen = all[pick % all.length];
        if (!chosen) throw new Error("a turn");
        const plan = await store.forget.plan({ turnIds: [chosen.turnId] });
        const isShort = chosen.text.length < 80;
        if (isShort) expect(plan.turnIds).toEqual([chosen.turnId]);
        await store.forget.forget(plan);
        for (const one of batches) await store.ingest.write({ ...one, rewritten: true });
        const left = await store.search.turns(all.map(({ turnId }) => turnId));
        const expected = all.map(({ turnId }) => turnId).filter((id) => !plan.turnIds.includes(id));
        expect(left.map(({ turnId }) => turnId)).toEqual(expected);
        expect((await textsOf(store)).length).toBe(expected.length);
      });
    }),
    fcOptions(1 / 10),
  );
}, 3_600_000);
