import { Database, type SQLQueryBindings } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync, rmSync } from "node:fs";
import { SYSTEM } from "../../../io/system.ts";
import { mapSqliteError } from "../connection/errors.ts";
import { createSchema } from "../connection/migrate.ts";
import { fillWordIndex } from "../search/keywords.ts";
import { fillParts } from "../turns/columns.ts";
import { fromBytes, signBits } from "../vectors/math.ts";
import { contentHash, fillVectorRanks } from "../write/chunks.ts";
import { writeIdentity } from "./open.ts";

/** The rows recovered from a damaged database. */
export interface Salvage {
  /** New path of the damaged file. */
  aside: string;
  turns: number;
  chunks: number;
}

/** Tables to copy first: those that others refer to, and those with triggers. */
const FIRST = ["models", "resource_embeddings", "sessions", "turns", "chunks", "chunk_vectors"];

/** Tables derived from others. Without `sources`, existing transcripts are read again and update the same turns. */
const MADE_ANEW = [
  "file_totals",
  "sources",
  "chunk_bits",
  "packed_bits",
  "pending_vectors",
  "pending_resources",
  "session_access_patterns",
  "stale_access_patterns",
];

/**
 * Moves a damaged database to `<file>.damaged-<time>` and replaces it with a new database of all readable rows. Deletes nothing.
 * An interruption leaves everything unchanged.
 *
 * @throws the error of SQLite, as a `MementorError`, when the rows cannot be copied.
 */
export function salvageDatabase(file: string, options: { identity: string | null; now: string }): Salvage {
  const aside = freeName(`${file}.damaged-${options.now.slice(0, 19).replace(/[^0-9T]/g, "")}`);
  const draft = `${file}.${process.pid}.salvage`;
  try {
    const counts = carryOver(file, draft, options);
    for (const suffix of ["-wal", "-shm"])
      if (existsSync(file + suffix)) SYSTEM.rename(file + suffix, aside + suffix);
    SYSTEM.rename(file, aside);
    SYSTEM.rename(draft, file);
    return { aside, ...counts };
  } catch (error) {
    throw mapSqliteError(error, file);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
  }
}

function freeName(name: string): string {
  let free = name;
  for (let n = 2; existsSync(free); n++) free = `${name}.${n}`;
  return free;
}

function carryOver(file: string, draft: string, options: { identity: string | null; now: string }) {
  closeSync(openSync(draft, "wx", 0o600));
  const fresh = new Database(draft, { readwrite: true });
  try {
    createSchema(fresh);
    if (options.identity !== null) writeIdentity(fresh, options.identity);
    const old = openQuietly(file);
    if (old) fresh.transaction(() => copyAll(old, fresh, options.now))();
    old?.close();
    const count = (table: string) =>
      fresh.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    return { turns: count("turns"), chunks: count("chunks") };
  } finally {
    fresh.close();
    chmodSync(draft, 0o600);
  }
}

function openQuietly(file: string): Database | null {
  try {
    return new Database(file, { readonly: true });
  } catch {
    return null;
  }
}

function copyAll(old: Database, fresh: Database, now: string): void {
  for (const { name, hasRowid } of tablesOf(fresh)) {
    const columns = sharedColumns(old, fresh, name);
    if (columns.length === 0) continue;
    const places = columns.map(() => "?").join(", ");
    const list = columns.map((column) => `"${column}"`).join(", ");
    const insert = fresh.query(`INSERT OR IGNORE INTO "${name}" (${list}) VALUES (${places})`);
    for (const row of readableRows(old, name, columns, hasRowid))
      if (isWhole(name, row)) insert.run(...columns.map((column) => row[column] ?? null));
  }
  mendReferences(fresh, now);
  fillParts(fresh);
  fillVectorRanks(fresh);
  rebuildSearch(fresh);
}

