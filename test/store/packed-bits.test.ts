import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, embedAll, forgetTurns, openStore, tempDir, turn, vectorOf } from "./builders.ts";

/** Two full blocks of 1,024 ids, and some of a third. */
const TURNS = 125;
const CHUNKS_A_TURN = 20;

const QUERY = vectorOf("word 17 of turn 41");

async function fill(store: SqliteStore): Promise<void> {
  const turns = Array.from({ length: TURNS }, (_, i) =>
    turn(i, Array.from({ length: CHUNKS_A_TURN }, (_, k) => `word ${k} of turn ${i}`).join("\n\n")),
  );
  await store.ingest.write(batch(turns));
  await embedAll(store);
}

function packedBlocks(file: string): { model: number; block: number; chunks: number }[] {
  const db = new Database(file, { readonly: true });
  const rows = db
    .query<{ model: number; block: number; chunks: number }, []>(
      `SELECT model_id AS model, block, length(chunk_ids) / 4 AS chunks FROM packed_bits ORDER BY 1, 2`,
    )
    .all();
  db.close();
  return rows;
}

function change(file: string, sql: string): void {
  const db = new Database(file);
  db.run(sql);
  db.close();
}

/** What is found, which must be the same when every row is read by itself. */
async function found(store: SqliteStore, file: string, query = QUERY): Promise<number[]> {
  const hits = await store.search.nearestChunks(query, 50);
  change(file, "DELETE FROM packed_bits");
  expect(await store.search.nearestChunks(query, 50)).toEqual(hits);
  return hits.map(({ chunkId }) => chunkId);
}

let filled: Promise<Buffer> | null = null;

/** The bytes of a filled database, made once. */
function filledDatabase(): Promise<Buffer> {
  filled ??= (async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    const store = await openStore(file);
    await fill(store);
    await store.close();
    if (existsSync(`${file}-wal`)) throw new Error("the filled database has a log beside it");
    return readFileSync(file);
  })();
  return filled;
}

async function withMemory(run: (store: SqliteStore, file: string) => Promise<void>): Promise<void> {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  writeFileSync(file, await filledDatabase());
  const store = await openStore(file);
  try {
    await run(store, file);
  } finally {
    await store.close();
  }
}

test("full blocks are packed once all their chunks have vectors", () =>
  withMemory(async (store, file) => {
    expect(packedBlocks(file)).toEqual([
      { model: 1, block: 0, chunks: 1_023 },
      { model: 1, block: 1, chunks: 1_024 },
    ]);
    expect((await found(store, file))[0]).toBe(41 * CHUNKS_A_TURN + 18);
  }));

test("blocks that were lost are packed again with the next vectors", () =>
  withMemory(async (store, file) => {
    change(file, "DELETE FROM packed_bits WHERE block = 0");
    await store.ingest.write(batch([turn(TURNS, "one more")]));
    await embedAll(store);
    expect(packedBlocks(file).map(({ block }) => block)).toEqual([0, 1]);
    expect((await found(store, file, vectorOf("one more")))[0]).toBe(TURNS * CHUNKS_A_TURN + 1);
  }));

test("what was forgotten is in no block and is not found", () =>
  withMemory(async (store, file) => {
    await forgetTurns(store, [42]);
    expect(packedBlocks(file).map(({ block }) => block)).toEqual([1]);
    const forgotten = Array.from({ length: CHUNKS_A_TURN }, (_, i) => 41 * CHUNKS_A_TURN + i + 1);
    expect((await found(store, file)).filter((id) => forgotten.includes(id))).toEqual([]);
    await store.ingest.saveVectors([{ chunkId: 1, vector: vectorOf("word 0 of turn 0") }]);
    expect(packedBlocks(file)).toEqual([
      { model: 1, block: 0, chunks: 1_003 },
      { model: 1, block: 1, chunks: 1_024 },
    ]);
  }));

test("nothing is lost when the last block goes", () =>
  withMemory(async (store, file) => {
    await forgetTurns(
      store,
      Array.from({ length: 24 }, (_, i) => TURNS - i),
    );
    expect((await found(store, file, vectorOf("word 3 of turn 100")))[0]).toBe(100 * CHUNKS_A_TURN + 4);
  }));

