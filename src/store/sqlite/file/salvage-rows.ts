import type { Database, SQLQueryBindings } from "bun:sqlite";

export type Row = Record<string, SQLQueryBindings>;

/** Rows to read at a time while no read fails. */
const PAGE = 200;
/** Salvaging a table stops after this many consecutive unreadable row ids. */
const MAX_FAILURES = 20_000;

/** The columns of a table that both databases have; none if the old database lacks the table. */
export function sharedColumns(old: Database, fresh: Database, table: string): string[] {
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
export function* readableRows(
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
