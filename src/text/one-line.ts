/** Returns a text on one line: each run of white space becomes one space. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
