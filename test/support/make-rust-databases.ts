import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** Small databases as the Rust tool wrote them, one for each version of its schema; run to make them again. */

const TARGET = join(import.meta.dir, "..", "..", "fixtures", "databases");

const SESSIONS = `CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY, transcript_path TEXT NOT NULL, project_dir TEXT NOT NULL,
  last_line_index INTEGER NOT NULL DEFAULT 0, provisional_turn_start INTEGER,
  created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')))`;
const MEMORIES = `CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(session_id),
  line_index INTEGER NOT NULL, chunk_index INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
  embedding BLOB NOT NULL, created_at TEXT NOT NULL DEFAULT (datetime('now')),
  UNIQUE(session_id, line_index, chunk_index))`;
const MENTIONS = `CREATE TABLE file_mentions (
  session_id TEXT NOT NULL REFERENCES sessions(session_id), line_index INTEGER NOT NULL, file_path TEXT NOT NULL,
  tool_name TEXT NOT NULL, UNIQUE(session_id, line_index, file_path, tool_name))`;
const MENTIONS_INDEX = "CREATE INDEX idx_file_mentions_path ON file_mentions(file_path)";
const PR_LINKS = `CREATE TABLE pr_links (
  session_id TEXT NOT NULL REFERENCES sessions(session_id), pr_number INTEGER NOT NULL, pr_url TEXT NOT NULL,
  pr_repository TEXT NOT NULL, timestamp TEXT NOT NULL, UNIQUE(session_id, pr_url))`;

const LONG_1 =
  "[User] The kettle timer drifts by a second an hour. Why?\n\n[Assistant] The interval is re-armed after each tick, so the work of a tick adds up. I compare against `performance.now()` instead, and skip ahead when a tick came late.";
/** The overlap as an uncased tokenizer decodes it: lower-cased, spaced differently, then the rest as it was. */
const LONG_2 =
  'against ` performance . now ( ) ` instead , and skip ahead when a tick came late.\n\n[Tools] Edit(src/timer.ts) | Bash(desc="Run tests", cmd="bun test")\n\n[User] Works, commit it.';

const MEMORY_ROWS: readonly (readonly [string, number, number, string, string])[] = [
  ["11111111-1111-4111-8111-111111111111", 0, 0, "turn", LONG_1],
  ["11111111-1111-4111-8111-111111111111", 0, 1, "turn", LONG_2],
  [
    "11111111-1111-4111-8111-111111111111",
    14,
    0,
    "turn",
    "[User] Works, commit it.\n\n[Assistant] Committed as a fix for timer drift.",
  ],
  [
    "22222222-2222-4222-8222-222222222222",
    3,
    0,
    "turn",
    "[User] This session is being continued from a previous conversation that ran out of context.\n\n[Assistant] Going on with the tea list.",
  ],
];

/** A unit vector that is the same for the same number. */
export function rustVector(seed: number): Float32Array {
  const vector = Float32Array.from({ length: 384 }, (_, i) => Math.sin(seed * 97 + i * 1.7));
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

function make(version: number): void {
  const file = join(TARGET, `rust-v${version}.db`);
  rmSync(file, { force: true });
  const db = new Database(file);
  db.run(SESSIONS);
  db.run(MEMORIES);
  if (version >= 2) db.run("ALTER TABLE sessions ADD COLUMN last_compact_line_index INTEGER");
  if (version >= 3) db.run(MENTIONS);
  if (version >= 3) db.run(MENTIONS_INDEX);
  if (version >= 4) db.run(PR_LINKS);
  const times = ["2026-02-01 10:00:00", "2026-02-01 10:30:00"];
  const session = "INSERT INTO sessions VALUES (?, ?, '/home/ada/kettle', ?, ?, ?, ?";
  const row = (id: string, last: number, provisional: number | null, compact: number | null) =>
    db.run(`${session}${version >= 2 ? ", ?" : ""})`, [
      id,
      `/home/ada/.claude/projects/-home-ada-kettle/${id}.jsonl`,
      last,
      provisional,
      ...times,
      ...(version >= 2 ? [compact] : []),
    ]);
  row("11111111-1111-4111-8111-111111111111", 20, 14, null);
  row("22222222-2222-4222-8222-222222222222", 9, null, 2);
  MEMORY_ROWS.forEach(([id, line, chunk, role, content], i) => {
    db.run(
      "INSERT INTO memories (session_id, line_index, chunk_index, role, content, embedding, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [id, line, chunk, role, content, new Uint8Array(rustVector(i).buffer), "2026-02-01 10:20:00"],
    );
  });
  if (version >= 3) {
    db.run(
      "INSERT INTO file_mentions VALUES ('11111111-1111-4111-8111-111111111111', 0, 'src/timer.ts', 'Edit')",
    );
  }
  if (version >= 4) {
    db.run(
      "INSERT INTO pr_links VALUES ('11111111-1111-4111-8111-111111111111', 7, 'https://github.com/ada/kettle/pull/7', 'ada/kettle', '2026-02-01T10:25:00Z')",
    );
  }
  db.run(`PRAGMA user_version = ${version}`);
  db.close();
}

if (import.meta.main) for (const version of [1, 2, 3, 4]) make(version);
