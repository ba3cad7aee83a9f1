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
  line: number | null;
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

/** Which turn holds an entry, by the entry's `uuid`. */
function ownersOf(file: string): Map<string, string> {
  const db = new Database(file, { readonly: true });
  try {
    const rows = db
      .query<{ uuid: string; key: string }, []>(
        `SELECT lower(hex(e.uuid)) AS uuid, t.session_id || ' ' || coalesce(t.agent_id, '') || ' ' || t.prompt_uuid AS key
         FROM entries e JOIN turns t ON t.id = e.turn_id`,
      )
      .all();
    return new Map(rows.map(({ uuid, key }) => [uuid, key]));
  } finally {
    db.close();
  }
}

/** The uuids of entries that hold a tool's error. */
function uuidsOfErrors(text: string): Set<string> {
  const lines = text.split("\n").filter((line) => line.includes('"is_error":true'));
  return new Set(lines.map((line) => /"uuid":"([^"]*)"/.exec(line)?.[1] ?? ""));
}

const keyOf = ({ sessionId, agentId, promptUuid }: Turn) => `${sessionId} ${agentId ?? ""} ${promptUuid}`;

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
      for (const [index, text] of texts.entries()) {
        writeFileSync(path, text);
        utimesSync(path, index + 1, index + 1);
        const { turns } = await readAll(path);
        // Of two turns that hold one uuid the first has it: no transcript was seen where they say different things.
        const uuids = turns.flatMap(({ entryUuids }) => entryUuids);
        fc.pre(new Set(uuids).size === uuids.length);
        const before = ownersOf(memory.file);
        await memory.ingest([path]);

        const stored = turnsOf(memory.file);
        expect(stored.length).toBe(new Set(stored.map(({ key }) => key)).size);
        for (const { key, id } of stored) {
          expect(ids.get(key) ?? id).toBe(id);
          ids.set(key, id);
        }
        const owners = ownersOf(memory.file);
        // A tool's error is kept with its call: it goes where the call is in a turn that this file no longer has.
        const errors = uuidsOfErrors(text);
        const lost = uuids.filter((uuid) => !owners.has(uuid.replaceAll("-", "")));
        expect(lost.filter((uuid) => !errors.has(uuid))).toEqual([]);
        // Only a turn that is still in the transcript may have lost something: there it says something else now.
        const present = new Set(turns.map(keyOf));
        expect([...before].filter(([uuid, key]) => !owners.has(uuid) && !present.has(key))).toEqual([]);
        const lines = new Set(turns.map(({ lineIndex }) => lineIndex));
        expect(stored.filter(({ line }) => line !== null && !lines.has(line))).toEqual([]);
      }
      // Which prompt was a session's first is taken anew from the last rewrite, and may differ once.
      const { sessions: _before, ...before } = contentsOf(memory.file);
      utimesSync(path, 99, 99);
      await memory.ingest([path]);
      const { sessions: _after, ...after } = contentsOf(memory.file);
      expect(after).toEqual(before);
    }),
    fcOptions(1 / 5),
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
});

test.each([
  ["alone", ""],
  ["and an append behind it", "one more prompt"],
])("a change in the middle that leaves the length as it was, %s, is noticed", async (_, append) => {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, NAME);
  const line = (n: number, text: string) =>
    `${JSON.stringify({ type: "user", uuid: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`, sessionId: "5e550000-0000-4000-8000-000000000001", message: { role: "user", content: text } })}\n`;
  const prompts = Array.from({ length: 100 }, (_, i) => `the kettle of prompt ${i} `.repeat(8));
  const write = () => writeFileSync(path, prompts.map((prompt, i) => line(i, prompt)).join(""));
  write();
  await memory.ingest([path]);
  prompts[50] = (prompts[50] ?? "").replaceAll("kettle", "teapot");
  if (append !== "") prompts.push(append);
  write();
  utimesSync(path, 1, 1);
  expect((await memory.ingest([path])).files.rewritten).toBe(1);
  expect(turnsOf(memory.file).filter(({ text }) => text.includes("teapot")).length).toBe(2);
});
