/** Words of a text that are indexed in a second form, in order. */
export interface FoundWords {
  /** Words joined by hyphens or dots, such as `parse-transcript`. */
  compounds: string[];
  /** Words that may have several parts, such as `parseTranscript` and `parse_transcript`. */
  identifiers: string[];
}

/** What a character of a word is; 0 for characters that end one. */
const [OTHER, CAPITAL, LOW_LINE] = [1, 2, 3];
const SORTS = new Uint8Array(128);
SORTS.fill(OTHER, 48, 58).fill(OTHER, 97, 123).fill(CAPITAL, 65, 91).fill(LOW_LINE, 95, 96);
const [HYPHEN, DOT] = [45, 46];

/**
 * Finds the words of a text that are more than one word, at about the cost of reading it. Returns null for a text with
 * letters or digits that are not of ASCII: their words follow other rules.
 */
export function wordsOfAscii(text: string): FoundWords | null {
  if (!hasAsciiWords(text)) return null;
  const found: FoundWords = { compounds: [], identifiers: [] };
  let at = 0;
  while (at < text.length) at = sortAt(text, at) === 0 ? at + 1 : addWord(found, text, at);
  return found;
}

/** Adds the word that starts at a place, with the words joined to it, and returns where they end. */
function addWord(found: FoundWords, text: string, start: number): number {
  let from = start;
  let end = wordEnd(text, from);
  for (;;) {
    if (mayHaveParts(text, from, end)) found.identifiers.push(text.slice(from, end));
    if (!isJoined(text, end)) break;
    from = end + 1;
    end = wordEnd(text, from);
  }
  if (from > start) found.compounds.push(text.slice(start, end));
  return end;
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (sortAt(text, end) !== 0) end++;
  return end;
}

/** Whether a word has a `_`, or a capital that does not start it. */
function mayHaveParts(text: string, start: number, end: number): boolean {
  if (sortAt(text, start) === LOW_LINE) return true;
  for (let at = start + 1; at < end; at++) if (sortAt(text, at) > OTHER) return true;
  return false;
}

/** Whether a hyphen or dot joins the word before it to another. */
function isJoined(text: string, at: number): boolean {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return (code === HYPHEN || code === DOT) && sortAt(text, at + 1) !== 0;
}

function sortAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code < 128 ? (SORTS[code] ?? 0) : 0;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const OTHER_LETTER_OR_DIGIT = /(?![A-Za-z0-9])[\p{L}\p{N}]/u;
/** Marks mostly stand behind a sign, such as an emoji. Next to a letter, one belongs to the word. */
const MARK_IN_WORD = /\w\p{M}|\p{M}\w/u;

/** Whether all letters and digits of a text are of ASCII. */
function hasAsciiWords(text: string): boolean {
  return !NOT_ASCII.test(text) || (!OTHER_LETTER_OR_DIGIT.test(text) && !MARK_IN_WORD.test(text));
}

/** Git shows seven digits or more; ten are unique everywhere. */
const HASH_CHARS = 10;

/** The hash of a commit, as long as every list and message shows it. What git itself abbreviated stays as it is. */
export function shortHash(hash: string): string {
  return hash.slice(0, HASH_CHARS);
}
