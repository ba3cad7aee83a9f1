/** The signs of bold text, but not those of a glob such as `src/**`. */
const BOLD = /(?<![\w/])\*\*(?=[^\s/*])|(?<=[^\s/*])\*\*(?![\w/])/g;

/** Returns Markdown without its signs of bold text. */
export function withoutBold(markdown: string): string {
  return markdown.replace(BOLD, "");
}
