import { FRAME_CLOSE, FRAME_OPEN } from "../constants.ts";

/**
 * Removes what hooks of mementor told. Its tag counts only at the start of a line, so that a person can mention
 * it. A tag that is not closed reaches to the end of the text.
 */
export function withoutTold(text: string): string {
  // Finding a character is far faster than finding a word, and most texts contain no tag.
  let start = text.includes("<") ? text.indexOf(FRAME_OPEN) : -1;
  if (start < 0) return text;
  let kept = "";
  let from = 0;
  while (start >= 0) {
    if (startsLine(text, start)) {
      kept += text.slice(from, start);
      const end = text.indexOf(FRAME_CLOSE, start);
      if (end < 0) return kept;
      from = end + FRAME_CLOSE.length;
    }
    start = text.indexOf(FRAME_OPEN, Math.max(from, start + 1));
  }
  return kept + text.slice(from);
}

function startsLine(text: string, index: number): boolean {
  const line = text.lastIndexOf("\n", index - 1) + 1;
  return text.slice(line, index).trim() === "";
}
