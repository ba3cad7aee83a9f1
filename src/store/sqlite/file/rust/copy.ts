import { BUILT_IN_MODEL } from "../../../../constants.ts";
import { clean, cleaned, cleanPiece } from "../../../../redact/gate.ts";
import type { Connection } from "../../connection/connection.ts";
import { fillParts } from "../../turns/parts.ts";
import { fillVectorRanks } from "../../turns/vector-ranks.ts";
import { activate, addModel } from "../../vectors/models.ts";
import { saveVector } from "../../vectors/save-vector.ts";
import { writeChunks } from "../../write/chunks.ts";
import { writeMention } from "../../write/details.ts";
import { recut } from "../../write/recut.ts";
import { joinChunks } from "./join.ts";

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
export function copyRustRows(connection: Connection, old: OldTables): void {
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
  const written = isSame ? chunks : recut(text);
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

/** The column, or NULL if this version of the table does not have it. */
function column(connection: Connection, old: OldTables, table: string, name: string): string {
  const found = connection.get("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", old.prefix + table, name);
  return found === null ? "NULL" : name;
}
