import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseState } from "../../src/ingest/transcript/state.ts";
import initial from "../../src/store/sqlite/migrations/001_initial.sql" with { type: "text" };
import packedBits from "../../src/store/sqlite/migrations/002_packed_bits.sql" with { type: "text" };
import { batch, chunksOf, openStore, tempDir, turn } from "./builders.ts";

const APPLICATION_ID = 0x4d4d5452;

/** Two files of session `s` with a subagent, a lost turn, a session without a file, boundaries and copies. */
const ROWS = `
  INSERT INTO sources (id, path, session_id, byte_offset, line_index, resume_offset, resume_line, fingerprint, size,
    mtime_ms, skipped, updated_at) VALUES
    (1, '/t/s.jsonl', 's', 100, 9, 80, 7, 'f', 100, 1, '{}', '2026-01-01T00:00:00.000Z'),
    (2, '/t/other.jsonl', 's', 100, 9, 80, 7, 'f', 100, 1, '{}', '2026-01-01T00:00:00.000Z');
  INSERT INTO sessions (session_id, last_line_index, provisional_turn_start, last_compact_line_index, created_at,
    updated_at) VALUES ('s', 9, 7, 4, '2026', '2026'), ('bare', 0, NULL, NULL, '2026', '2026');
  INSERT INTO subagent_sessions (session_id, agent_id, progress, task) VALUES ('s', 'a', 5, 'look around');
  INSERT INTO source_lines VALUES ('s', '', 1, 0), ('s', '', 2, 1000000000), ('s', 'a', 1, 0);
  INSERT INTO turns (id, session_id, source_id, line_index, agent_id, provisional, role, origin, tool_summary, full_text)
    VALUES (3, 's', 1, 0, NULL, 0, 'turn', 'human', '[]', 'first file'),
      (4, 's', 1, 2, 'a', 0, 'turn', 'subagent', '[]', 'subagent'),
      (5, 's', 2, 1000000000, NULL, 0, 'turn', 'human', '[]', 'second file'),
      (6, 's', 2, -6, NULL, 0, 'turn', 'human', '[]', 'lost'),
      (7, 'bare', NULL, 4, NULL, 1, 'turn', 'human', '[]', 'without a file'),
      (8, 'bare', NULL, 1000000004, NULL, 0, 'turn', 'human', '[]', 'once in a second file'),
      (9, 'bare', NULL, -9, NULL, 0, 'turn', 'human', '[]', 'deleted');
  INSERT INTO chunks (id, turn_id, chunk_index, content_hash, start, "end", content)
    VALUES (1, 3, 0, x'00', 0, 10, 'first file');
  INSERT INTO entries (uuid, turn_id) VALUES ('e1', 3), ('e2', 5);
  INSERT INTO file_mentions VALUES (3, 'src/a.ts', 'a.ts', 'Edit');
  INSERT INTO turn_copies VALUES ('s', 3, 7), ('s', 1000000003, 7), ('bare', 1, 3);
  INSERT INTO compactions (session_id, line_index, trigger, provisional, recorded_at) VALUES
    ('s', 4, 'auto', 0, '2026'), ('s', 1000000006, 'manual', 1, '2026'), ('bare', 2, NULL, 0, '2026');
  DELETE FROM turns WHERE id = 9;`;

function makeOld(file: string, version: 101 | 102): void {
  const db = new Database(file, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run(initial);
  if (version > 101) db.run(packedBits);
  db.run(ROWS);
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.run(`PRAGMA user_version = ${version}`);
  db.close();
}

test.each([101, 102] as const)(
  "a database of version %i keeps its rows, each at its place",
  async (version) => {
    using dir = tempDir();
    const file = join(dir.path, "m.db");
    makeOld(file, version);
    await (await openStore(file)).close();
    const db = new Database(file);
    const all = (sql: string) => db.query(sql).values();
    expect(all("SELECT id, source_id, line_index, provisional, full_text FROM turns ORDER BY id")).toEqual([
      [3, 1, 0, 0, "first file"],
      [4, 1, 2, 0, "subagent"],
      [5, 2, 0, 0, "second file"],
      [6, 2, null, 0, "lost"],
      [7, null, 4, 1, "without a file"],
      [8, null, null, 0, "once in a second file"],
    ]);
    expect(all("SELECT session_id, source_id, line_index, turn_id FROM turn_copies ORDER BY 1, 2")).toEqual([
      ["bare", null, 1, 3],
      ["s", 1, 3, 7],
      ["s", 2, 3, 7],
    ]);
    expect(
      all("SELECT session_id, source_id, line_index, trigger, provisional FROM compactions ORDER BY 1, 2"),
    ).toEqual([
      ["bare", null, 2, null, 0],
      ["s", 1, 4, "auto", 0],
      ["s", 2, 6, "manual", 1],
    ]);
    expect(all("SELECT turn_id, content FROM chunks")).toEqual([[3, "first file"]]);
    expect(all("SELECT uuid, turn_id FROM entries ORDER BY 1")).toEqual([
      ["e1", 3],
      ["e2", 5],
    ]);
    expect(all("SELECT turn_id, file_path FROM file_mentions")).toEqual([[3, "src/a.ts"]]);
    expect(all("SELECT file_path, touches, changes FROM file_totals")).toEqual([["src/a.ts", 1, 1]]);
    expect(all("SELECT task FROM subagent_sessions")).toEqual([["look around"]]);
    expect(all("PRAGMA foreign_key_check")).toEqual([]);
    expect(all("PRAGMA integrity_check")).toEqual([["ok"]]);
    db.close();
  },
);

test("files in worktrees get the path that they have in the project, and what is no file goes", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  makeOld(file, 102);
  const old = new Database(file);
  old.run(`INSERT INTO file_mentions VALUES
    (3, '.claude/worktrees/fix/src/a.ts', 'a.ts', 'Edit'), (3, '.claude/worktrees/fix/src/b.ts', 'b.ts', 'Read'),
    (4, '.worktrees/try/README.md', 'README.md', 'Write'), (4, '.worktrees/try', 'try', 'Read'),
    (4, 'src/...', '...', 'Bash'), (4, 'src/*.ts', '*.ts', 'Bash')`);
  old.close();
  await (await openStore(file)).close();
  const db = new Database(file);
  const all = (sql: string) => db.query(sql).values();
  expect(all("SELECT turn_id, file_path, file_name FROM file_mentions ORDER BY 1, 2")).toEqual([
    [3, "src/a.ts", "a.ts"],
    [3, "src/b.ts", "b.ts"],
    [4, "README.md", "README.md"],
  ]);
  expect(all("SELECT file_path, touches, changes FROM file_totals ORDER BY 1")).toEqual([
    ["README.md", 1, 1],
    ["src/a.ts", 1, 1],
    ["src/b.ts", 1, 0],
  ]);
  db.close();
});

