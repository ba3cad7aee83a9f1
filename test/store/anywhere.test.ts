import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describeDatabase } from "../../src/store/sqlite/file/copy.ts";
import { databaseProblems, wordProblems } from "../../src/store/sqlite/file/health.ts";
import { batch, openNewStore, openStore, tempDir, turn } from "./builders.ts";

const DATABASES = join(import.meta.dir, "../../fixtures/databases");

/**
 * Puts a link to nowhere where SQLite would make the shared index of a database. It follows none, so the database cannot be
 * opened as usual, not even by root, who may write to any disk that is not mounted read-only.
 */
function refuseIndex(file: string): void {
  rmSync(`${file}-shm`, { force: true });
  symlinkSync(join(file, "nowhere"), `${file}-shm`);
}

/** What lies in a directory, each file with its bytes. Where SQLite tried in vain, an empty file may be left. */
function bytesIn(directory: string): Record<string, string> {
  const isHeld = (stats: Stats) => stats.isFile() && stats.size > 0;
  const files = readdirSync(directory).filter((name) => isHeld(lstatSync(join(directory, name))));
  const hash = (name: string) => Bun.hash(readFileSync(join(directory, name))).toString(16);
  return Object.fromEntries(files.sort().map((name) => [name, hash(name)]));
}

async function wordsIn(file: string, words: string): Promise<number> {
  await using store = await openStore(file, { mode: "readonly" });
  return (await store.search.keywordTurns([words], 5)).length;
}

describe("where nothing can be written beside it, a database is read", () => {
  test("with no log beside it", async () => {
    using dir = tempDir();
    const file = join(dir.path, "a memory #1?.db");
    await using writer = await openStore(file);
    await writer.ingest.write(batch([turn(0, "zebra crossing")]));
    await writer.close();
    refuseIndex(file);
    const before = bytesIn(dir.path);
    expect(await wordsIn(file, "zebra")).toBe(1);
    // The first attempt has left an empty log.
    expect(await wordsIn(file, "zebra")).toBe(1);
    expect(bytesIn(dir.path)).toEqual(before);
  });

  test("with what only its log holds yet", async () => {
    using dir = tempDir();
    const [file, copy] = [join(dir.path, "m.db"), join(dir.path, "copy.db")];
    await (await openStore(file)).close();
    await using writer = await openStore(file, { mode: "readwrite" });
    await writer.ingest.write(batch([turn(0, "zebra crossing")]));
    for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, copy + suffix);
    refuseIndex(copy);
    const before = bytesIn(dir.path);
    expect(await wordsIn(copy, "zebra")).toBe(1);
    expect(bytesIn(dir.path)).toEqual(before);
  });

  test("and what another process changes meanwhile is not called damage", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    await using writer = await openStore(file);
    await writer.ingest.write(batch([turn(0, "zebra crossing")]));
    await writer.close();
    refuseIndex(file);
    await using store = await openStore(file, { mode: "readonly" });
    const bytes = readFileSync(file);
    // All but the first page, which says that it is a database.
    writeFileSync(file, bytes.fill(7, 8192));
    await expect(store.search.keywordTurns(["zebra"], 5)).rejects.toMatchObject({
      code: "db_locked",
      message: `the database changed while it was read: ${file}`,
    });
  });

  test("and nothing is written to it", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    await (await openStore(file)).close();
    refuseIndex(file);
    await using store = await openStore(file, { mode: "readonly" });
    await expect(store.ingest.write(batch([turn(0, "more")]))).rejects.toMatchObject({
      code: "not_writable",
    });
  });

  test("for doctor and for a summary of what it holds", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    await using writer = await openStore(file);
    await writer.ingest.write(batch([turn(0, "zebra crossing")]));
    await writer.close();
    refuseIndex(file);
    expect([databaseProblems(file), wordProblems(file)]).toEqual([[], []]);
    expect(describeDatabase(file)).toEqual({ madeBy: "mementor", turns: 1, sessions: 1, notes: 0 });
  });

  test("of an older version, as what it would become", async () => {
    using dir = tempDir();
    const old = Bun.zstdDecompressSync(readFileSync(join(DATABASES, "v2.db.zst")));
    const [file, here] = [join(dir.path, "old.db"), join(dir.path, "here.db")];
    for (const path of [file, here]) writeFileSync(path, old);
    refuseIndex(file);
    const before = bytesIn(dir.path);
    const facts = async (path: string) => {
      await using store = await openNewStore(path, { mode: "readonly" });
      return [await store.search.totals(), await store.browse.sessions({}, { limit: 50 })];
    };
    const asRead = await facts(file);
    expect(bytesIn(dir.path)).toEqual(before);
    expect(asRead).toEqual(await facts(here));
    await using store = await openNewStore(file, { mode: "readonly" });
    await expect(store.journal.recordTold(TOLD)).rejects.toMatchObject({ code: "not_writable" });
  });

  test("of the predecessor not, with what to do", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    copyFileSync(join(DATABASES, "rust-v4.db"), file);
    mkdirSync(`${file}-journal`);
    await expect(openNewStore(file, { mode: "readonly" })).rejects.toMatchObject({
      code: "not_writable",
      hint: expect.stringContaining('"mementor status"'),
    });
  });
});

const TOLD = {
  sessionId: "s1",
  event: "pre-tool-use",
  turnIds: [],
  time: "2026-03-01T12:00:00Z",
  subject: "a",
};

test("a file that is no database is still said to be none", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  writeFileSync(file, "not a database, but some text that is long enough for a header of one".repeat(4));
  await expect(openNewStore(file, { mode: "readonly" })).rejects.toMatchObject({ code: "db_corrupt" });
  const db = new Database(join(dir.path, "other.db"));
  db.run("CREATE TABLE t (a)");
  db.close();
  await expect(openNewStore(join(dir.path, "other.db"), { mode: "readonly" })).rejects.toMatchObject({
    code: "db_foreign",
  });
});
