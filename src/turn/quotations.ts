import { UNSPACED_LETTERS } from "../text/fold.ts";
import type { Range } from "./parts.ts";
import { type Line, OWN_SPEECH, REPORTED, REPORTED_AFTER } from "./paste-signs.ts";

/** A quotation has at least so many words, where somebody is said to have said it, and elsewhere. */
const QUOTED_WORDS = { reported: 5, bare: 25 } as const;
/** The signs of a quotation: what opens it, and what may close it. */
const QUOTE_SIGNS: Readonly<Record<string, string>> = {
  ...{ '"': '"', "“": "”", "„": "“”", "”": "”", "«": "»", "»": "«" },
  ...{ "'": "'", "‘": "’", "‚": "‘’", "‹": "›", "›": "‹", "「": "」", "『": "』" },
};
const AMBIGUOUS = "'”»›";
/** Every sign that may close a quotation. */
export const CLOSING = Object.values(QUOTE_SIGNS).join("");
/** In scripts without spaces, so many letters are a word. */
const LETTERS_PER_WORD = 2;
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, "gu");
/** A quotation that goes on below its line ends within so many lines. */
const QUOTED_LINES = 8;

/** Where a block ends, as the number of the line behind it; where it starts and ends, if that is within a line. */
export interface Block {
  until: number;
  from?: number;
  to?: number;
}

/** Reported quotations in a line of the person's own, and very long ones. */
export function quotationsIn(line: Line | undefined): Range[] {
  if (line === undefined) return [];
  return quotesIn(line.text).flatMap(({ start, end }) => {
    const words = wordsIn(line.text.slice(start, end));
    if (words < QUOTED_WORDS.reported) return [];
    const isReported = isReportedIn(line.text.slice(0, start)) || REPORTED_AFTER.test(line.text.slice(end));
    if (words < (isReported ? QUOTED_WORDS.reported : QUOTED_WORDS.bare)) return [];
    return [{ start: line.start + start, end: line.start + end }];
  });
}

/** Whether a quotation is reported by what stands before it in its sentence. */
function isReportedIn(before: string): boolean {
  const sentence = before.slice(Math.max(...[".", "!", "?"].map((sign) => before.lastIndexOf(sign))) + 1);
  return REPORTED.test(sentence) && !OWN_SPEECH.test(sentence);
}

/** The signs that may close the quotation with which a line begins; none where it begins with none, or ends it. */
export function unclosedBy(line: string): readonly string[] {
  const signs = QUOTE_SIGNS[line.charAt(0)];
  return signs === undefined || closeOf(line, 0) >= 0 ? [] : [...signs];
}

/** Whether a quotation may open with this sign. */
export function isQuoteSign(sign: string): boolean {
  return sign in QUOTE_SIGNS;
}

function quotesIn(text: string): Range[] {
  const found: Range[] = [];
  const open = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (open.has(sign) || !opensAt(text, at)) continue;
    const end = closeOf(text, at);
    if (end < 0) open.add(sign);
    else {
      found.push({ start: at, end: end + 1 });
      at = end;
    }
  }
  return found;
}

/** Whether a sign opens a quotation; one that may be an apostrophe, or close one, does so before a word and behind none. */
function opensAt(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (QUOTE_SIGNS[sign] === undefined) return false;
  return !AMBIGUOUS.includes(sign) || (!isWord(text, at - 1) && /\S/.test(text.charAt(at + 1)));
}

/** Where the quotation ends that opens there; -1 where it does not. */
function closeOf(text: string, opening: number): number {
  const signs = QUOTE_SIGNS[text.charAt(opening)] ?? "";
  let doubtful = -1;
  for (let at = opening + 1; at < text.length; at++) {
    const sign = text.charAt(at);
    if (doubtful >= 0 && sign === text.charAt(opening) && opensAt(text, at)) break;
    if (!signs.includes(sign) || (isApostrophe(sign) && isWord(text, at + 1))) continue;
    // "the admins' rule": behind an s it may belong to the word.
    if (
      !isApostrophe(sign) ||
      !/s/i.test(text.charAt(at - 1)) ||
      !/^ \p{Ll}/u.test(text.slice(at + 1, at + 4))
    )
      return at;
    if (doubtful < 0) doubtful = at;
  }
  return doubtful;
}

function isApostrophe(sign: string): boolean {
  return sign === "'" || sign === "’";
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length + (text.match(UNSPACED)?.length ?? 0) / LETTERS_PER_WORD;
}

function isWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at));
}

/** A reported quotation that starts in a line of the person's own and ends in one of the next, in the same paragraph. */
export function quotedBelow(lines: readonly Line[], at: number): Block | null {
  const line = lines[at];
  const opening = line === undefined ? -1 : openedIn(line.text);
  if (line === undefined || opening < 0 || !isReportedIn(line.text.slice(0, opening))) return null;
  for (let next = at + 1; next < at + QUOTED_LINES; next++) {
    const { start = 0, text = "" } = lines[next] ?? {};
    if (text.trim() === "") break;
    // The sign that opens it stands before the line, so that the line is looked through from its start.
    const end = closeOf(line.text.charAt(opening) + text, 0);
    if (end > 0) return { from: line.start + opening, until: next + 1, to: start + end };
  }
  return null;
}

/** Where a quotation opens that does not end in its line; -1 where none does. */
function openedIn(text: string): number {
  const behind = quotesIn(text).at(-1)?.end ?? 0;
  for (let at = behind; at < text.length; at++)
    if (opensAt(text, at) && !isWord(text, at - 1) && isWord(text, at + 1)) return at;
  return -1;
}
