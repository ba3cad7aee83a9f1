import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Turn } from "../../src/domain.ts";
import { fcOptions } from "../support/fast-check.ts";
import { readAll } from "../support/read-turns.ts";
import { transcript } from "../support/transcript-arbitrary.ts";
import { contentsOf } from "./contents.ts";
import { TestMemory } from "./memory.ts";

const NAME = "5e550000-0000-4000-8000-000000000001.jsonl";
const COMPACTION = join(import.meta.dir, "../../fixtures/transcripts/shapes/compaction.jsonl");

interface Stored {
  id: number;
  line: number;
  key: string;
  text: string;
}

function turnsOf(file: string): Stored[] {
  const db = new Database(file, { readonly: true });
  try {
    return db
      .query<Stored, []>(
        `SELECT id, line_index AS line, session_id || ' ' || coalesce(agent_id, '') || ' ' || coalesce(prompt_uuid, '') AS key,
           full_text AS text FROM turns ORDER BY id`,
      )
      .all();
  } finally {
    db.close();
  }
}

function entriesOf(file: string): Set<string> {
  const db = new Database(file, { readonly: true });
  try {
    const rows = db.query<{ uuid: string }, []>("SELECT lower(hex(uuid)) AS uuid FROM entries").all();
    return new Set(rows.map(({ uuid }) => uuid));
  } finally {
    db.close();
  }
}

/** What a turn said stays; but one that says something else now is as it is now. */
function remember(
  said: Map<string, Set<string>>,
  { promptUuid, sessionId, agentId, entryUuids }: Turn,
): void {
  const key = `${sessionId} ${agentId} ${promptUuid}`;
  const now = new Set(entryUuids.map((uuid) => uuid.replaceAll("-", "")));
  const before = said.get(key);
  said.set(key, before && now.isSubsetOf(before) ? before : now);
}

/** Versions of one transcript: each a choice of its lines, in any order. */
const versions = transcript.chain((text) => {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  const version = fc.array(fc.nat(Math.max(0, lines.length - 1)), { maxLength: 30 });
  return fc
    .array(
      fc.oneof(
        version.map((at) => [...new Set(at)]),
        fc.constant(lines.map((_, i) => i)),
      ),
      { minLength: 2, maxLength: 4 },
    )
    .map((choices) => choices.map((at) => at.map((i) => `${lines[i] ?? ""}\n`).join("")));
});

test("however a transcript is rewritten, nothing that was said is lost or stored twice, and turns keep their ids", async () => {
  await fc.assert(
    fc.asyncProperty(versions, async (texts) => {
      await using memory = await TestMemory.create();
      const path = join(memory.directory, NAME);
      const ids = new Map<string, number>();
      const said = new Map<string, Set<string>>();
      for (const [index, text] of texts.entries()) {
        writeFileSync(path, text);
        utimesSync(path, index + 1, index + 1);
        const { turns } = await readAll(path);
        await memory.ingest([path]);

        const stored = turnsOf(memory.file);
        expect(stored.length).toBe(new Set(stored.map(({ key }) => key)).size);
        for (const { key, id } of stored) {
          expect(ids.get(key) ?? id).toBe(id);
          ids.set(key, id);
        }
        for (const turn of turns) remember(said, turn);
        const all = new Set([...said.values()].flatMap((uuids) => [...uuids]));
        expect(all.difference(entriesOf(memory.file))).toEqual(new Set());
        const lines = new Set(turns.map(({ lineIndex }) => lineIndex));
        expect(stored.filter(({ line }) => line >= 0 && !lines.has(line))).toEqual([]);
      }
      const before = contentsOf(memory.file);
      utimesSync(path, 99, 99);
      await memory.ingest([path]);
      expect(contentsOf(memory.file)).toEqual(before);
    }),
    fcOptions(0.1),
  );
}, 3_600_000);

test("a rewrite takes back the boundaries of the version before", async () => {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, NAME);
  const lines = readFileSync(COMPACTION, "utf8").split("\n");
  const boundary = lines.findIndex((line) => line.includes("compact_boundary"));
  writeFileSync(path, lines.join("\n"));
  await memory.ingest([path]);
  expect(contentsOf(memory.file).compactions?.length).toBe(2);
  writeFileSync(
    path,
    lines
      .slice(0, boundary)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const report = await memory.ingest([path]);
  expect(report.files.rewritten).toBe(1);
  expect(contentsOf(memory.file).compactions).toEqual([]);
  expect(contentsOf(memory.file).sessions?.[0]?.[5]).toBeNull();
});

test("a change in the middle that leaves the length alone is noticed", async () => {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, NAME);
  const line = (n: number, text: string) =>
    `${JSON.stringify({ type: "user", uuid: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`, sessionId: "5e550000-0000-4000-8000-000000000001", message: { role: "user", content: text } })}\n`;
  const prompts = Array.from({ length: 100 }, (_, i) => `the kettle of prompt ${i} `.repeat(8));
  const write = () => writeFileSync(path, prompts.map((prompt, i) => line(i, prompt)).join(""));
  write();
  await memory.ingest([path]);
  prompts[50] = (prompts[50] ?? "").replaceAll("kettle", "teapot");
  write();
  utimesSync(path, 1, 1);
  expect((await memory.ingest([path])).files.rewritten).toBe(1);
  expect(turnsOf(memory.file).filter(({ text }) => text.includes("teapot")).length).toBe(2);
});
