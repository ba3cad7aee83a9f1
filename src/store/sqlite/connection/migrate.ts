import type { Database } from "bun:sqlite";
import { composeText } from "../../../turn/text.ts";
import { decodeParts, encodeParts } from "../../turn-rows.ts";
import { APPLICATION_ID } from "../file/head.ts";
import { migrateRustDatabase } from "../file/rust.ts";
import initial from "../migrations/001_initial.sql" with { type: "text" };
import packedBits from "../migrations/002_packed_bits.sql" with { type: "text" };
import turnParts from "../migrations/003_turn_parts.sql" with { type: "text" };
import sourceLines from "../migrations/004_source_lines.sql" with { type: "text" };
import sourceFacts from "../migrations/005_source_facts.sql" with { type: "text" };
import readerVersion from "../migrations/006_reader_version.sql" with { type: "text" };
import sessionClient from "../migrations/007_session_client.sql" with { type: "text" };
import hookAnswers from "../migrations/008_hook_answers.sql" with { type: "text" };
import failures from "../migrations/009_failures.sql" with { type: "text" };
import marks from "../migrations/010_marks.sql" with { type: "text" };
import mainTurns from "../migrations/011_main_turns.sql" with { type: "text" };
import team from "../migrations/012_team.sql" with { type: "text" };
import teamFormer from "../migrations/013_team_former.sql" with { type: "text" };
import agentNotes from "../migrations/014_agent_notes.sql" with { type: "text" };
import turnWordings from "../migrations/015_turn_wordings.sql" with { type: "text" };
import folder from "../migrations/016_folder.sql" with { type: "text" };
import cures from "../migrations/017_cures.sql" with { type: "text" };
import folderNames from "../migrations/018_folder_names.sql" with { type: "text" };
import worktreeFiles from "../migrations/019_worktree_files.sql" with { type: "text" };
import folderCures from "../migrations/020_folder_cures.sql" with { type: "text" };
import vectorRanks from "../migrations/021_vector_ranks.sql" with { type: "text" };
import noFailures from "../migrations/022_no_failures.sql" with { type: "text" };
import undoneImports from "../migrations/023_undone_imports.sql" with { type: "text" };
import { fillParts, TEXT_SQL, type TextRow } from "../turns/columns.ts";
import { contentHash, fillVectorRanks } from "../write/chunks.ts";
import { databaseKind, LATEST_VERSION, type MIGRATION_COUNT, readPragma, VERSION_BASE } from "./version.ts";

/** Relabels agents' notes in databases from before such notes had a label of their own. */
function markAgentNotes(db: Database): void {
  const select = db.query<TextRow, []>(`SELECT ${TEXT_SQL} FROM turns t WHERE t.origin = 'agent'`);
  for (const { id, text, parts } of select.all()) {
    const [prompt, ...others] = decodeParts(parts);
    if (prompt?.kind !== "prompt" || others.length > 0) continue;
    const note = composeText([{ kind: "note", text: text.slice(prompt.start, prompt.end) }]);
    const shift = note.text.length - text.length;
    db.query("UPDATE turns SET full_text = ? WHERE id = ?").run(note.text, id);
    db.query("UPDATE turn_parts SET parts = ? WHERE turn_id = ?").run(encodeParts(note.parts), id);
    moveChunks(db, id, note.text, shift);
  }
}

/** Shifts a note's chunks by the change in the label's length. The first chunk begins with the label. */
function moveChunks(db: Database, turnId: number, text: string, shift: number): void {
  const select = db.query<{ id: number; start: number; end: number }, [number]>(
    'SELECT id, start, "end" FROM chunks WHERE turn_id = ?',
  );
  const update = db.query(
    'UPDATE chunks SET start = ?, "end" = ?, content = ?, content_hash = ? WHERE id = ?',
  );
  for (const chunk of select.all(turnId)) {
    const start = chunk.start === 0 ? 0 : chunk.start + shift;
    const content = text.slice(start, chunk.end + shift);
    update.run(start, chunk.end + shift, content, contentHash(content), chunk.id);
  }
}

interface Migration {
  sql: string;
  /** Runs after the SQL in the same transaction, for steps that SQL alone cannot do. */
  fill?: (db: Database) => void;
}

/** Migrations in order: the nth one upgrades a database from version `VERSION_BASE + n - 1` to `VERSION_BASE + n`. */
const MIGRATIONS = [
  { sql: initial },
  { sql: packedBits },
  { sql: turnParts, fill: fillParts },
  { sql: sourceLines },
  { sql: sourceFacts },
  { sql: readerVersion },
  { sql: sessionClient },
  { sql: hookAnswers },
  { sql: failures },
  { sql: marks },
  { sql: mainTurns },
  { sql: team },
  { sql: teamFormer },
  { sql: agentNotes, fill: markAgentNotes },
  { sql: turnWordings },
  { sql: folder },
  { sql: cures },
  { sql: folderNames },
  { sql: worktreeFiles },
  { sql: folderCures },
  { sql: vectorRanks, fill: fillVectorRanks },
  { sql: noFailures },
  { sql: undoneImports },
] as const satisfies readonly Migration[] & { length: typeof MIGRATION_COUNT };

/** Creates the latest schema in an empty database. The caller owns the file. */
export function createSchema(db: Database): void {
  db.run("PRAGMA page_size = 8192");
  db.run("PRAGMA journal_mode = WAL");
  upgrade(db, VERSION_BASE);
}

/** Migrates an older database, each step in one transaction. Several processes may do so at once. */
export function migrateDatabase(db: Database, file: string, now: () => string): void {
  const found = databaseKind(db);
  if (found.kind === "rust") {
    migrateRustDatabase(db, file, {
      now,
      version: found.version,
      stillThere: () => databaseKind(db).kind === "rust",
      createSchema: () => applyFrom(db, VERSION_BASE),
    });
    return;
  }
  if (found.kind === "older") upgrade(db, found.version);
}

// Dropping a table to recreate it must not delete the rows that refer to it. This setting has no effect inside a transaction.
function upgrade(db: Database, from: number): void {
  const foreignKeys = readPragma(db, "foreign_keys");
  db.run("PRAGMA foreign_keys = OFF");
  try {
    db.transaction(() => {
      const version = Math.max(readPragma(db, "user_version"), VERSION_BASE);
      applyFrom(db, Math.max(version, from));
    }).immediate();
  } finally {
    db.run(`PRAGMA foreign_keys = ${foreignKeys}`);
  }
}

function applyFrom(db: Database, from: number): void {
  const migrations: readonly Migration[] = MIGRATIONS;
  for (const { sql, fill } of migrations.slice(from - VERSION_BASE)) {
    db.run(sql);
    fill?.(db);
  }
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.run(`PRAGMA user_version = ${LATEST_VERSION}`);
}
