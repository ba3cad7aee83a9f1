import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync, cpSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { READER_VERSION } from "../../src/ingest/transcript/state.ts";
import { overriding } from "../bench/overriding.ts";
import { TestMemory } from "./memory.ts";

const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample/projects/-home-dev-tidemark");

/** A memory of transcripts of its own. */
async function sampleMemory(): Promise<{ memory: TestMemory; folder: string; paths: string[] }> {
  const memory = await TestMemory.create();
  const folder = join(memory.directory, "transcripts");
  cpSync(SAMPLE, folder, { recursive: true });
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const paths = names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
  await memory.ingest(paths);
  return { memory, folder, paths };
}

function withDatabase<T>({ file }: TestMemory, work: (db: Database) => T): T {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Everything about turns, chunks and vectors. */
const stateOf = (memory: TestMemory) =>
  withDatabase(memory, (db) => ({
    turns: db.query("SELECT * FROM turns ORDER BY id").all(),
    chunks: db.query("SELECT * FROM chunks ORDER BY id").all(),
    vectors: db.query("SELECT chunk_id, embedding FROM chunk_vectors ORDER BY chunk_id").all(),
    parts: db.query("SELECT turn_id, parts FROM turn_parts ORDER BY turn_id").all(),
    pending: db.query("SELECT count(*) AS n FROM sources WHERE reader_version < ?").get(READER_VERSION),
  }));

/** As if an older version had read the transcripts, and parsed the parts from the texts, badly. */
const age = (memory: TestMemory) =>
  withDatabase(memory, (db) => {
    db.run("UPDATE turn_parts SET parts = '[]'");
    db.run("UPDATE sources SET reader_version = 0");
  });

/** As if it had kept less of every turn. */
const shorten = (memory: TestMemory) =>
  withDatabase(memory, (db) => {
    db.run("UPDATE turns SET full_text = substr(full_text, 1, 20), tool_summary = '[]'");
    db.run("DELETE FROM turn_keywords");
    db.run("INSERT INTO turn_keywords (rowid, text) SELECT id, full_text FROM turns");
    db.run("DELETE FROM chunks WHERE chunk_index > 0");
    db.run("DELETE FROM entries WHERE turn_id % 2 = 0");
    age(memory);
  });

const chunksOf = (memory: TestMemory) =>
  withDatabase(memory, (db) =>
    db.query("SELECT turn_id, chunk_index, content FROM chunks ORDER BY turn_id, chunk_index").all(),
  );

test("what an older version read is read again, and nothing else changes", async () => {
  const { memory, paths } = await sampleMemory();
  await using _ = memory;
  const before = stateOf(memory);
  expect(before.parts.map((row) => JSON.stringify(row)).join()).toContain("thinking");
  const embedded = memory.embedded.length;
  age(memory);
  const report = await memory.ingest([]);
  expect(stateOf(memory)).toEqual(before);
  expect(report).toMatchObject({ turns: { inserted: 0, updated: 0 }, chunks: { written: 0, embedded: 0 } });
  expect(memory.embedded).toHaveLength(embedded);
  expect((await memory.ingest(paths)).files).toMatchObject({ read: 0, unchanged: paths.length });
  expect(stateOf(memory)).toEqual(before);
});

test("turns get what an older version left out, and keep their ids", async () => {
  const { memory } = await sampleMemory();
  await using _ = memory;
  const before = stateOf(memory);
  const chunks = chunksOf(memory);
  shorten(memory);
  await memory.ingest([]);
  const { turns, parts, pending } = stateOf(memory);
  expect({ turns, parts, pending }).toEqual({
    turns: before.turns,
    parts: before.parts,
    pending: before.pending,
  });
  expect(chunksOf(memory)).toEqual(chunks);
});

test("a transcript that grew since is read again whole", async () => {
  const { memory, paths } = await sampleMemory();
  await using _ = memory;
  const before = stateOf(memory);
  shorten(memory);
  const [path = ""] = paths;
  appendFileSync(path, `${JSON.stringify({ type: "progress", sessionId: "s" })}\n`);
  await memory.ingest([path]);
  expect(stateOf(memory).turns).toEqual(before.turns);
});

test("an interrupted read continues with the same transcript", async () => {
  const { memory, paths } = await sampleMemory();
  await using _ = memory;
  const before = stateOf(memory);
  age(memory);
  const { ingest } = memory.store;
  const stop = new AbortController();
  let written = 0;
  const write: typeof ingest.write = async (batch) => {
    const result = await ingest.write(batch);
    if (++written === 2) stop.abort();
    return result;
  };
  const store = overriding(ingest, { write });
  await memory.ingest([], { store, signal: stop.signal });
  const left = (await ingest.sourcesReadBefore(READER_VERSION)).length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(paths.length);
  await memory.ingest([]);
  expect(stateOf(memory)).toEqual(before);
});

test("a transcript that is gone leaves its turns as they are, and is not asked for again", async () => {
  const { memory, folder } = await sampleMemory();
  await using _ = memory;
  age(memory);
  const aged = stateOf(memory);
  renameSync(folder, `${folder}-elsewhere`);
  await memory.ingest([]);
  expect(stateOf(memory)).toEqual({ ...aged, pending: { n: 0 } });
});

test("what was forgotten stays forgotten", async () => {
  const { memory } = await sampleMemory();
  await using _ = memory;
  const { forget } = memory.store;
  await forget.forget(await forget.plan({ turnIds: [2, 12] }));
  await memory.ingest([]);
  const before = stateOf(memory);
  age(memory);
  await memory.ingest([]);
  expect(stateOf(memory)).toEqual(before);
});
