/** Returns a text as PostgreSQL can store it: U+FFFD in place of U+0000 and of half surrogate pairs, so offsets hold. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Returns a value as JSON for a parameter, read in SQL by `?::text::jsonb`. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? storable(part) : part));
}

/** Returns a value with every text as PostgreSQL can store it. */
export function storableAll<Value>(value: Value): Value {
  return walk(value) as Value;
}

function walk(value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map(walk);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storable(name), walk(item)]));
}