test("a vector that changes is found where it is now", () =>
  withMemory(async (store, file) => {
    await store.ingest.saveVectors([{ chunkId: 5, vector: QUERY }]);
    expect(packedBlocks(file).map(({ block }) => block)).toEqual([0, 1]);
    expect((await found(store, file)).slice(0, 2)).toEqual([5, 41 * CHUNKS_A_TURN + 18]);
  }));

test("a vector that comes late into a packed block is found", () =>
  withMemory(async (store, file) => {
    change(file, "DELETE FROM chunk_bits WHERE chunk_id = 5");
    change(file, "DELETE FROM chunk_vectors WHERE chunk_id = 5");
    await store.ingest.saveVectors([{ chunkId: 6, vector: vectorOf("word 5 of turn 0") }]);
    expect(packedBlocks(file)[0]).toEqual({ model: 1, block: 0, chunks: 1_022 });
    await store.ingest.saveVectors([{ chunkId: 5, vector: QUERY }]);
    expect(packedBlocks(file)[0]).toEqual({ model: 1, block: 0, chunks: 1_023 });
    expect((await found(store, file))[0]).toBe(5);
  }));

test("each model has blocks of its own, as wide as its vectors", () =>
  withMemory(async (store, file) => {
    await store.models.add({ id: "wide", dimensions: 40 });
    const wide = (text: string) => {
      const vector = vectorOf(text);
      return Float32Array.from({ length: 40 }, (_, i) => vector[i % 32] ?? 0);
    };
    for (;;) {
      const chunks = await store.ingest.pendingChunks(500, "wide");
      if (chunks.length === 0) break;
      const vectors = chunks.map(({ chunkId, content }) => ({ chunkId, vector: wide(content) }));
      await store.ingest.saveVectors(vectors, "wide");
    }
    expect(packedBlocks(file).map(({ model, block }) => [model, block])).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ]);
    await store.models.activate("wide");
    await store.models.remove("test-model");
    expect(packedBlocks(file).map(({ model, block }) => [model, block])).toEqual([
      [2, 0],
      [2, 1],
    ]);
    expect((await found(store, file, wide("word 17 of turn 41")))[0]).toBe(41 * CHUNKS_A_TURN + 18);
  }));

test.each(["readonly", "readwrite"] as const)(
  "a database without blocks is opened in mode %s",
  async (mode) => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    writeFileSync(file, await filledDatabase());
    const writer = await openStore(file);
    const before = await writer.search.nearestChunks(QUERY, 50);
    await writer.close();
    change(file, "DELETE FROM packed_bits");
    const store = await openStore(file, { mode });
    expect(await store.search.nearestChunks(QUERY, 50)).toEqual(before);
    await store.close();
    const later = await openStore(file);
    await later.ingest.write(batch([turn(TURNS, "one more")]));
    await embedAll(later);
    expect(packedBlocks(file).map(({ block }) => block)).toEqual([0, 1]);
    await later.close();
  },
);

test.each([
  ["packed", "", 2],
  // All single rows are one page.
  ["single", "DELETE FROM packed_bits", 1],
])("a scan of %s rows stops when it gets late, at whatever step", (_what, sql, leastSteps) =>
  withMemory(async (store, file) => {
    if (sql) change(file, sql);
    const scan = async (steps: number) => {
      let asked = 0;
      const hits = await store.search.nearestChunks(QUERY, 50, {}, () => ++asked > steps);
      return { asked, hits };
    };
    const whole = await scan(Number.POSITIVE_INFINITY);
    expect(whole.hits).toEqual(await store.search.nearestChunks(QUERY, 50));
    expect(whole.asked).toBeGreaterThanOrEqual(leastSteps);
    for (let steps = 0; steps < whole.asked; steps++)
      expect(await scan(steps)).toEqual({ asked: steps + 1, hits: [] });
    expect((await scan(whole.asked)).hits).toEqual(whole.hits);
  }),
);
