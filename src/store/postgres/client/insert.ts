import type { Statements } from "./database.ts";

/** The target table of an insert. Names and types are constants of the program, never input. */
export interface InsertTarget {
  readonly table: string;
  /** Columns in the order of a row's values, each with its scalar type: `{ id: "bigint", v: "halfvec" }`. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL after the rows: `ON CONFLICT … DO NOTHING`. `RETURNING …` has no effect here. */
  readonly suffix?: string;
}

/** Rows per statement. With fewer, round trips dominate; with more, server and client wait for each other. */
const ROWS_AT_ONCE = 250;
const BYTES_AT_ONCE = 1 << 20;

/**
 * Inserts many rows in few round trips and returns the number of written rows. `rows` may create each row on demand: while the
 * server writes some rows, the next ones are created.
 */
export async function insertRows(
  sql: Statements,
  destination: InsertTarget,
  rows: Iterable<readonly Value[]>,
): Promise<number> {
  const text = insertText(destination);
  const width = Object.keys(destination.columns).length;
  let written = 0;
  let sent: Promise<number> | null = null;
  for (const batch of batches(rows)) {
    const values = Array.from({ length: width }, (_, column) =>
      arrayText(batch.map((row) => row[column] ?? null)),
    );
    written += (await sent) ?? 0;
    sent = sql.run(text, values);
    // The result is awaited with the next batch. If creating rows throws first, the transaction has failed anyway.
    sent.catch(() => {});
    await Bun.sleep(0);
  }
  return written + ((await sent) ?? 0);
}

function insertText({ table, columns, suffix = "" }: InsertTarget): string {
  const names = Object.keys(columns).join(", ");
  const arrays = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`);
  return `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays.join(", ")}) ${suffix}`;
}

function* batches(rows: Iterable<readonly Value[]>): Generator<(readonly Value[])[]> {
  let batch: (readonly Value[])[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (batch.length > 0 && (batch.length === ROWS_AT_ONCE || bytes + size > BYTES_AT_ONCE)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf(value: Value): number {
  if (typeof value === "string") return value.length;
  return value instanceof Uint8Array ? 2 * value.length : 8;
}

/** An array element: text for vectors, dates and JSON. */
type Value = string | number | bigint | boolean | Uint8Array | null;

/**
 * Formats an array in PostgreSQL's syntax. `Bun.SQL` does so only for types that it knows, and joins the elements of any other
 * array, such as `halfvec[]`, with commas.
 */
function arrayText(values: readonly Value[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

function elementText(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `"${value.replace(/["\\]/g, "\\$&")}"`;
  return value instanceof Uint8Array ? `"\\\\x${value.toHex()}"` : `${value}`;
}
