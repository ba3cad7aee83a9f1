/** Returns a text on one line: each run of white space becomes one space. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Anything but single spaces between words. */
const UNEVEN = /[^\S ]| {2}|^ | $/;
/** White space other than a single space. */
const RUN = /[^\S ]\s*| \s+/g;

/** Returns the text on one line, with single spaces between words. */
export function evenly(text: string): string {
  return UNEVEN.test(text) ? text.replace(RUN, " ").trim() : text;
}

/** Quotes a word for sh and its kind, if it needs that. */
export function shWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a word for PowerShell. It takes typographic quotes for straight ones. */
export function powershellWord(word: string): string {
  return `'${word.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
}

/** Renders the start of a command line for a memory: `mementor`, or `mementor -C ../api`. */
export function programFor(memoryOptions: readonly string[]): string {
  return ["mementor", ...memoryOptions].map(shWord).join(" ");
}

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
