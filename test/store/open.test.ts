import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LATEST_VERSION } from "../../src/store/sqlite/connection/version.ts";
import { batch, forgetTurns, openNewStore, openStore, tempDir, turn, vectorOf } from "./builders.ts";

const WRITER = join(import.meta.dir, "concurrent-writer.ts");

test("creates a private database in WAL mode, and leaves nothing else behind", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const store = await openNewStore(file);
  await store.ingest.write(batch([turn(0, "x")]));
  for (const name of readdirSync(dir.path))
    expect([name, statSync(join(dir.path, name)).mode & 0o777]).toEqual([name, 0o600]);
  await store.close();
  expect(readdirSync(dir.path)).toEqual(["m.db"]);
  const db = new Database(file);
  expect(db.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: LATEST_VERSION });
  expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  db.close();
});

test("ten processes that open and write first at the same time all succeed", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const runs = Array.from({ length: 10 }, (_, i) =>
    Bun.spawn([process.execPath, WRITER, file, String(i)], { stderr: "pipe" }),
  );
  for (const run of runs) expect([await run.exited, await new Response(run.stderr).text()]).toEqual([0, ""]);
  const store = await openStore(file);
  expect((await store.search.totals()).turns).toBe(10);
  await store.close();
  expect(readdirSync(dir.path)).toEqual(["m.db"]);
});

test("reads without writing", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const writer = await openStore(file);
  await writer.ingest.write(batch([turn(0, "some words")]));
  await writer.close();
  const store = await openStore(file, { mode: "readonly" });
  expect((await store.search.keywordTurns(["words"], 5)).length).toBe(1);
  await expect(store.ingest.write(batch([turn(1, "more")]))).rejects.toMatchObject({ code: "not_writable" });
  await store.close();
});

test("closed quickly, it leaves its log beside an unchanged database, and the next one reads both", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  await (await openStore(file)).close();
  const before = readFileSync(file);
  const writer = await openStore(file, { mode: "readwrite" });
  await writer.ingest.write(batch([turn(0, "some words")]));
  await writer.closeQuickly();
  expect(readdirSync(dir.path).sort()).toEqual(["m.db", "m.db-shm", "m.db-wal"]);
  expect(readFileSync(file).equals(before)).toBe(true);
  const reader = await openStore(file, { mode: "readonly" });
  expect((await reader.search.keywordTurns(["words"], 5)).length).toBe(1);
  await reader.close();
});

