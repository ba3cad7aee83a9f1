import { expect, test } from "bun:test";
import { join } from "node:path";
import { pageRequest, searchOne } from "../../src/mcp/found.ts";
import type { Memory } from "../../src/mcp/memory.ts";
import { searchTool } from "../../src/mcp/search.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, MODEL, openStore, source, tempDir, turn } from "../store/builders.ts";
import { createHashEmbedder } from "../support/hash-embedder.ts";

const TEXT = "[User] why are the amounts stored in cents?";
const OLD = createHashEmbedder({ ...MODEL, maxTokens: 64 });

/** A memory of one turn, which has a vector of the model in use. */
async function withMemory(look: (store: SqliteStore) => Promise<void>): Promise<void> {
  using directory = tempDir();
  const store = await openStore(join(directory.path, "mementor.db"));
  try {
    await store.ingest.write(batch([turn(0, TEXT)], { source: source() }));
    for (const { chunkId, content } of await store.ingest.pendingChunks(10, MODEL.id))
      await store.ingest.saveVectors([{ chunkId, vector: await OLD.embed(content) }], MODEL.id);
    await look(store);
  } finally {
    await store.close();
  }
}

/** The memory as tools see it, as far as a search asks it. */
function seenBy(store: SqliteStore): Memory {
  const elsewhere = () => {
    throw new Error("not asked for");
  };
  return {
    read: (look) => look(store),
    embed: (text) => OLD.embed(text),
    filter: async () => ({}),
    unseen: async () => ({}),
    by: "server",
    now: () => new Date("2026-03-04T12:00:00Z"),
    ...{
      askedBy: elsewhere,
      note: elsewhere,
      of: elsewhere,
      team: elsewhere,
      all: { search: elsewhere },
      cwd: "/p",
    },
  };
}

const PAGE = { limit: 5, offset: 0, maxTokens: 1_000 };

test("an answer to an agent says that the model changes, and what answers until then", () =>
  withMemory(async (store) => {
    const ask = (args: object) => searchTool.call({ query: "amounts in cents", ...args }, seenBy(store));
    const before = await ask({});
    expect(before.text).not.toContain("model");
    expect(before.structured).not.toHaveProperty("next_model");

    await store.models.prepare({ id: "next-model", dimensions: 8 });
    const line =
      'The memory changes to the model next-model: 1 chunk to embed; until then searches use the old vectors and words. "mementor ingest --now" finishes it.';
    const changing = await ask({});
    expect(changing.text.split("\n")).toContain(line);
    expect(changing.structured).toMatchObject({
      results: [{ turn_id: 1 }],
      next_model: { id: "next-model", pending_chunks: 1 },
    });
    expect((await ask({ query: "zebra" })).structured).toHaveProperty("next_model");
    expect((await ask({ mode: "keyword" })).text).not.toContain(line);
  }));

test("the vectors of the old model answer meanwhile", () =>
  withMemory(async (store) => {
    await store.models.prepare({ id: "next-model", dimensions: 8 });
    const found = await searchOne(pageRequest(TEXT, "vector", PAGE), {}, seenBy(store));
    expect(found).toMatchObject({ hits: [{ hit: { turn: { turnId: 1 } } }] });
    expect(found.hits[0]?.hit.sources).toContain("vector");
  }));
