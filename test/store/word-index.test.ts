import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseProblems, rebuildWords, wordProblems } from "../../src/store/sqlite/file/health.ts";
import { batch, openStore, turn } from "./builders.ts";

const TURNS = 40;

let dir = "";
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "mementor-words-"));
  const store = await openStore(file(), { identity: { id: "me", adopt: false } });
  const turns = Array.from({ length: TURNS }, (_, i) =>
    turn(i, `[User] ferry timetable ${i}?\n\n[Assistant] The harbour keeps departure ${i}.`, {
      promptUuid: `prompt-${i}`,
    }),
  );
  await store.ingest.write(batch(turns));
  await store.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = () => join(dir, "mementor.db");

/** Replaces the only page of a table by one without rows, as a damaged disk may. SQLite lets no statement do that. */
function emptied(table: string): void {
  const { page, size } = pageOf(table);
  const bytes = readFileSync(file());
  const start = (page - 1) * size;
  const kind = bytes[start] ?? 0;
  bytes.fill(0, start, start + size);
  bytes.set([kind, 0, 0, 0, 0, size >> 8, size & 0xff, 0], start);
  writeFileSync(file(), bytes);
}

/** Overwrites the text of the last row on the page of a table. */
function zeroed(table: string): void {
  const { page, size } = pageOf(table);
  const bytes = readFileSync(file());
  const start = (page - 1) * size;
  const rows = bytes.readUInt16BE(start + 3);
  const last = start + bytes.readUInt16BE(start + 8 + 2 * (rows - 1));
  bytes.fill(0, last + 24, last + 64);
  writeFileSync(file(), bytes);
}

function pageOf(table: string): { page: number; size: number } {
  using db = new Database(file(), { readwrite: true });
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const size = db.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size ?? 0;
  const page = db
    .query<{ pageno: number }, [string]>(
      "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno LIMIT 1",
    )
    .get(table)?.pageno;
  return { page: page ?? 0, size };
}

async function found(word: string): Promise<number> {
  using db = new Database(file(), { readonly: true });
  return db
    .query<unknown, [string]>("SELECT bm25(turn_keywords) FROM turn_keywords WHERE turn_keywords MATCH ?")
    .all(word).length;
}

test("a sound index has no problems", () => {
  expect(wordProblems(file())).toEqual([]);
  expect(wordProblems(join(dir, "none.db"))).toBeNull();
});

test.each([
  ["turn_keywords_docsize", emptied, `${TURNS} turns have no words`],
  ["chunk_keywords_docsize", emptied, `${2 * TURNS} chunks have no words`],
  ["turn_keywords_data", zeroed, "turn_keywords"],
  ["chunk_keywords_data", zeroed, "chunk_keywords"],
])("damage of %s is found, and mended from the stored texts", async (table, damage, problem) => {
  damage(table);
  expect(databaseProblems(file())).toEqual([]);
  expect(wordProblems(file())?.join("; ")).toContain(problem);
  rebuildWords(file());
  expect(wordProblems(file())).toEqual([]);
  expect(await found("timetable")).toBe(TURNS);
  const store = await openStore(file(), { mode: "readwrite", identity: { id: "me", adopt: false } });
  const next = turn(TURNS, "[User] ferry timetable again?", { promptUuid: "prompt-next" });
  expect(await store.ingest.write(batch([next]))).toMatchObject({ turnsInserted: 1 });
  await store.close();
  expect(await found("timetable")).toBe(TURNS + 1);
});
