/** A value of an array: text for vectors, dates and JSON. */
export type Value = string | number | bigint | boolean | Uint8Array | null;

/**
 * Writes an array as PostgreSQL reads it. `Bun.SQL` does so itself for types that it knows, but joins the values of an
 * array of any other type, such as `halfvec[]`, with commas.
 */
export function arrayText(values: readonly Value[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

function elementText(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `"${value.replace(/["\\]/g, "\\$&")}"`;
  return value instanceof Uint8Array ? `"\\\\x${value.toHex()}"` : `${value}`;
}
