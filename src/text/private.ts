import { INJECTED_CLOSE, INJECTED_OPEN } from "../constants.ts";

const PRIVATE_OPEN = /<private>/i;

/** Removes everything inside `<private>…</private>`, the tags included; an unclosed one reaches to the end. */
export function removePrivate(text: string): string {
  let rest = text;
  let kept = "";
  for (;;) {
    const open = PRIVATE_OPEN.exec(rest);
    if (!open) return kept + rest;
    kept += rest.slice(0, open.index);
    const after = rest.slice(open.index + open[0].length);
    const end = endOfPrivate(after);
    if (end < 0) return kept;
    rest = after.slice(end);
  }
}

/** Where the passage that is open at the start of `text` ends, nested passages counted; -1 when it does not. */
function endOfPrivate(text: string): number {
  const tag = /<(\/?)private>/gi;
  let depth = 1;
  for (let match = tag.exec(text); match; match = tag.exec(text)) {
    depth += match[1] ? -1 : 1;
    if (depth === 0) return tag.lastIndex;
  }
  return -1;
}

/**
 * Removes what mementor itself told Claude. The mark counts only at the start of a line, so that a person may speak
 * of it; an unclosed one reaches to the end of the text.
 */
export function removeInjected(text: string): string {
  // One character is found far faster than a word, and most texts hold no tag at all.
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
