import { INJECTED_CLOSE, INJECTED_OPEN } from "../constants.ts";

/**
 * Removes text that hooks of mementor injected. Its tag counts only at the start of a line, so that a person can mention
 * it. A tag that is not closed reaches to the end of the text.
 */
export function removeInjected(text: string): string {
  // Finding a character is far faster than finding a word, and most texts contain no tag.
  let start = text.includes("<") ? text.indexOf(INJECTED_OPEN) : -1;
  if (start < 0) return text;
  let kept = "";
  let from = 0;
  while (start >= 0) {
    if (startsLine(text, start)) {
      kept += text.slice(from, start);
      const end = text.indexOf(INJECTED_CLOSE, start);
      if (end < 0) return kept;
      from = end + INJECTED_CLOSE.length;
    }
    start = text.indexOf(INJECTED_OPEN, Math.max(from, start + 1));
  }
  return kept + text.slice(from);
}

function startsLine(text: string, index: number): boolean {
  const line = text.lastIndexOf("\n", index - 1) + 1;
  return text.slice(line, index).trim() === "";
}
