/** The tags `<private>`, `<private/>` and `</private>`, with blanks or attributes, as written or as entities. */
const TAG =
  /(?:<|&lt;)\s{0,8}(\/?)\s{0,8}private(?:\s{1,8}[\w:-]{1,40}\s?=[^<>\n]{0,200}?)?\s{0,8}(\/?)\s{0,8}(?:>|&gt;)/gi;

/** A text without its private passages, and the number of passages open at its end. */
interface Outside {
  text: string;
  depth: number;
}

/** Removes everything inside `<private>…</private>` with the tags; an unclosed passage reaches to the end. */
export function removePrivate(text: string): string {
  return outside(text, 0).text;
}

/** Tells whether a passage is open at the end of a text. */
export function opensPrivate(text: string): boolean {
  return mayHoldTag(text) && outside(text, 0).depth > 0;
}

/** Returns the text after the end of a passage that was open before; null when it does not end here. */
export function afterPrivate(text: string): string | null {
  if (!mayHoldTag(text)) return null;
  const end = endOfPassage(text, 1, 0);
  return end < 0 ? null : text.slice(end);
}

/** Tells quickly whether a text contains a `<`, blanks or a slash, and a `p`; or a `<` as an entity. */
export function mayHoldTag(text: string): boolean {
  if (text.includes("&") && /&lt;/i.test(text)) return true;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    let next = at + 1;
    while (next < text.length && isSpaceOrSlash(text.charCodeAt(next))) next++;
    if (next < text.length && (text.charCodeAt(next) | 32) === LETTER_P) return true;
  }
  return false;
}

const [LETTER_P, SLASH] = [112, 47];

/** Tells whether a character is a slash or white space, in ASCII or not. */
function isSpaceOrSlash(code: number): boolean {
  return code <= 32 || code === SLASH || code >= 0xa0;
}

function outside(text: string, from: number): Outside {
  let kept = "";
  let at = from;
  for (;;) {
    TAG.lastIndex = at;
    let open = TAG.exec(text);
    while (open?.[1] === "/") open = TAG.exec(text);
    if (!open) return { text: kept + text.slice(at), depth: 0 };
    const start = open.index + open[0].length;
    const end = endOfPassage(text, 1, start);
    // An empty passage, unless something closes it.
    const isEmpty = open[2] === "/" && end < 0;
    kept += text.slice(at, open.index);
    if (end < 0 && !isEmpty) return { text: kept, depth: 1 };
    at = isEmpty ? start : end;
  }
}

/** Returns the end of the passage that is open at an offset, counting nested ones; -1 without an end. */
function endOfPassage(text: string, depth: number, from: number): number {
  let open = depth;
  TAG.lastIndex = from;
  for (let tag = TAG.exec(text); tag; tag = TAG.exec(text)) {
    open += tag[1] === "/" ? -1 : 1;
    if (open === 0) return TAG.lastIndex;
  }
  return -1;
}
