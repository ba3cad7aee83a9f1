/** Returns the text with secrets replaced by `[redacted:<kind>]`. */
export function redact(text: string): string {
  return text;
}
