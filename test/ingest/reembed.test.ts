import { expect, test } from "bun:test";
import type { Embedder } from "../../src/embed/embedder.ts";
import { reembed } from "../../src/ingest/vector-stage.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, MODEL, openStore, source, tempDir, turn, vectorOf } from "../store/builders.ts";
import { createHashEmbedder } from "../support/hash-embedder.ts";

const NEXT = { id: "next-model", dimensions: 8, maxTokens: 64 };
const OLD = createHashEmbedder({ ...MODEL, maxTokens: 64 });

/** Enough for several transactions. */
const TURNS = 150;

const write = (store: SqliteStore, lines: readonly number[], sessionId = "s1") =>
  store.ingest.write(
    batch(
      lines.map((line) =>
        turn(line, `[User] question ${line} of ${sessionId}`, {
          sessionId,
          mentions: [{ filePath: `src/file-${line}.ts`, toolName: "Edit" }],
        }),
      ),
      { source: source({ path: `/transcripts/${sessionId}.jsonl`, sessionId }) },
    ),
  );

/** An embedder that stops, or does something else, after so many texts. */
function counting(onText: (count: number) => void | Promise<void>): Embedder & { count: number } {
  const inner = createHashEmbedder(NEXT);
  const embedder = {
    ...inner,
    count: 0,
    async *embedMany(texts: readonly string[]) {
      for await (const each of inner.embedMany(texts)) {
        await onText(++embedder.count);
        yield each;
      }
    },
  };
  return embedder;
}

async function fillOld(store: SqliteStore): Promise<void> {
  for (const { chunkId, content } of await store.ingest.pendingChunks(1000, MODEL.id))
    await store.ingest.saveVectors([{ chunkId, vector: await OLD.embed(content) }], MODEL.id);
  for (const resource of await store.ingest.pendingResources(1000, MODEL.id))
    await store.ingest.saveResources([{ resource, vector: await OLD.embed(resource) }], MODEL.id);
  await store.ingest.refreshAccessPatterns();
}

async function memory(file: string): Promise<SqliteStore> {
  const store = await openStore(file);
  await write(
    store,
    Array.from({ length: TURNS }, (_, i) => i),
  );
  await fillOld(store);
  return store;
}

const run = (store: SqliteStore, embedder: Embedder, signal?: AbortSignal) =>
  reembed({
    store: store.ingest,
    models: store.models,
    openEmbedder: async () => embedder,
    ...(signal && { signal }),
  });

test("an interrupted change of model continues; the old vectors are used until it is complete", async () => {
  using directory = tempDir();
  const file = `${directory.path}/m.db`;
  const first = await memory(file);
  await first.models.prepare(NEXT);
  const killed = counting((count) => {
    if (count > 100) throw new Error("killed");
  });
  await expect(run(first, killed)).rejects.toThrow("killed");
  const query = await OLD.embed("[User] question 7 of s1");
  const before = await first.search.nearestChunks(query, 3);
  expect(before).toHaveLength(3);
  const pattern = await first.search.accessPattern("s1", "full");
  expect(pattern?.length).toBe(MODEL.dimensions);
  await first.close();

  const second = await openStore(file);
  expect(await second.models.active()).toEqual(MODEL);
  const left = await second.ingest.pendingCount(NEXT.id);
  expect(left).toBe(TURNS - 64);
  expect(await second.search.nearestChunks(query, 3)).toEqual(before);
  const embedder = counting(() => {});
  expect(await run(second, embedder)).toEqual({ outcome: "switched", embedded: left });
  // What was saved is not embedded again; files come after the chunks.
  expect(embedder.count).toBe(left + TURNS);
  expect(await second.models.list()).toEqual([
    { ...MODEL, active: false, next: false, vectors: TURNS, pending: 0 },
    { id: NEXT.id, dimensions: 8, active: true, next: false, vectors: TURNS, pending: 0 },
  ]);
  const found = await second.search.nearestChunks(await embedder.embed("[User] question 7 of s1"), 1);
  expect(found[0]?.distance).toBeCloseTo(0, 5);
  expect((await second.search.accessPattern("s1", "full"))?.length).toBe(8);
  await expect(second.search.nearestChunks(query, 1)).rejects.toMatchObject({ code: "model_invalid" });
  await second.close();
});

test("turns that arrive meanwhile wait for both models, and are part of the switch", async () => {
  using directory = tempDir();
  const store = await memory(`${directory.path}/m.db`);
  await store.models.prepare(NEXT);
  const counts: number[][] = [];
  const embedder = counting(async (count) => {
    if (count !== 200) return;
    await write(store, [0, 1], "s2");
    counts.push([await store.ingest.pendingCount(MODEL.id), await store.ingest.pendingCount(NEXT.id)]);
  });
  expect(await run(store, embedder)).toEqual({ outcome: "switched", embedded: TURNS + 2 });
  expect(counts).toEqual([[2, 2]]);
  expect((await store.search.accessPattern("s2", "full"))?.length).toBe(8);
  // Going back needs only what came since.
  await store.models.prepare(MODEL);
  const back = { ...OLD, model: { ...MODEL, maxTokens: 64 } };
  expect(await run(store, back)).toEqual({ outcome: "switched", embedded: 2 });
  expect(await store.models.active()).toEqual(MODEL);
  await store.close();
});

test("stops when interrupted, and is cancelled when another model or the old model is chosen", async () => {
  using directory = tempDir();
  const store = await memory(`${directory.path}/m.db`);
  expect(
    await run(
      store,
      counting(() => {}),
    ),
  ).toBeNull();
  await store.models.prepare(NEXT);
  const stop = new AbortController();
  const stopping = counting((count) => {
    if (count === 10) stop.abort();
  });
  expect(await run(store, stopping, stop.signal)).toEqual({ outcome: "stopped", embedded: 10 });
  const changing = counting(async (count) => {
    if (count === 200) await store.models.prepare(MODEL);
  });
  expect(await run(store, changing)).toEqual({ outcome: "cancelled", embedded: TURNS - 10 });
  expect(await store.models.next()).toBeNull();
  expect(await store.models.switchTo(NEXT.id)).toBe("cancelled");
  expect(await store.models.active()).toEqual(MODEL);
  await store.models.remove(NEXT.id);
  expect(await store.models.list()).toEqual([
    { ...MODEL, active: true, next: false, vectors: TURNS, pending: 0 },
  ]);
  await store.close();
});

test("an empty memory changes its model at once", async () => {
  using directory = tempDir();
  const store = await openStore(`${directory.path}/m.db`);
  await store.models.prepare(NEXT);
  expect(
    await run(
      store,
      counting(() => {}),
    ),
  ).toEqual({ outcome: "switched", embedded: 0 });
  expect(await store.search.nearestChunks(vectorOf("x").slice(0, 8), 1)).toEqual([]);
  await store.close();
});
