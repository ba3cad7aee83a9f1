/** Returns a text as PostgreSQL can store it: U+FFFD in place of U+0000 and of half surrogate pairs, so offsets hold. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Returns a value as JSON for a parameter, read in SQL by `?::text::jsonb`. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? storable(part) : part));
}