describe("a store refuses", () => {
  test.each(["readonly", "readwrite"] as const)("a missing file in mode %s", async (mode) => {
    using dir = tempDir();
    await expect(openStore(join(dir.path, "m.db"), { mode })).rejects.toMatchObject({ code: "not_found" });
    expect(readdirSync(dir.path)).toEqual([]);
  });

  test.each(["readonly", "readwrite", "create"] as const)(
    "a newer database, untouched, in mode %s",
    async (mode) => {
      using dir = tempDir();
      const file = join(dir.path, "m.db");
      await (await openStore(file)).close();
      const db = new Database(file);
      db.run("PRAGMA user_version = 999");
      db.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
      // What is in the log has to stay there.
      const reader = new Database(file, { readonly: true });
      reader.query("SELECT * FROM meta").all();
      db.run("INSERT INTO meta VALUES ('later', '1')");
      const state = () => [readFileSync(file), readFileSync(`${file}-wal`)].map((bytes) => Bun.hash(bytes));
      const before = state();
      await expect(openStore(file, { mode })).rejects.toMatchObject({
        code: "db_newer",
        hint: expect.any(String),
      });
      expect(state()).toEqual(before);
      db.close();
      reader.close();
      const closed = readFileSync(file);
      await expect(openStore(file, { mode })).rejects.toMatchObject({ code: "db_newer" });
      expect(readFileSync(file).equals(closed)).toBe(true);
    },
  );

  test("a database that is not ours, untouched", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    const db = new Database(file);
    db.run("CREATE TABLE notes (x)");
    db.close();
    const before = readFileSync(file);
    await expect(openStore(file)).rejects.toMatchObject({ code: "db_foreign" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("a file that is not a database, untouched", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    writeFileSync(file, "not a database ".repeat(500));
    await expect(openStore(file)).rejects.toMatchObject({
      code: "db_corrupt",
      hint: expect.stringContaining("--db"),
    });
    expect(readFileSync(file, "utf8")).toStartWith("not a database");
  });

  test("a directory that cannot be written", async () => {
    using dir = tempDir();
    await expect(openNewStore(join(dir.path, "none", "m.db"))).rejects.toMatchObject({
      code: "not_writable",
    });
  });

  test("to wait without end for a lock", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    const store = await openStore(file, { busyTimeoutMs: 50 });
    const other = new Database(file);
    other.run("BEGIN IMMEDIATE");
    await expect(store.ingest.write(batch([turn(0, "x")]))).rejects.toMatchObject({ code: "db_locked" });
    expect((await store.search.totals()).turns).toBe(0);
    other.close();
    await store.close();
  });

  test("to read or write once its time is over", async () => {
    using dir = tempDir();
    let isOver = false;
    const store = await openStore(join(dir.path, "m.db"), { isOver: () => isOver });
    await store.ingest.write(batch([turn(0, "kept")]));
    isOver = true;
    await expect(store.search.totals()).rejects.toMatchObject({ code: "timeout" });
    await expect(store.ingest.write(batch([turn(1, "late")]))).rejects.toMatchObject({ code: "timeout" });
    isOver = false;
    expect((await store.search.totals()).turns).toBe(1);
    await store.close();
  });

  test("a full disk, keeping what was there", async () => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    const store = await openStore(file);
    await store.ingest.write(batch([turn(0, "kept")]));
    await store.close();
    const pages =
      new Database(file).query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
    const limited = await openStore(file, { maxPages: pages });
    await expect(limited.ingest.write(batch([turn(1, "x ".repeat(50_000))]))).rejects.toMatchObject({
      code: "disk_full",
    });
    expect((await limited.search.totals()).turns).toBe(1);
    await limited.close();
  });

  test("to go without an extension that was asked for", async () => {
    using dir = tempDir();
    const options = { vectorBackend: "extension", vecLibrary: join(dir.path, "vec0.so") } as const;
    const store = await openStore(join(dir.path, "m.db"), options);
    expect((await store.search.totals()).turns).toBe(0);
    const nearest = store.search.nearestChunks(vectorOf("x"), 1);
    await expect(nearest).rejects.toMatchObject({ code: "assets_broken" });
    await store.close();
  });
});

test("falls back to the scan with a warning when the extension cannot be loaded", async () => {
  using dir = tempDir();
  const library = join(dir.path, "vec0.so");
  writeFileSync(library, "cut short");
  chmodSync(library, 0o700);
  const messages: string[] = [];
  const store = await openStore(join(dir.path, "m.db"), {
    vecLibrary: () => library,
    log: (message) => messages.push(message),
  });
  expect(messages).toEqual([]);
  expect(await store.search.nearestChunks(vectorOf("x"), 1)).toEqual([]);
  expect(messages).toEqual([expect.stringContaining("sqlite-vec cannot be loaded")]);
  await store.close();
});

test("leaves no forgotten text in the bytes of its files", async () => {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  const secret = "zanzibarquux";
  const mentions = [{ filePath: `src/${secret}.ts`, toolName: "Read" }];
  await store.ingest.write(batch([turn(0, `tell of ${secret}`, { mentions }), turn(1, "something else")]));
  const bytes = () =>
    readdirSync(dir.path).map((name) => readFileSync(join(dir.path, name), "latin1").includes(secret));
  expect(bytes()).toContain(true);
  await forgetTurns(store, [1]);
  expect(await store.file.compact(0)).toBe(true);
  expect(bytes()).not.toContain(true);
  expect((await store.search.keywordTurns(["something"], 5)).length).toBe(1);
  await store.close();
});
