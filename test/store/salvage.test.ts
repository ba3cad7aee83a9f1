import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseProblems } from "../../src/store/sqlite/file/health.ts";
import { salvageDatabase } from "../../src/store/sqlite/file/salvage.ts";
import { batch, embedAll, NOW, openStore, turn, vectorOf } from "./builders.ts";

const TURNS = 60;
const ASIDE = "mementor.db.damaged-20260301T120000";

let dir = "";
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "mementor-salvage-"));
  const store = await openStore(file(), { identity: { id: "me", adopt: false } });
  const turns = Array.from({ length: TURNS }, (_, i) =>
    turn(i, `[User] topic number${i}?\n\n[Assistant] ${"Long answer. ".repeat(150)} about word${i}`, {
      promptUuid: `prompt-${i}`,
      mentions: [{ filePath: `src/file${i}.ts`, toolName: "Edit" }],
    }),
  );
  await store.ingest.write(batch(turns));
  await embedAll(store);
  await store.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = () => join(dir, "mementor.db");
const salvage = () => salvageDatabase(file(), { identity: "me", now: NOW });

/** Overwrites pages of a table's leaves with noise. */
function damage(table: string, pages: number): void {
  const db = new Database(file(), { readwrite: true });
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const size = db.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size ?? 0;
  const leaves = db
    .query<{ pageno: number }, [string]>(
      "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno",
    )
    .all(table);
  db.close();
  const bytes = readFileSync(file());
  const middle = Math.floor(leaves.length / 2);
  for (const { pageno } of leaves.slice(middle, middle + pages))
    bytes.fill(0xa5, (pageno - 1) * size, pageno * size);
  writeFileSync(file(), bytes);
}

describe("databaseProblems", () => {
  test("finds no problems in an intact database or without a file", () => {
    expect(databaseProblems(file())).toEqual([]);
    expect(databaseProblems(join(dir, "none.db"))).toBeNull();
  });

  test("detects damaged pages and a file that is not a database", () => {
    damage("turns", 1);
    expect(databaseProblems(file())?.length).toBeGreaterThan(0);
    writeFileSync(file(), "no database at all, but long enough to be taken for one ".repeat(20));
    expect(databaseProblems(file())).toEqual(["file is not a database"]);
  });
});

describe("salvageDatabase", () => {
  test("carries over everything of a database whose data can be read", async () => {
    damage("turns_by_time", 1);
    expect(databaseProblems(file())).not.toEqual([]);
    expect(salvage()).toEqual({ aside: join(dir, ASIDE), turns: TURNS, chunks: TURNS * 2 });
    expect(databaseProblems(file())).toEqual([]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const store = await openStore(file(), { mode: "readwrite", identity: { id: "me", adopt: false } });
    expect(await store.search.totals()).toMatchObject({ sessions: 1, turns: TURNS, pendingChunks: 0 });
    expect((await store.search.keywordTurns(["word17"], 3)).map(({ turnId }) => turnId)).toEqual([18]);
    const [nearest] = await store.search.nearestChunks(vectorOf("[User] topic number17?"), 1);
    expect(nearest).toMatchObject({ turnId: 18 });
    expect(nearest?.distance).toBeCloseTo(0, 5);
    await store.close();
  });

  test("parses the texts whose parts were lost", async () => {
    const ids = Array.from({ length: TURNS }, (_, i) => i + 1);
    const partsOf = async () => {
      const store = await openStore(file(), { mode: "readwrite", identity: { id: "me", adopt: false } });
      const turns = await store.search.turns(ids);
      await store.close();
      return turns.map(({ turnId, parts }) => [turnId, parts]);
    };
    const before = await partsOf();
    damage("turn_parts", 1);
    expect(databaseProblems(file())).not.toEqual([]);
    salvage();
    expect(databaseProblems(file())).toEqual([]);
    expect(await partsOf()).toEqual(before);
  });

  test("loses only rows on broken pages, and keeps the damaged file", async () => {
    damage("turns", 2);
    const before = readFileSync(file());
    const { turns, aside } = salvage();
    expect(turns).toBeGreaterThan(TURNS * 0.7);
    expect(turns).toBeLessThan(TURNS);
    expect(readFileSync(aside)).toEqual(before);
    expect(databaseProblems(file())).toEqual([]);
    const store = await openStore(file(), { mode: "readwrite", identity: { id: "me", adopt: false } });
    const lost = TURNS - turns;
    const again = Array.from({ length: TURNS }, (_, i) =>
      turn(i, `[User] again ${i}`, { promptUuid: `prompt-${i}` }),
    );
    expect(await store.ingest.write(batch(again))).toMatchObject({
      turnsInserted: lost,
      turnsUpdated: turns,
    });
    await store.close();
  });

  test("starts anew where nothing can be read, and never overwrites what was set aside", () => {
    for (const name of [ASIDE, `${ASIDE}.2`]) {
      writeFileSync(file(), `garbage ${name} `.repeat(100));
      expect(salvage()).toEqual({ aside: join(dir, name), turns: 0, chunks: 0 });
    }
    expect(readdirSync(dir).sort()).toEqual(["mementor.db", ASIDE, `${ASIDE}.2`]);
  });

  test("a truncated file gives the rows before the cut", () => {
    const { size } = statSync(file());
    truncateSync(file(), Math.floor(size / 2 / 8192) * 8192);
    expect(salvage().turns).toBeLessThanOrEqual(TURNS);
    expect(databaseProblems(file())).toEqual([]);
  });
});
