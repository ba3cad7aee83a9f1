import { Database } from "bun:sqlite";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { BUILT_IN_MODEL } from "../../../constants.ts";
import { MementorError } from "../../../errors.ts";
import { SYSTEM } from "../../../io/system.ts";
import { clean, cleaned, cleanPiece } from "../../../redact/gate.ts";
import { Connection } from "../connection/connection.ts";
import { fillParts } from "../turns/columns.ts";
import { activate, addModel } from "../vectors/models.ts";
import { saveVector } from "../vectors/packed-bits.ts";
import { fillVectorRanks, writeChunks } from "../write/chunks.ts";
import { writeMention } from "../write/facts.ts";
import { recutChunks } from "../write/gate.ts";

const RUST_TABLES = ["sessions", "memories", "file_mentions", "pr_links"];
const ASIDE = "rust_";

/**
 * Converts a database of the Rust tool in one transaction, after copying it to `<file>.rust-v<n>.bak`. Loses no turn. Existing
 * transcripts are read again later and update the same turns.
 */
export function migrateRustDatabase(
  db: Database,
  file: string,
  steps: { now: () => string; stillThere: () => boolean; version: number; createSchema: () => void },
): void {
  db.run("PRAGMA foreign_keys = OFF");
  db.transaction(() => {
    if (!steps.stillThere()) return;
    copyAside(file, steps.version);
    const tables = RUST_TABLES.filter((table) => hasTable(db, table));
    for (const table of tables) db.run(`ALTER TABLE ${table} RENAME TO ${ASIDE}${table}`);
    steps.createSchema();
    copyRustRows(new Connection(db, file, { now: steps.now, tombstoneKey: noKey }), {
      prefix: ASIDE,
      tables,
    });
    for (const table of tables) db.run(`DROP TABLE ${ASIDE}${table}`);
  }).immediate();
  db.run("PRAGMA foreign_keys = ON");
  db.run("PRAGMA journal_mode = WAL");
  chmodSync(file, 0o600);
}

/** Throws, since the Rust tool could not forget, and so no tombstones exist. */
function noKey(): never {
  throw new MementorError("internal", "a tombstone in a database that has none");
}

// The copy goes through SQLite, because committed rows may still be in the log. The caller's write lock keeps them unchanged.
function copyAside(file: string, version: number): void {
  const backup = freeName(`${file}.rust-v${version}.bak`);
  const draft = `${backup}.${process.pid}.new`;
  const reader = new Database(file, { readonly: true });
  try {
    reader.query("VACUUM INTO ?").run(draft);
    chmodSync(draft, 0o600);
    SYSTEM.rename(draft, backup);
  } finally {
    reader.close();
    rmSync(draft, { force: true });
  }
}

function freeName(name: string): string {
  let free = name;
  for (let n = 2; existsSync(free); n++) free = `${name}.${n}`;
  return free;
}

function hasTable(db: Database, name: string): boolean {
  return db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== null;
}

interface OldTables {
  prefix: string;
  tables: readonly string[];
}

interface Memory {
  content: string;
  role: string | null;
  embedding: Uint8Array | null;
}

const CONTINUED = "This session is being continued from a previous conversation";

/**
 * Copies the rows of the Rust tool's tables into the empty tables of this program. Its model is of the same family as the
 * built-in model.
 */
function copyRustRows(connection: Connection, old: OldTables): void {
  const model = addModel(connection, BUILT_IN_MODEL);
  activate(connection, model);
  copySessions(connection, old);
  const turns = connection.all<{ sessionId: string; lineIndex: number }>(
    `SELECT session_id AS sessionId, line_index AS lineIndex FROM ${old.prefix}memories
     GROUP BY session_id, line_index ORDER BY session_id, line_index`,
  );
  for (const { sessionId, lineIndex } of turns) copyTurn(connection, old, model.id, sessionId, lineIndex);
  fillParts(connection.db);
  fillVectorRanks(connection.db);
  if (old.tables.includes("file_mentions")) copyMentions(connection, old);
  if (old.tables.includes("pr_links")) {
    connection.run(
      `INSERT OR IGNORE INTO pr_links (session_id, pr_number, pr_url, pr_repository, timestamp)
         SELECT session_id, pr_number, pr_url, pr_repository, ${column(connection, old, "pr_links", "timestamp")}
         FROM ${old.prefix}pr_links WHERE session_id IN (SELECT session_id FROM sessions)`,
    );
  }
}

function copySessions(connection: Connection, old: OldTables): void {
  const of = (name: string) => column(connection, old, "sessions", name);
  connection.run(
    `INSERT INTO sessions (session_id, transcript_path, project_dir)
     SELECT session_id, ${of("transcript_path")}, ${of("project_dir")} FROM ${old.prefix}sessions`,
  );
  connection.run(
    `INSERT OR IGNORE INTO sessions (session_id) SELECT DISTINCT session_id FROM ${old.prefix}memories`,
  );
  const boundary = of("last_compact_line_index");
  connection.run(
    `INSERT INTO compactions (session_id, line_index, recorded_at)
       SELECT session_id, ${boundary}, ? FROM ${old.prefix}sessions WHERE ${boundary} IS NOT NULL`,
    connection.now(),
  );
}

