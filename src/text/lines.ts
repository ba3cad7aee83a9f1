/** Anything but single spaces between words. */
const UNEVEN = /[^\S ]| {2}|^ | $/;
/** White space other than a single space. */
const RUN = /[^\S ]\s*| \s+/g;

/** Returns a text on one line, with single spaces between words. */
export function onOneLine(text: string): string {
  return UNEVEN.test(text) ? text.replace(RUN, " ").trim() : text;
}

/** Quotes a word for a POSIX shell, if necessary. */
export function shWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a word for PowerShell, which treats typographic quotes like straight ones. */
export function powershellWord(word: string): string {
  return `'${word.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}

/** Renders the program's name with the options that select a memory: `mementor`, or `mementor -C ../api`. */
export function programCommand(memoryOptions: readonly string[]): string {
  return ["mementor", ...memoryOptions].map(shWord).join(" ");
}

/** A line that opens or closes a code block, with its mark and the rest of the line. */
const FENCE_LINE = /^[ \t]{0,3}(`{3,}|~{3,})([^\n]*)$/gm;

/** Returns the mark of the code block that is still open at the end of a text, such as three backticks; null if none is. */
export function openFence(text: string): string | null {
  let open: string | null = null;
  for (const [, mark = "", rest = ""] of text.matchAll(FENCE_LINE)) {
    if (open === null) open = mark;
    else if (mark[0] === open[0] && mark.length >= open.length && rest.trim() === "") open = null;
  }
  return open;
}

/** Returns the number of characters needed to open and close a cut code block; 0 for a text without code blocks. */
export function fenceRoom(text: string): number {
  const marks = [...text.matchAll(FENCE_LINE)].map(([, mark = ""]) => mark.length);
  return marks.length === 0 ? 0 : 2 * (Math.max(...marks) + 1);
}

/** Markers of bold text, but not those of a glob such as `src/**`. */
const BOLD = /(?<![\w/])\*\*(?=[^\s/*])|(?<=[^\s/*])\*\*(?![\w/])/g;

/** Returns Markdown without its markers of bold text. */
export function withoutBold(markdown: string): string {
  return markdown.replace(BOLD, "");
}
