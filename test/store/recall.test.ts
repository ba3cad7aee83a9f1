import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { RecallStore } from "../../src/store/marks.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, embedAll, openStore, source, tempDir, turn, vectorOf } from "./builders.ts";

/** A session with a subagent, beside another session. Turn 7 is a copy that a colleague pushed. */
async function withRecall(work: (recall: RecallStore, store: SqliteStore) => Promise<void>): Promise<void> {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const store = await openStore(file);
  await store.ingest.write(
    batch([
      turn(30, "[User] three\n\n[Assistant] C"),
      turn(10, "[User] one\n\n[Assistant] A"),
      turn(20, "[User] two\n\n[Assistant] B"),
      turn(12, "[User] of an agent", { agentId: "a" }),
      turn(15, "[User] of the same agent", { agentId: "a" }),
      turn(11, "[User] of another session", { sessionId: "s2" }),
      turn(40, "[User] of a colleague"),
      turn(50, "[User] of another colleague, with the id of the same session"),
    ]),
  );
  const db = new Database(file);
  db.run("UPDATE turns SET foreign_origin = 'team', author = 'ada' WHERE line_index = 40");
  db.run("UPDATE turns SET foreign_origin = 'team', author = 'bob' WHERE line_index = 50");
  db.close();
  try {
    await work(store.recall, store);
  } finally {
    await store.close();
  }
}

test("the latest turns are those of a session's main conversation that were made here", () =>
  withRecall(async (recall) => {
    expect(await recall.latestTurns("s1", 10)).toEqual([1, 3, 2]);
    expect(await recall.latestTurns("s1", 2)).toEqual([1, 3]);
    expect(await recall.latestTurns("s2", 10)).toEqual([6]);
    expect(await recall.latestTurns("unknown", 10)).toEqual([]);
  }));

test("a fork goes on with what it copied, behind what was said in it", () =>
  withRecall(async (recall, store) => {
    const copied = (turnId: number, lineIndex: number) => ({ sessionId: "fork", lineIndex, turnId });
    const copies = [copied(2, 1), copied(3, 2), copied(4, 3)];
    await store.ingest.write({ ...batch([turn(4, "[User] four", { sessionId: "fork" })]), copies });
    const [own, ...before] = await recall.latestTurns("fork", 10);
    expect([before, await recall.latestTurns("fork", 2)]).toEqual([
      [3, 2],
      [own ?? 0, 3],
    ]);
    expect(await recall.copiedTurns("fork", [1, 2, 4, own ?? 0])).toEqual(new Set([2, 4]));
    expect(await recall.copiedTurns("s1", [1, 2])).toEqual(new Set());
  }));

test("a transcript has been read up to its cursor, and an unknown one not at all", () =>
  withRecall(async (recall, store) => {
    const { path, byteOffset } = source();
    expect(await recall.readUntil(path)).toBe(byteOffset);
    expect(await recall.readUntil("/transcripts/other.jsonl")).toBe(0);
    await store.ingest.write(batch([], { source: source({ byteOffset: 1_200 }) }));
    expect(await recall.readUntil(path)).toBe(1_200);
  }));

test("the vectors of turns come chunk by chunk, once they are made", () =>
  withRecall(async (recall, store) => {
    expect(await recall.turnVectors([1, 2])).toEqual([]);
    await embedAll(store);
    expect(await recall.turnVectors([])).toEqual([]);
    expect(await recall.turnVectors([2, 1, 99])).toEqual([
      { turnId: 1, start: 0, end: 12, vector: vectorOf("[User] three") },
      { turnId: 1, start: 14, end: 27, vector: vectorOf("[Assistant] C") },
      { turnId: 2, start: 0, end: 10, vector: vectorOf("[User] one") },
      { turnId: 2, start: 12, end: 25, vector: vectorOf("[Assistant] A") },
    ]);
  }));
