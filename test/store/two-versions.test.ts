import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { batch, MODEL, openStore, source, tempDir, turn } from "./builders.ts";

/** What a version after this one may do to the tables, which this one does not know. */
const NEWER = `
  ALTER TABLE turns ADD COLUMN weight INTEGER NOT NULL DEFAULT 7;
  PRAGMA user_version = 999;`;

function upgrade(file: string): void {
  const db = new Database(file);
  db.run("PRAGMA busy_timeout = 20000");
  db.run(`BEGIN IMMEDIATE; ${NEWER} COMMIT`);
  db.close();
}

const newTurn = (line: number) => batch([turn(line, `words ${line}`)], { source: source({}) });

test("a program that has the database open writes nothing once a newer version has changed it", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  const store = await openStore(file);
  await store.ingest.write(newTurn(0));
  upgrade(file);
  const state = () => [file, `${file}-wal`].map((path) => Bun.hash(readFileSync(path)));
  const before = state();
  await expect(store.ingest.write(newTurn(1))).rejects.toMatchObject({
    code: "db_newer",
    hint: expect.stringContaining("update mementor"),
  });
  await expect(store.models.activate(MODEL.id)).rejects.toMatchObject({ code: "db_newer" });
  expect(state()).toEqual(before);
  expect((await store.search.totals()).turns).toBe(1);
  await store.close();
});

/** Writes turns until a newer version comes; prints how many it wrote. */
const WRITER = join(import.meta.dir, "steady-writer.ts");

test("of many processes that write while a newer version changes the tables, each stops, and all they wrote is there", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  await (await openStore(file)).close();
  const writers = Array.from({ length: 4 }, (_, number) =>
    Bun.spawn([process.execPath, WRITER, file, String(number)], { stdout: "pipe", stderr: "inherit" }),
  );
  const readers = writers.map((child) => lines(child.stdout));
  // Each has written something before the tables change.
  for (const reader of readers) expect(await reader.next()).toEqual({ done: false, value: "started" });
  upgrade(file);
  const ends = await Promise.all(readers.map(async (reader) => (await reader.next()).value));
  expect(await Promise.all(writers.map((child) => child.exited))).toEqual([0, 0, 0, 0]);
  const db = new Database(file);
  const written = ends.map((text) => Number(/^(\d+) db_newer$/.exec(text ?? "")?.[1]));
  const stored = ends.map((_, n) =>
    Number(db.query("SELECT count(*) FROM turns WHERE session_id = ?").values(`s${n}`)[0]?.[0]),
  );
  expect(stored).toEqual(written);
  expect(Math.min(...written)).toBeGreaterThan(0);
  expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  expect(db.query("SELECT DISTINCT weight FROM turns").values()).toEqual([[7]]);
  db.close();
});

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const bytes of stream) {
    const parts = (rest + new TextDecoder().decode(bytes)).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
