/** What JSON allows unescaped and a terminal may act on. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const ACTIVE = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Renders a value as one line of JSON that is safe to print on a terminal. */
export function renderJson(value: unknown): string {
  return `${safeJson(JSON.stringify(value))}\n`;
}

/** Returns a line of JSON with the same value and without anything that a terminal acts on. */
export function safeJson(line: string): string {
  return line.replace(ACTIVE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
