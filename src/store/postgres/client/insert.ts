import type { Statements } from "./database.ts";

/** Where rows go. Names and types are constants of the program, never input. */
export interface Destination {
  readonly table: string;
  /** Columns in the order of a row's values, each with its type, which is not an array: `{ id: "bigint", v: "halfvec" }`. */
  readonly columns: Readonly<Record<string, string>>;
  /** What follows the rows: `ON CONFLICT … DO NOTHING`, `RETURNING …` has no use here. */
  readonly suffix?: string;
}

/** Round trips cost most below; above, server and client wait for each other. */
const ROWS_AT_ONCE = 250;
const BYTES_AT_ONCE = 1 << 20;

/**
 * Inserts many rows in few round trips; returns the number of rows that were written. While the server writes rows, the next
 * ones are made: `rows` may make each row when it is asked for.
 */
export async function insertRows(
  sql: Statements,
  destination: Destination,
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
    // It is awaited with the next batch; the transaction has failed before that if making rows throws.
    sent.catch(() => {});
    await Bun.sleep(0);
  }
  return written + ((await sent) ?? 0);
}

function insertText({ table, columns, suffix = "" }: Destination): string {
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

/** A value of an array: text for vectors, dates and JSON. */
type Value = string | number | bigint | boolean | Uint8Array | null;

/**
 * Writes an array as PostgreSQL reads it. `Bun.SQL` does so itself for types that it knows, but joins the values of an
 * array of any other type, such as `halfvec[]`, with commas.
 */
function arrayText(values: readonly Value[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

function elementText(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `"${value.replace(/["\\]/g, "\\$&")}"`;
  return value instanceof Uint8Array ? `"\\\\x${value.toHex()}"` : `${value}`;
}
