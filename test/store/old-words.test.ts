import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { batch, openStore, tempDir, turn } from "./builders.ts";

const TEXTS = [
  "[User] API를 고쳐줘\n\n[Assistant] 고쳤습니다.",
  "[User] Wo steht die Größe?\n\n[Assistant] Das ist nicht in der Konfigurationsdatei.",
  "[User] paint the fence\n\n[Assistant] It is green — as asked ✓.",
];

/** A memory whose index has the texts alone, as if the words of today were not known when it was made. */
async function oldMemory(file: string, turns: number): Promise<void> {
  const store = await openStore(file);
  await store.ingest.write(
    batch(Array.from({ length: turns }, (_, i) => turn(i, TEXTS[i % TEXTS.length] ?? ""))),
  );
  await store.close();
  using db = new Database(file);
  for (const [table, rows] of [
    ["turn_keywords", "SELECT id, full_text AS text FROM turns"],
    ["chunk_keywords", "SELECT id, content AS text FROM chunks"],
  ] as const)
    for (const { id, text } of db.query<{ id: number; text: string }, []>(rows).all()) {
      db.run(`DELETE FROM ${table} WHERE rowid = ?`, [id]);
      db.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, [id, text]);
    }
  db.run("DELETE FROM meta WHERE key = 'keywords'");
}

test("a new memory has the words of today", async () => {
  using directory = tempDir();
  const store = await openStore(join(directory.path, "m.db"));
  expect(await store.words.due()).toBeNull();
  await store.close();
});

test("an old memory gets the words of today step by step, and only texts that have others", async () => {
  using directory = tempDir();
  const file = join(directory.path, "m.db");
  await oldMemory(file, 150);
  const store = await openStore(file);
  const found = async () =>
    Promise.all(
      ["api", "grosse", "datei", "fence"].map(
        async (term) =>
          `${term} ${(await store.search.keywordTurns([term], 200)).length} ${(await store.search.keywordChunks([term], 200)).length}`,
      ),
    );
  expect(await found()).toEqual(["api 0 0", "grosse 0 0", "datei 0 0", "fence 50 50"]);
  expect(await store.words.due()).toBe(0);
  const first = await store.words.index(0);
  expect(first.changed).toBe(67);
  await store.close();

  const again = await openStore(file);
  expect(await again.words.due()).toBe(first.next);
  expect(await again.words.index(first.next ?? 0)).toEqual({ changed: 33, next: null });
  expect(await again.words.due()).toBeNull();
  const counts = await Promise.all(
    ["api", "groesse", "datei", "fence"].map(
      async (term) => (await again.search.keywordTurns([term], 200)).length,
    ),
  );
  expect(counts).toEqual([50, 50, 50, 50]);
  await again.close();
});
