import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
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

/** Everything about turns, chunks and vectors that the re-read must not change, and the parts, which it must. */
const stateOf = (memory: TestMemory) =>
  withDatabase(memory, (db) => ({
    turns: db.query("SELECT * FROM turns ORDER BY id").all(),
    chunks: db.query("SELECT * FROM chunks ORDER BY id").all(),
    vectors: db.query("SELECT chunk_id, embedding FROM chunk_vectors ORDER BY chunk_id").all(),
    parts: db.query("SELECT turn_id, parts FROM turn_parts ORDER BY turn_id").all(),
    pending: db.query("SELECT count(*) AS n FROM sources WHERE parts_pending").get(),
  }));

/** As if the parts had been parsed from the texts, and badly. */
const spoil = (memory: TestMemory) =>
  withDatabase(memory, (db) => {
    db.run("UPDATE turn_parts SET parts = '[]'");
    db.run("UPDATE sources SET parts_pending = 1");
  });

test("parts are read again from the transcripts, and nothing else changes", async () => {
  const { memory, paths } = await sampleMemory();
  await using _ = memory;
  const before = stateOf(memory);
  expect(before.parts.map((row) => JSON.stringify(row)).join()).toContain("thinking");
  const embedded = memory.embedded.length;
  spoil(memory);
  const report = await memory.ingest([]);
  expect(stateOf(memory)).toEqual(before);
  expect(report).toMatchObject({ turns: { inserted: 0, updated: 0 }, chunks: { written: 0, embedded: 0 } });
  expect(memory.embedded).toHaveLength(embedded);
  expect((await memory.ingest(paths)).files).toMatchObject({ read: 0, unchanged: paths.length });
  expect(stateOf(memory)).toEqual(before);
});

test("what was stopped goes on with the transcript it was at", async () => {
  const { memory, paths } = await sampleMemory();
  await using _ = memory;
  const before = stateOf(memory);
  spoil(memory);
  const { ingest } = memory.store;
  const stop = new AbortController();
  let finished = 0;
  const saveParts: typeof ingest.saveParts = async (path, turns) => {
    await ingest.saveParts(path, turns);
    if (finished === 2) stop.abort();
  };
  const finishParts: typeof ingest.finishParts = async (path) => {
    await ingest.finishParts(path);
    finished++;
  };
  await memory.ingest([], { store: { ...ingest, saveParts, finishParts }, signal: stop.signal });
  expect(await ingest.transcriptsWithoutParts()).toHaveLength(paths.length - 2);
  await memory.ingest([]);
  expect(stateOf(memory)).toEqual(before);
});

test("a transcript that is gone leaves the parts as they are, and is not asked for again", async () => {
  const { memory, folder } = await sampleMemory();
  await using _ = memory;
  spoil(memory);
  const spoiled = stateOf(memory);
  renameSync(folder, `${folder}-elsewhere`);
  await memory.ingest([]);
  expect(stateOf(memory)).toEqual({ ...spoiled, pending: { n: 0 } });
});

test("a turn without the prompt that followed it gets the parts that are left; another text keeps its own", async () => {
  const { memory } = await sampleMemory();
  await using _ = memory;
  const turnIds = withDatabase(memory, (db) =>
    db
      .query<{ id: number }, []>(
        "SELECT turn_id AS id FROM turn_parts WHERE parts LIKE '%forward%' ORDER BY 1",
      )
      .all(),
  ).map(({ id }) => id);
  const [cut, other] = await memory.store.search.turns(turnIds.slice(0, 2));
  if (!cut || !other) throw new Error("the sample has two turns with a prompt that follows");
  const kept = cut.parts.slice(0, -1);
  withDatabase(memory, (db) => {
    const change = db.query("UPDATE turns SET full_text = ? WHERE id = ?");
    change.run(cut.text.slice(0, kept.at(-1)?.end), cut.turnId);
    change.run("[User] cleaned otherwise", other.turnId);
  });
  spoil(memory);
  await memory.ingest([]);
  const stored = await memory.store.search.turns([cut.turnId, other.turnId]);
  expect(stored.map(({ parts }) => parts)).toEqual([kept, []]);
});
