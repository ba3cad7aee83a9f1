/** A line that opens or closes a code block: its mark and what follows. */
const FENCE_LINE = /^[ \t]{0,3}(`{3,}|~{3,})([^\n]*)$/gm;

/** Returns the mark of the code block that is open at the end of a text, such as three backticks; null outside of one. */
export function openFence(text: string): string | null {
  let open: string | null = null;
  for (const [, mark = "", rest = ""] of text.matchAll(FENCE_LINE)) {
    if (open === null) open = mark;
    else if (mark[0] === open[0] && mark.length >= open.length && rest.trim() === "") open = null;
  }
  return open;
}

/** Returns how many characters it takes to open and close a code block that a cut may break; 0 without code blocks. */
export function fenceRoom(text: string): number {
  const marks = [...text.matchAll(FENCE_LINE)].map(([, mark = ""]) => mark.length);
  return marks.length === 0 ? 0 : 2 * (Math.max(...marks) + 1);
}

/** The signs of bold text, but not those of a glob such as `src/**`. */
const BOLD = /(?<![\w/])\*\*(?=[^\s/*])|(?<=[^\s/*])\*\*(?![\w/])/g;

/** Returns Markdown without its signs of bold text. */
export function withoutBold(markdown: string): string {
  return markdown.replace(BOLD, "");
}
