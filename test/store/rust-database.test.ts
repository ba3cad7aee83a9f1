import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_MODEL } from "../../src/constants.ts";
import { rustVector } from "../support/make-rust-databases.ts";
import { batch, openStore, source, tempDir, turn } from "./builders.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures", "databases");
const FIRST = "11111111-1111-4111-8111-111111111111";
const SECOND = "22222222-2222-4222-8222-222222222222";
const TIMER_TURN = `[User] The kettle timer drifts by a second an hour. Why?

[Assistant] The interval is re-armed after each tick, so the work of a tick adds up. I compare against \`performance.now()\` instead, and skip ahead when a tick came late.

[Tools] Edit(src/timer.ts) | Bash(desc="Run tests", cmd="bun test")

[User] Works, commit it.`;

function copyOf(version: number, directory: string): string {
  const file = join(directory, "mementor.db");
  copyFileSync(join(FIXTURES, `rust-v${version}.db`), file);
  return file;
}

describe.each([1, 2, 3, 4])("a database of the Rust tool, version %d", (version) => {
  test("is migrated without losing a turn or a vector, after a copy was put aside", async () => {
    using dir = tempDir();
    const file = copyOf(version, dir.path);
    const store = await openStore(file, { mode: "readwrite" });
    expect(await store.search.totals()).toEqual({
      sessions: 2,
      turns: 3,
      notes: 0,
      chunks: 4,
      pendingChunks: 0,
    });
    expect(await store.models.active()).toEqual(BUILT_IN_MODEL);

    const turns = await store.search.turns([1, 2, 3]);
    expect(
      turns.map(({ sessionId, lineIndex, provisional, role }) => [sessionId, lineIndex, provisional, role]),
    ).toEqual([
      [FIRST, 0, false, "turn"],
      [FIRST, 14, true, "turn"],
      [SECOND, 3, false, "compaction_summary"],
    ]);
    expect(turns[0]?.text).toBe(TIMER_TURN);
    expect(
      turns[0]?.parts.map(({ kind, start, end }) => [kind, TIMER_TURN.slice(start, end).slice(0, 12)]),
    ).toEqual([
      ["prompt", "The kettle t"],
      ["answer", "The interval"],
      ["tools", "Edit(src/tim"],
      ["forward", "Works, commi"],
    ]);
    const chunks = await store.search.chunks([1, 2, 3, 4, 5, 6]);
    expect(new Set(chunks.map(({ turnId }) => turnId))).toEqual(new Set([1, 2, 3]));
    for (const chunk of chunks) {
      const text = turns.find(({ turnId }) => turnId === chunk.turnId)?.text ?? "";
      expect(chunk.content).toBe(text.slice(chunk.start, chunk.end));
    }

    for (const [seed, turnId] of [1, 1, 2, 3].entries()) {
      const [nearest] = await store.search.nearestChunks(rustVector(seed), 1);
      expect(nearest?.turnId).toBe(turnId);
      expect(nearest?.distance).toBeCloseTo(0, 5);
    }
    expect((await store.search.keywordTurns(["interval"], 5)).map((hit) => hit.turnId)).toEqual([1]);
    const byFile = await store.search.turnsByFile(["timer.ts"], 5);
    expect(byFile.map((hit) => hit.turnId)).toEqual(version >= 3 ? [1] : []);
    const byPr = await store.search.turnsByPr([7], 5);
    expect(byPr.map((hit) => hit.turnId).sort()).toEqual(version >= 4 ? [1, 2] : []);
    const context = await store.search.keywordTurns(["user"], 5, { inContext: { sessionId: SECOND } });
    expect(context.map((hit) => hit.turnId).sort()).toEqual([1, 2]);
    await store.close();

    expect(readdirSync(dir.path).sort()).toEqual(["mementor.db", `mementor.db.rust-v${version}.bak`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const backup = new Database(`${file}.rust-v${version}.bak`, { readonly: true });
    expect(backup.query("SELECT count(*) AS n FROM memories").get()).toEqual({ n: 4 });
    backup.close();
  });

  test("takes the same turns from their transcript again, under the same ids", async () => {
    using dir = tempDir();
    const store = await openStore(copyOf(version, dir.path));
    const path = `/home/ada/.claude/projects/-home-ada-kettle/${FIRST}.jsonl`;
    expect(await store.ingest.source(path)).toBeNull();
    const facts = { sessionId: FIRST, promptUuid: crypto.randomUUID() };
    const again = turn(14, "[User] Works, commit it.\n\n[Assistant] All of what was said.", facts);
    const result = await store.ingest.write(batch([again], { source: source({ path, sessionId: FIRST }) }));
    expect(result).toMatchObject({ turnsInserted: 0, turnsUpdated: 1 });
    expect((await store.search.turns([2]))[0]).toMatchObject({
      text: again.text,
      provisional: false,
    });
    await store.close();
  });
});

test("a migration that fails leaves the old database as it was", async () => {
  using dir = tempDir();
  const file = copyOf(4, dir.path);
  const db = new Database(file);
  // A table of ours in the way makes the migration fail half-way through.
  db.run("CREATE TABLE hook_calls (x)");
  db.close();
  const before = readFileSync(file);
  await expect(openStore(file)).rejects.toThrow();
  expect(readFileSync(file).equals(before)).toBe(true);
});