function copyTurn(
  connection: Connection,
  old: OldTables,
  modelId: number,
  sessionId: string,
  lineIndex: number,
): void {
  const memories = connection.all<Memory>(
    `SELECT content, ${column(connection, old, "memories", "role")} AS role, embedding FROM ${old.prefix}memories
     WHERE session_id = ? AND line_index = ? ORDER BY chunk_index`,
    sessionId,
    lineIndex,
  );
  const joint = joinChunks(memories.map((memory) => memory.content));
  const text = clean(joint.text);
  const isSame = text === joint.text;
  const summary = memories[0]?.role === "compaction_summary" || text.slice(0, 200).includes(CONTINUED);
  const { lastId } = connection.run(
    `INSERT INTO turns (session_id, line_index, provisional, role, origin, full_text, tool_summary)
     VALUES (?1, ?2, EXISTS (SELECT 1 FROM ${old.prefix}sessions WHERE session_id = ?1
         AND ${column(connection, old, "sessions", "provisional_turn_start")} = ?2),
       ?3, 'human', ?4, '[]')`,
    sessionId,
    lineIndex,
    summary ? "compaction_summary" : "turn",
    text,
  );
  const chunks = joint.spans.map((span, chunkIndex) => ({
    ...span,
    chunkIndex,
    content: cleanPiece(text, span.start, span.end),
  }));
  const written = isSame ? chunks : recutChunks(text);
  writeChunks(connection, { turnId: lastId, text, parts: [], chunks: written, textChanged: true });
  // These vectors belong to the original chunks.
  if (!isSame) return;
  for (const { id, chunkIndex } of connection.all<{ id: number; chunkIndex: number }>(
    "SELECT id, chunk_index AS chunkIndex FROM chunks WHERE turn_id = ?",
    lastId,
  )) {
    const vector = vectorOf(memories[chunkIndex]?.embedding ?? null);
    if (vector !== null) saveVector(connection, modelId, id, vector);
  }
}

// A vector of another length or with NaN is left out, so that the chunk is embedded again.
function vectorOf(bytes: Uint8Array | null): Float32Array | null {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength !== BUILT_IN_MODEL.dimensions * 4) return null;
  const vector = new Float32Array(bytes.slice().buffer);
  return vector.every(Number.isFinite) ? vector : null;
}

function copyMentions(connection: Connection, old: OldTables): void {
  const mentions = connection.all<{ turnId: number; filePath: string; toolName: string }>(
    `SELECT t.id AS turnId, m.file_path AS filePath, m.tool_name AS toolName FROM ${old.prefix}file_mentions m
     JOIN turns t ON t.session_id = m.session_id AND t.line_index = m.line_index ORDER BY t.id, m.rowid`,
  );
  for (const { turnId, ...mention } of mentions) writeMention(connection, turnId, cleaned(mention));
}

/** Returns the column, or NULL if this version of the table lacks it. */
function column(connection: Connection, old: OldTables, table: string, name: string): string {
  const found = connection.get("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", old.prefix + table, name);
  return found === null ? "NULL" : name;
}

/** The text of a turn joined from its chunks, with the position of each chunk. */
interface JoinedText {
  text: string;
  spans: { start: number; end: number }[];
}

/** Minimum overlap. A shorter match may be chance, and doubled text is better than lost text. */
const MIN_OVERLAP = 12;
/** Maximum overlap to search for. The Rust tool's overlap was about 40 tokens. */
const MAX_OVERLAP = 1200;

/**
 * Joins overlapping chunks. The overlap at the start of a chunk may be decoded from tokens of an uncased model: lower-cased,
 * without accents, spaced differently. The comparison ignores these differences, and the earlier chunk's text is kept.
 */
export function joinChunks(chunks: readonly string[]): JoinedText {
  let text = "";
  const spans: { start: number; end: number }[] = [];
  for (const chunk of chunks) {
    const overlap = text === "" ? null : findOverlap(text, chunk);
    const rest = overlap === null ? chunk : chunk.slice(overlap.endInNext);
    const separator = text === "" ? "" : separatorOf(text, rest, overlap === null);
    const start = overlap?.startInText ?? text.length + separator.length;
    text += separator + rest;
    spans.push({ start, end: text.length });
  }
  return { text, spans };
}

function separatorOf(text: string, rest: string, apart: boolean): string {
  if (rest === "" || /\s$/.test(text) || /^\s/.test(rest)) return "";
  return apart ? "\n\n" : "\n";
}

function findOverlap(text: string, next: string): { startInText: number; endInNext: number } | null {
  const head = fold(next.slice(0, MAX_OVERLAP));
  const offset = Math.max(0, text.length - MAX_OVERLAP);
  const tail = fold(text.slice(offset));
  for (let length = Math.min(head.folded.length, tail.folded.length); length >= MIN_OVERLAP; length--) {
    if (!tail.folded.endsWith(head.folded.slice(0, length))) continue;
    const startInText = tail.origins[tail.folded.length - length];
    const last = head.origins[length - 1];
    if (startInText === undefined || last === undefined) return null;
    return { startInText: offset + startInText, endInNext: last + charLength(next, last) };
  }
  return null;
}

/** Removes spaces, case and accents from a text; `origins` maps each unit to its original index. */
function fold(text: string): { folded: string; origins: number[] } {
  let folded = "";
  const origins: number[] = [];
  let at = 0;
  for (const char of text) {
    const bare = char
      .normalize("NFD")
      .replace(/\p{M}|\s/gu, "")
      .toLowerCase();
    for (let i = 0; i < bare.length; i++) origins.push(at);
    folded += bare;
    at += char.length;
  }
  return { folded, origins };
}

function charLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
