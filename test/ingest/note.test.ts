import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Note, type NoteDeps, sessionOfNotes, writeNote } from "../../src/ingest/note.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { openStore, tempDir, vectorOf } from "../store/builders.ts";

const TEXT = "The kettle stays blue. The supplier has no other paint.";
const note = (facts: Partial<Note> = {}): Note => ({
  ...{ text: TEXT, author: "user", session: null, directory: "/home/ada/kettle", branch: "main" },
  time: new Date("2026-03-04T12:00:00Z"),
  ...facts,
});
const tokenizer = { count: (text: string) => text.split(/\s+/).length };

async function withStore(
  work: (
    store: SqliteStore,
    write: (note: Note, deps?: Partial<NoteDeps>) => ReturnType<typeof writeNote>,
  ) => Promise<void>,
): Promise<void> {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  const embed = async (text: string) => vectorOf(text);
  try {
    await work(store, (given, deps = {}) =>
      writeNote(given, { store: store.ingest, tokenizer, embed, ...deps }),
    );
  } finally {
    await store.close();
  }
}

test("a note is a session of one turn, embedded at once", () =>
  withStore(async (store, write) => {
    const { turnId, sessionId, isEmbedded } = await write(note());
    expect(isEmbedded).toBe(true);
    expect(await store.search.turns([turnId])).toMatchObject([
      {
        ...{ sessionId, client: "note", role: "turn", origin: "human", provisional: false, foreign: null },
        ...{
          text: `[User] ${TEXT}`,
          branch: "main",
          cwd: "/home/ada/kettle",
          createdAt: "2026-03-04T12:00:00.000Z",
        },
      },
    ]);
    expect(await store.browse.sessions({ from: "note", human: true }, { limit: 9 })).toMatchObject({
      ...{
        total: 1,
        sessions: [{ sessionId, firstPrompt: TEXT, turns: 1, startedAt: "2026-03-04T12:00:00.000Z" }],
      },
    });
    const [near] = await store.search.nearestChunks(vectorOf("Is the kettle blue?"), 1);
    expect(near?.turnId).toBe(turnId);
  }));

test("the session in which an agent wrote a note is known by its source", () =>
  withStore(async (store, write) => {
    const session = { client: "codex", sessionId: "0196f3a2-7c41-7d0e-9a52-5d1f1f0f7a11" };
    const found = async (given: Note) => {
      const { turnId } = await write(given);
      return sessionOfNotes((await store.browse.transcriptPlace(turnId))?.path ?? "");
    };
    expect(await found(note({ author: "agent", session }))).toEqual(session);
    expect(await found(note())).toBeNull();
    for (const sessionId of ["../../x", "a b", "x".repeat(200), ""])
      expect(await found(note({ author: "agent", session: { ...session, sessionId } }))).toBeNull();
  }));

test("notes stay apart, also with the same words at the same time", () =>
  withStore(async (_, write) => {
    const [first, second] = [await write(note()), await write(note())];
    expect(first.turnId).not.toBe(second.turnId);
    expect(first.sessionId).not.toBe(second.sessionId);
    expect(second.isEmbedded).toBe(true);
  }));

test("without a model, a note is found by its words and waits for a vector", () =>
  withStore(async (store, write) => {
    for (const embed of [null, async () => null]) {
      const { turnId, isEmbedded } = await write(note(), { embed });
      expect(isEmbedded).toBe(false);
      expect((await store.search.keywordTurns(["supplier"], 9)).map((hit) => hit.turnId)).toContain(turnId);
    }
    expect(await store.ingest.pendingCount()).toBe(2);
  }));

test("the note of an agent is marked as such", () =>
  withStore(async (store, write) => {
    const { turnId } = await write(note({ author: "agent" }));
    expect(await store.search.turns([turnId])).toMatchObject([
      { client: "note", origin: "agent", text: `[Note by an agent] ${TEXT}` },
    ]);
  }));

test("what is empty, private or too long is no note", () =>
  withStore(async (store, write) => {
    for (const text of ["", " \n", "<private>all of it</private>", "x".repeat(8_001)])
      await expect(write(note({ text }))).rejects.toMatchObject({ code: "usage" });
    expect((await store.search.totals()).turns).toBe(0);
  }));

test("the user may note forgotten words again, an agent may not", () =>
  withStore(async (store, write) => {
    for (const text of [TEXT, `${TEXT} ${"It was asked for in writing, and refused. ".repeat(3)}`]) {
      const { turnId } = await write(note({ text }));
      await store.forget.forget(await store.forget.plan({ turnIds: [turnId] }));
      await expect(write(note({ text, author: "agent" }))).rejects.toMatchObject({
        code: "usage",
        message: "The note was not stored: the user forgot these words here.",
      });
      const again = await write(note({ text }));
      expect(again.turnId).toBeGreaterThan(0);
      expect(await store.search.turns([again.turnId])).toMatchObject([{ text: `[User] ${text.trim()}` }]);
      expect(await store.browse.sessions({ from: "note" }, { limit: 9 })).toMatchObject({
        sessions: [{ sessionId: again.sessionId, firstPrompt: text.trim(), turns: 1 }],
      });
      await store.forget.forget(await store.forget.plan({ turnIds: [again.turnId] }));
    }
    expect((await store.search.totals()).turns).toBe(0);
  }));
