import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import type { Turn } from "../../src/domain.ts";
import { fcOptions } from "../support/fast-check.ts";
import { batch, openStore, source, tempDir, turn } from "./builders.ts";

interface Prompt {
  words: string[];
  file: number;
}

const prompts = fc.array(
  fc.record({
    words: fc.array(fc.constantFrom("tea", "milk", "cup", "pot"), { minLength: 1, maxLength: 4 }),
    file: fc.nat(3),
  }),
  { minLength: 1, maxLength: 8 },
);

/** The turns of a transcript of which so many prompts are there: the last one waits for the next. */
function turnsOf(all: readonly Prompt[], count: number): Turn[] {
  return all.slice(0, count).map(({ words, file }, i) => {
    const provisional = i === count - 1;
    const next = provisional ? "" : `\n\n[User] ${all[i + 1]?.words.join(" ") ?? ""}`;
    return turn(i * 3, `[User] ${words.join(" ")}\n\n[Assistant] ok${next}`, {
      provisional,
      promptUuid: `p${i}`,
      entryUuids: [`p${i}`, `a${i}`],
      mentions: [{ filePath: `f${file}.ts`, toolName: "Read" }],
    });
  });
}

function step(all: readonly Prompt[], from: number, count: number) {
  const lines = count * 3;
  return batch(turnsOf(all, count).slice(from), { source: source({ lineIndex: lines }) });
}

/** Everything that must not depend on the way; ids are left out where they only count. */
function content(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  const all = (sql: string) => db.query(sql).values();
  const found = [
    all("SELECT session_id, line_index, provisional, full_text, prompt_uuid FROM turns ORDER BY line_index"),
    all(
      `SELECT t.line_index, c.chunk_index, c.content, c.start, c."end" FROM chunks c JOIN turns t ON t.id = c.turn_id ORDER BY 1, 2`,
    ),
    all(
      "SELECT t.line_index, m.file_path, m.tool_name FROM file_mentions m JOIN turns t ON t.id = m.turn_id ORDER BY 1, 2",
    ),
    all("SELECT e.uuid, t.line_index FROM entries e JOIN turns t ON t.id = e.turn_id ORDER BY 1"),
    all("SELECT count(*) FROM chunk_keywords WHERE chunk_keywords MATCH 'tea OR milk OR cup OR pot OR ok'"),
    all("SELECT count(*) FROM turn_keywords WHERE turn_keywords MATCH 'tea OR milk OR cup OR pot OR ok'"),
    all("SELECT (SELECT count(*) FROM pending_vectors) - (SELECT count(*) FROM chunks)"),
    all("SELECT line_index, resume_line FROM sources"),
    all("PRAGMA integrity_check"),
  ];
  db.close();
  return found;
}

test("a transcript read in any steps, some of them twice, is stored as if read at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      prompts,
      fc.array(fc.tuple(fc.nat(8), fc.boolean()), { maxLength: 6 }),
      async (all, cuts) => {
        using dir = tempDir();
        const [stepwise, atOnce] = [join(dir.path, "steps.db"), join(dir.path, "once.db")];
        const store = await openStore(stepwise);
        const counts = cuts.map(([cut]) => Math.min(cut + 1, all.length)).sort((a, b) => a - b);
        let before = 0;
        for (const [i, count] of [...counts, all.length].entries()) {
          const given = step(all, Math.max(0, before - 1), count);
          await store.ingest.write(given);
          if (cuts[i]?.[1]) await store.ingest.write(given);
          before = count;
        }
        await store.close();
        const other = await openStore(atOnce);
        await other.ingest.write(step(all, 0, all.length));
        await other.close();
        expect(content(stepwise)).toEqual(content(atOnce));
      },
    ),
    fcOptions(1 / 5),
  );
}, 3_600_000);

test("a rewritten transcript keeps the id of every prompt that is still in it, and every turn that is not", async () => {
  await fc.assert(
    fc.asyncProperty(prompts, fc.array(fc.nat(7), { maxLength: 8 }), async (all, order) => {
      using dir = tempDir();
      const store = await openStore(join(dir.path, "m.db"));
      const turns = turnsOf(all, all.length);
      await store.ingest.write(batch(turns));
      const kept = [...new Set(order)].flatMap((at) => turns[at] ?? []);
      const moved = kept.map((turn, i) => ({ ...turn, lineIndex: i * 5 }));
      await store.ingest.write(batch(moved, { rewritten: true }));
      await store.ingest.write(batch(moved, { rewritten: true }));
      const stored = await store.search.turns(turns.map((_, i) => i + 1));
      expect(stored.map(({ lineIndex, text }) => [lineIndex, text])).toEqual(
        turns.map((turn) => [kept.indexOf(turn) < 0 ? -1 : kept.indexOf(turn) * 5, turn.text]),
      );
      expect((await store.search.totals()).turns).toBe(turns.length);
      await store.close();
    }),
    fcOptions(1 / 5),
  );
}, 3_600_000);
