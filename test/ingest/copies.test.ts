import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { fcOptions } from "../support/fast-check.ts";
import { contentsOf } from "./contents.ts";
import { TestMemory } from "./memory.ts";

const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample/projects/-home-dev-tidemark");
const RESUMED = ["d8f20b49-4a6c-4c5d-8b17-1f0e9d8c7b07", "e94b1c5a-8d7e-4f60-a923-7c6d5e4f3a08"] as const;
const FORKED = ["f05d2e6b-7c8a-4b91-8d34-9e8f7a6b5c09", "27c96b1d-3e4f-4a50-b867-8d7c6b5a4f11"] as const;
const TWO_SESSIONS = join(import.meta.dir, "../../fixtures/transcripts/shapes/two-sessions.jsonl");

const fileOf = (session: string) => join(SAMPLE, `${session}.jsonl`);

function query<Row>(file: string, sql: string): Row[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.query<Row, []>(sql).all();
  } finally {
    db.close();
  }
}

/** What two files say together, wherever it is stored. */
function said(file: string) {
  const uuids = query<{ uuid: string }>(file, "SELECT hex(uuid) AS uuid FROM entries ORDER BY 1").map(
    (row) => row.uuid,
  );
  const prompts = query<{ prompt: string }>(file, "SELECT prompt_uuid AS prompt FROM turns ORDER BY 1").map(
    (row) => row.prompt,
  );
  const texts = query<{ text: string }>(file, "SELECT full_text AS text FROM turns");
  const answers = texts.flatMap(({ text }) => /\[Assistant\] ([\s\S]*?)(?=\n\n\[|$)/.exec(text)?.[1] ?? []);
  return { uuids, prompts, answers: answers.sort() };
}

describe.each([
  ["resumed", RESUMED],
  ["forked", FORKED],
])("history that was copied into a %s session", (_, [original, copy]) => {
  test("is stored once, whichever file is read first", async () => {
    await using forward = await TestMemory.create();
    await forward.ingest([fileOf(original), fileOf(copy)]);
    await using backward = await TestMemory.create();
    await backward.ingest([fileOf(copy), fileOf(original)]);
    const once = said(forward.file);
    expect(said(backward.file)).toEqual(once);
    expect(new Set(once.prompts).size).toBe(once.prompts.length);
    expect(new Set(forward.embedded).size).toBe(forward.embedded.length);
  });

  test("is known to be in the context of both", async () => {
    await using memory = await TestMemory.create();
    await memory.ingest([fileOf(original), fileOf(copy)]);
    const copies = query<{ of: string; n: number }>(
      memory.file,
      "SELECT y.session_id AS of, count(DISTINCT y.turn_id) AS n FROM turn_copies y JOIN turns t ON t.id = y.turn_id AND t.session_id <> y.session_id GROUP BY 1",
    );
    expect(copies).toEqual([{ of: copy, n: expect.any(Number) }]);
    const all = query<{ id: number }>(memory.file, "SELECT id FROM turns").map(({ id }) => id);
    const told = await memory.store.search.keywordTurns(["the"], 1000, { inContext: { sessionId: copy } });
    const inBoth = query<{ id: number }>(
      memory.file,
      `SELECT turn_id AS id FROM turn_copies UNION SELECT id FROM turns WHERE session_id = '${copy}'`,
    ).map(({ id }) => id);
    expect(told.map(({ turnId }) => turnId).filter((id) => inBoth.includes(id))).toEqual([]);
    expect(inBoth.length).toBeLessThan(all.length);
  });

  test("is stored once while both files grow, and turns keep their ids", async () => {
    const files = [original, copy].map((session) => readFileSync(fileOf(session)));
    const steps = fc.array(fc.tuple(fc.nat(1), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 5 });
    await using whole = await TestMemory.create();
    await whole.ingest([original, copy].map(fileOf));
    const { uuids } = said(whole.file);
    await fc.assert(
      fc.asyncProperty(steps, async (cuts) => {
        await using memory = await TestMemory.create();
        const paths = [original, copy].map((session) => join(memory.directory, `${session}.jsonl`));
        const ends = [0, 0];
        const ids = new Map<string, number>();
        for (const [which, share] of [...cuts, [0, 1], [1, 1]] as const) {
          const end = Math.max(ends[which] ?? 0, Math.round(share * (files[which]?.length ?? 0)));
          ends[which] = end;
          writeFileSync(paths[which] ?? "", files[which]?.subarray(0, end) ?? "");
          await memory.ingest([paths[which] ?? ""]);
          const turns = query<{ id: number; key: string }>(
            memory.file,
            "SELECT id, session_id || ' ' || prompt_uuid AS key FROM turns",
          );
          for (const { id, key } of turns) {
            expect(ids.get(key) ?? id).toBe(id);
            ids.set(key, id);
          }
        }
        expect(said(memory.file).uuids).toEqual(uuids);
        expect(query(memory.file, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
      }),
      // A case takes several ingests; a turn that loses its id showed within 16 cases.
      fcOptions(1 / 20),
    );
  }, 3_600_000);
});

test("two sessions in one file go to two sessions", async () => {
  await using memory = await TestMemory.create();
  await memory.ingest([TWO_SESSIONS]);
  const sessions = query<{ id: string; turns: number; path: string }>(
    memory.file,
    `SELECT s.session_id AS id, count(*) AS turns, transcript_path AS path FROM sessions s
       JOIN turns t USING (session_id) GROUP BY 1 ORDER BY 1`,
  );
  expect(sessions).toEqual([
    { id: "5e550000-0000-4000-8000-000000000001", turns: expect.any(Number), path: TWO_SESSIONS },
    { id: "5e550000-0000-4000-8000-000000000002", turns: expect.any(Number), path: TWO_SESSIONS },
  ]);
});

test("two files of one session are both stored, and reading them again changes nothing", async () => {
  await using memory = await TestMemory.create();
  const text = readFileSync(fileOf(FORKED[0]), "utf8").split("\n");
  const half = Math.ceil(text.length / 2);
  const parts = [text.slice(0, half), text.slice(half)].map((lines, index) => {
    const path = join(memory.directory, index === 0 ? `${FORKED[0]}.jsonl` : "archive.jsonl");
    writeFileSync(path, lines.map((line) => (line === "" ? "" : `${line}\n`)).join(""));
    return path;
  });
  await memory.ingest(parts);
  const before = contentsOf(memory.file);
  await using whole = await TestMemory.create();
  await whole.ingest([fileOf(FORKED[0])]);
  expect(said(memory.file).uuids).toEqual(said(whole.file).uuids);
  for (const path of parts) writeFileSync(path, `${readFileSync(path, "utf8")} `);
  await memory.ingest(parts);
  const again = contentsOf(memory.file);
  expect({ turns: again.turns, chunks: again.chunks }).toEqual({
    turns: before.turns,
    chunks: before.chunks,
  });
});

test("a provisional turn keeps its id when it is replaced, and only its new text is embedded", async () => {
  await using memory = await TestMemory.create();
  const lines = readFileSync(fileOf(FORKED[0]), "utf8").split(/(?<=\n)/);
  const path = join(memory.directory, basename(fileOf(FORKED[0])));
  const turns = () =>
    query<{ id: number; provisional: number; prompt: string }>(
      memory.file,
      "SELECT id, provisional, prompt_uuid AS prompt FROM turns ORDER BY id",
    );
  for (let end = 1; end <= lines.length; end += 3) {
    const before = turns();
    writeFileSync(path, lines.slice(0, end).join(""));
    await memory.ingest([path]);
    const after = turns();
    expect(after.slice(0, before.length).map(({ id, prompt }) => ({ id, prompt }))).toEqual(
      before.map(({ id, prompt }) => ({ id, prompt })),
    );
    expect(after.filter(({ provisional }) => provisional === 1).length).toBeLessThanOrEqual(1);
  }
  expect(new Set(memory.embedded).size).toBe(memory.embedded.length);
});

test.each([1, 0.7])(
  "a copy of a transcript, or the first %p of it, adds nothing and takes nothing away",
  async (share) => {
    await using memory = await TestMemory.create();
    await memory.ingest([fileOf(RESUMED[0])]);
    const turns = () =>
      query(
        memory.file,
        "SELECT id, prompt_uuid, full_text FROM turns UNION ALL SELECT turn_id, hex(uuid), '' FROM entries",
      );
    const before = turns();
    const embedded = memory.embedded.length;
    const copy = join(memory.directory, "copy.jsonl");
    const bytes = readFileSync(fileOf(RESUMED[0]));
    writeFileSync(copy, bytes.subarray(0, share * bytes.length));
    await memory.ingest([copy]);
    expect(turns()).toEqual(before);
    expect(memory.embedded.length).toBe(embedded);
  },
);

test("a truncated transcript keeps its turns, and continues from there", async () => {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, basename(fileOf(RESUMED[0])));
  const lines = readFileSync(fileOf(RESUMED[0]), "utf8").split(/(?<=\n)/);
  const entries = () => query<{ n: number }>(memory.file, "SELECT count(*) AS n FROM entries")[0]?.n;
  writeFileSync(path, lines.join(""));
  await memory.ingest([path]);
  const before = contentsOf(memory.file);
  const all = entries();
  writeFileSync(path, lines.slice(0, 15).join(""));
  expect((await memory.ingest([path])).files.rewritten).toBe(1);
  expect(entries()).toBe(all);
  writeFileSync(path, lines.join(""));
  await memory.ingest([path]);
  expect(contentsOf(memory.file)).toEqual(before);
});