test("rows of tool calls wait for no vector any more, and the first words of a turn come before the others", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  makeOld(file, 102);
  const text =
    "[User] Why does it leak?\n\n[Assistant] The seal is worn.\n\nIt is new now.\n\n[Tools] Read(src/seal.ts)";
  const chunks = chunksOf(text).map(
    ({ chunkIndex, content, start, end }) =>
      `(${100 + chunkIndex}, 4, ${chunkIndex}, x'0${chunkIndex}', ${start}, ${end}, '${content}')`,
  );
  const old = new Database(file);
  old.run(`UPDATE turns SET full_text = '${text}', tool_summary = '["Read(src/seal.ts)"]' WHERE id = 4;
    INSERT INTO models VALUES (1, 'test-model', 32, '2026'); INSERT INTO meta VALUES ('active_model', '1');
    INSERT INTO chunks (id, turn_id, chunk_index, content_hash, start, "end", content) VALUES ${chunks.join(", ")}`);
  old.close();
  await (await openStore(file)).close();
  const db = new Database(file);
  expect(
    db.query("SELECT chunk_id, vector_rank FROM pending_vectors WHERE chunk_id >= 100 ORDER BY 1").values(),
  ).toEqual([
    [100, 0],
    [101, 1],
    [102, 0],
  ]);
  db.close();
});

test("after the migration ids are not given twice, and a deleted turn takes its rows with it", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  makeOld(file, 102);
  const store = await openStore(file);
  await store.ingest.write(batch([turn(0, "new")]));
  await store.forget.forget(await store.forget.plan({ turnIds: [3] }));
  await store.close();
  const db = new Database(file);
  expect(db.query("SELECT id FROM turns WHERE full_text = 'new'").values()).toEqual([[10]]);
  expect(db.query("SELECT turn_id FROM chunks UNION SELECT turn_id FROM entries").values()).toEqual([
    [5],
    [10],
  ]);
  expect(db.query("SELECT turn_id FROM file_mentions").values()).toEqual([]);
  db.close();
});

test("a database has the same schema whether it was made or migrated", async () => {
  using dir = tempDir();
  const schemaOf = (file: string) => {
    const db = new Database(file, { readonly: true });
    const rows = db.query("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").values();
    db.close();
    return rows;
  };
  const [old, made] = [join(dir.path, "old.db"), join(dir.path, "made.db")];
  makeOld(old, 102);
  for (const file of [old, made]) await (await openStore(file)).close();
  expect(schemaOf(old)).toEqual(schemaOf(made));
});

test("what only undid an import keeps nothing out any more", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  await (await openStore(file)).close();
  const db = new Database(file);
  const bury = db.query("INSERT INTO tombstones (kind, hash, created_at) VALUES (?, ?, '')");
  for (const [kind, hash] of [
    ["turn", "imported"],
    ["undone:turn", "imported"],
    ["turn", "forgotten"],
    ["title", "imported"],
  ] as const)
    bury.run(kind, Buffer.from(hash));
  db.run("PRAGMA user_version = 122");
  db.close();
  await (await openStore(file)).close();
  const migrated = new Database(file, { readonly: true });
  expect(migrated.query("SELECT kind FROM tombstones ORDER BY 1").values()).toEqual([["title"], ["turn"]]);
  migrated.close();
});

test("what the reader's state knew of sessions moves out of it", async () => {
  using dir = tempDir();
  const file = join(dir.path, "m.db");
  makeOld(file, 102);
  const told = { sessionId: "s", title: "Kettle", titleSource: "summary" };
  const change = (state: string, id: number) => {
    const db = new Database(file);
    db.query("UPDATE sources SET reader_state = ? WHERE id = ?").run(state, id);
    db.close();
  };
  change(JSON.stringify({ lastSession: "s", sessions: [told], leftOut: ["x"], closed: { s: 5.03125 } }), 1);
  change("broken {", 2);
  const store = await openStore(file);
  const source = await store.ingest.source("/t/s.jsonl");
  expect<unknown>(source?.sessions).toEqual([told]);
  expect(source?.leftOut).toEqual(["x"]);
  expect(JSON.parse(source?.readerState ?? "")).toEqual({ lastSession: "s", closed: { s: 5.03125 } });
  expect(parseState(source?.readerState ?? null).closed).toEqual({ s: { line: 5, object: 2 } });
  const broken = await store.ingest.source("/t/other.jsonl");
  expect([broken?.sessions, broken?.leftOut, broken?.readerState]).toEqual([[], [], "broken {"]);
  await store.close();
});