function tablesOf(db: Database): { name: string; hasRowid: boolean }[] {
  const all = db
    .query<{ name: string; wr: number }, []>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .filter(({ name }) => !MADE_ANEW.includes(name));
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return all
    .map(({ name, wr }) => ({ name, hasRowid: wr === 0 }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/** Tells whether a row seems undamaged. A chunk contains the hash of its text. */
function isWhole(table: string, { content, content_hash: hash }: Row): boolean {
  if (table !== "chunks") return true;
  return (
    typeof content === "string" &&
    hash instanceof Uint8Array &&
    contentHash(content).every((byte, i) => byte === hash[i])
  );
}

/** Removes rows whose parents were lost. Recreates a lost session from its turns. */
function mendReferences(db: Database, now: string): void {
  forgetSources(db);
  db.query("INSERT OR IGNORE INTO sessions (session_id) SELECT DISTINCT session_id FROM turns").run(now);
  const references = db
    .query<{ child: string; parent: string; from: string; to: string }, []>(
      `SELECT l.name AS child, f."table" AS parent, f."from", f."to" FROM pragma_table_list l,
         pragma_foreign_key_list(l.name) f WHERE l.schema = 'main' AND l.type = 'table'`,
    )
    .all();
  for (const { child, parent, from, to } of references)
    db.run(
      `DELETE FROM "${child}" WHERE "${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${parent}")`,
    );
  db.run("DELETE FROM chunk_vectors WHERE chunk_id NOT IN (SELECT id FROM chunks)");
}

/** Line offset of a session's second file in older databases, which also gave lost turns negative numbers. */
const SECOND_FILE = 1_000_000_000;

/** Clears the sources of turns. If several files have the same line, one keeps it until the transcripts are read again. */
function forgetSources(db: Database): void {
  db.run(`UPDATE turns SET line_index = NULL WHERE line_index NOT BETWEEN 0 AND ${SECOND_FILE - 1} OR id NOT IN
    (SELECT min(id) FROM turns GROUP BY session_id, coalesce(agent_id, ''), line_index)`);
  db.run("UPDATE turns SET source_id = NULL");
  for (const table of ["turn_copies", "compactions"]) {
    db.run(`DELETE FROM ${table} WHERE line_index >= ${SECOND_FILE}`);
    db.run(`UPDATE OR REPLACE ${table} SET source_id = NULL`);
  }
}

function rebuildSearch(db: Database): void {
  fillWordIndex(db);
  const insertBits = db.query(
    "INSERT INTO chunk_bits (model_id, chunk_id, turn_id, bits) VALUES (?, ?, ?, ?)",
  );
  const vectors = db.query<{ modelId: number; chunkId: number; turnId: number; embedding: Uint8Array }, []>(
    `SELECT v.model_id AS modelId, v.chunk_id AS chunkId, c.turn_id AS turnId, v.embedding
     FROM chunk_vectors v JOIN chunks c ON c.id = v.chunk_id`,
  );
  for (const { modelId, chunkId, turnId, embedding } of vectors.iterate())
    insertBits.run(modelId, chunkId, turnId, signBits(fromBytes(embedding)));
  db.run("INSERT OR IGNORE INTO stale_access_patterns (session_id) SELECT session_id FROM sessions");
  db.run(
    "INSERT OR IGNORE INTO meta (key, value) SELECT 'active_model', CAST(min(id) AS TEXT) FROM models HAVING count(*) > 0",
  );
}

type Row = Record<string, SQLQueryBindings>;

/** Rows to read at a time until a read fails. */
const PAGE = 200;
/** Salvaging a table stops after this many consecutive unreadable row ids. */
const MAX_FAILURES = 20_000;

/** Returns the columns that a table has in both databases; none if the old database lacks the table. */
function sharedColumns(old: Database, fresh: Database, table: string): string[] {
  const theirs = new Set(columnsOf(old, table));
  return columnsOf(fresh, table).filter((name) => theirs.has(name));
}

function columnsOf(db: Database, table: string): string[] {
  try {
    return db
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Yields the readable rows of a table of a damaged database. Skips rows on broken pages. */
function* readableRows(
  db: Database,
  table: string,
  columns: readonly string[],
  hasRowid: boolean,
): Iterable<Row> {
  const list = columns.map((name) => `"${name}"`).join(", ");
  if (hasRowid) yield* byRowid(db, table, list);
  // Read from both ends: rows behind a broken page are reached from the other side.
  else for (const order of ["ASC", "DESC"]) yield* untilBroken(db, table, list, order);
}

function* byRowid(db: Database, table: string, list: string): Iterable<Row> {
  const select = db.query<Row & { rowid__: number }, [number, number]>(
    `SELECT rowid AS rowid__, ${list} FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  let after = -1;
  let limit = PAGE;
  for (let failures = 0; failures < MAX_FAILURES; ) {
    const rows = attempt(() => select.all(after, limit));
    if (rows === null) {
      if (limit === 1) after += 1;
      failures += 1;
      limit = 1;
      continue;
    }
    const last = rows.at(-1);
    if (!last) return;
    for (const { rowid__: _, ...row } of rows) yield row;
    after = last.rowid__;
    failures = 0;
    limit = Math.min(PAGE, limit * 2);
  }
}

function* untilBroken(db: Database, table: string, list: string, order: string): Iterable<Row> {
  const [first = "1"] = list.split(", ");
  const rows = attempt(() =>
    db.query<Row, []>(`SELECT ${list} FROM "${table}" ORDER BY ${first} ${order}`).iterate(),
  );
  for (let next = rows && attempt(() => rows.next()); rows && next && !next.done; ) {
    yield next.value;
    next = attempt(() => rows.next());
  }
}

function attempt<T>(work: () => T): T | null {
  try {
    return work() ?? null;
  } catch {
    return null;
  }
}
