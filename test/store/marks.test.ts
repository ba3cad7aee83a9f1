import { expect, test } from "bun:test";
import { join } from "node:path";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, MODEL, NOW, openStore, source, tempDir, turn } from "./builders.ts";
import { text } from "./contract-support.ts";

const CALL = { sessionId: "live", event: "user-prompt-submit", decision: "told", durationMs: 1, time: NOW };
const VECTOR = Float32Array.from({ length: MODEL.dimensions }, (_, i) => (i === 0 ? 1 : 0));

async function withStore(work: (store: SqliteStore) => Promise<void>): Promise<void> {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  try {
    await store.ingest.write(
      batch([turn(0, text(0)), turn(4, text(1), { createdAt: "2026-01-02T00:00:00.000Z" })]),
    );
    await work(store);
  } finally {
    await store.close();
  }
}

/** Records an answer with both turns, and returns its number. */
async function answered(store: SqliteStore, given: object = { prompt: "Why does the timer drift?" }) {
  const turns = [1, 2].map((turnId) => ({ turnId, passage: null }));
  await store.journal.recordHookCall({ ...CALL, ...given, answer: "…", turns });
  return (await store.journal.answers({ limit: 1 }))[0]?.id ?? 0;
}

test("marks of turns are set once and taken back", () =>
  withStore(async ({ marks }) => {
    expect([await marks.mark(1, "mute"), await marks.mark(1, "mute"), await marks.mark(1, "pin")]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await marks.turnMarks()).toEqual([
      { turnId: 1, kind: "mute", time: NOW },
      { turnId: 1, kind: "pin", time: NOW },
    ]);
    expect([await marks.hidden(), await marks.marksOf(1), await marks.marksOf(2)]).toEqual([
      new Set([1]),
      ["mute", "pin"],
      [],
    ]);
    expect([await marks.unmark(1, "mute"), await marks.unmark(1, "mute")]).toEqual([true, false]);
    expect(await marks.hidden()).toEqual(new Set());
  }));

test("marks of answers hold their prompt and its vector; a later mark replaces an earlier one", () =>
  withStore(async (store) => {
    const { marks, journal } = store;
    const id = await answered(store);
    await marks.markAnswer(id, [1, 2], "good");
    await marks.markAnswer(id, [2], "bad");
    await marks.savePromptVector(id, VECTOR);
    const prompt = "Why does the timer drift?";
    expect(await marks.answerMarks()).toEqual([
      { answerId: id, turnId: 1, kind: "good", time: NOW, prompt, subject: null },
      { answerId: id, turnId: 2, kind: "bad", time: NOW, prompt, subject: null },
    ]);
    expect(await marks.bad()).toEqual([
      { turnId: 2, prompt, subject: null, vector: VECTOR, model: MODEL.id },
    ]);
    await marks.mark(2, "pin");
    const [answer] = await journal.answers({ limit: 1, toldBy: "user-prompt-submit" });
    expect(answer?.turns).toEqual([
      { turnId: 1, passage: null, marks: ["good"] },
      { turnId: 2, passage: null, marks: ["bad", "pin"] },
    ]);
    expect([
      await marks.unmarkAnswer(id, [1, 2], "bad"),
      await marks.unmarkAnswer(id, [1, 2], "bad"),
    ]).toEqual([1, 0]);
  }));

test("marks of an answer about a file name the file", () =>
  withStore(async (store) => {
    const id = await answered(store, { event: "pre-tool-use", subject: "src/a.ts" });
    await store.marks.markAnswer(id, [1], "bad");
    expect(await store.marks.bad()).toEqual([
      { turnId: 1, prompt: null, subject: "src/a.ts", vector: null, model: MODEL.id },
    ]);
    expect(await store.journal.answers({ limit: 1, toldBy: "user-prompt-submit" })).toEqual([]);
  }));

test("forgetting a turn removes its marks, and forgetting a prompt removes its vector", () =>
  withStore(async (store) => {
    const id = await answered(store);
    await store.marks.markAnswer(id, [1, 2], "bad");
    await store.marks.savePromptVector(id, VECTOR);
    await store.marks.mark(1, "pin");
    const plan = await store.forget.plan({ turnIds: [1] });
    expect(await store.forget.preview(plan)).toMatchObject({ pinned: 1, pinnedNotes: 0 });
    await store.forget.forget(plan);
    expect(await store.marks.turnMarks()).toEqual([]);
    expect((await store.marks.answerMarks()).map(({ turnId }) => turnId)).toEqual([2]);
    await store.forget.forget(await store.forget.plan({ match: "timer drift" }));
    expect(await store.marks.answerMarks()).toEqual([]);
    const again = await answered(store, { prompt: "Who paints the fence?" });
    await store.ingest.write(batch([turn(8, text(2))]));
    await store.marks.markAnswer(again, [3], "bad");
    await store.marks.savePromptVector(again, VECTOR);
    await store.forget.forget(await store.forget.plan({ match: "Who paints" }));
    expect(await store.marks.bad()).toEqual([
      { turnId: 3, prompt: null, subject: null, vector: null, model: MODEL.id },
    ]);
  }));

test("pruning keeps pinned turns, also under a limit of size", () =>
  withStore(async ({ marks, forget, search }) => {
    await marks.mark(1, "pin");
    for (const request of [
      { before: NOW, maxBytes: null },
      { before: null, maxBytes: 1 },
    ]) {
      const plan = await forget.planPrune({ ...request, keepFrom: NOW });
      expect(plan.turnIds).not.toContain(1);
      await forget.prune(plan);
    }
    expect((await search.turns([1, 2])).map(({ turnId }) => turnId)).toEqual([1]);
  }));

test("marks survive the replacement of a provisional turn and a transcript that is read again", () =>
  withStore(async ({ ingest, marks, search }) => {
    const grown = (words: string, provisional: boolean) =>
      batch([turn(8, `${text(2)} ${words}`, { promptUuid: "p", entryUuids: ["p"], provisional })]);
    await ingest.write(grown("", true));
    await marks.mark(3, "pin");
    await ingest.write(grown("And more.", false));
    await ingest.write(
      batch([turn(2, `${text(2)} Again.`, { promptUuid: "p", entryUuids: ["p"] })], { rewritten: true }),
    );
    expect(await marks.turnMarks()).toEqual([{ turnId: 3, kind: "pin", time: NOW }]);
    expect((await search.turns([3]))[0]?.text).toContain("Again.");
  }));

test("marks of a turn whose prompt becomes part of another turn go to that turn", () =>
  withStore(async ({ ingest, marks }) => {
    const first = { promptUuid: "a", entryUuids: ["a"] };
    const second = { promptUuid: "b", entryUuids: ["b"], provisional: true };
    await ingest.write(batch([turn(10, text(0), first), turn(14, text(2), second)]));
    await marks.mark(4, "mute");
    const joined = turn(10, `${text(0)} ${text(2)}`, { promptUuid: "a", entryUuids: ["a", "b"] });
    await ingest.write(batch([joined], { source: source({ lineIndex: 200 }) }));
    expect(await marks.turnMarks()).toEqual([{ turnId: 3, kind: "mute", time: NOW }]);
  }));
