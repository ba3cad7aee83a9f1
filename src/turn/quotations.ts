import { LETTERS_PER_WORD, UNSPACED_LETTERS } from "../text/scripts.ts";
import { addressesAgent, pointsAtText } from "./address.ts";
import { OWN_SPEECH, QUOTE_ATTRIBUTION, REPORTED_QUOTE } from "./leads.ts";
import type { TextRange } from "./parts.ts";
import type { PromptLine } from "./paste-signs.ts";

/** Minimum words of a quotation, with and without an attribution. */
const QUOTED_WORDS = { reported: 5, bare: 25 } as const;
/** Opening quotation marks, each with the marks that may close it. */
const QUOTE_SIGNS: Readonly<Record<string, string>> = {
  ...{ '"': '"', "“": "”", "„": "“”", "”": "”", "«": "»", "»": "«" },
  ...{ "'": "'", "‘": "’", "‚": "‘’", "‹": "›", "›": "‹", "「": "」", "『": "』" },
};
const AMBIGUOUS = "'”»›";
/** All closing quotation marks. */
export const CLOSING_QUOTES = Object.values(QUOTE_SIGNS).join("");
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, "gu");
/** Maximum lines of a quotation that continues below its first line. */
const QUOTED_LINES = 8;

/** A block of pasted text: the number of the line after its end and, if it starts or ends within a line, the offsets. */
export interface Block {
  until: number;
  from?: number;
  to?: number;
}

/** Returns the reported quotations in a line of the person's own, and very long ones. */
export function findQuotations(line: PromptLine | undefined): TextRange[] {
  if (line === undefined) return [];
  return quotesIn(line.text).flatMap(({ start, end }) => {
    const words = wordsIn(line.text.slice(start, end));
    if (words < QUOTED_WORDS.reported) return [];
    const [before, after] = [line.text.slice(0, start), line.text.slice(end)];
    const isReported =
      isReportedIn(before) || QUOTE_ATTRIBUTION.test(after) || isAskedAbout(before, after) || isLed(before);
    if (words < (isReported ? QUOTED_WORDS.reported : QUOTED_WORDS.bare)) return [];
    return [{ start: line.start + start, end: line.start + end }];
  });
}

/** Tells whether the text before a quotation in its sentence attributes it. */
function isReportedIn(before: string): boolean {
  const ended = before.trimEnd().replace(/[.!?]$/, "");
  // A quotation may be a sentence itself, which the one before it attributes.
  const text = ended.length < before.trimEnd().length ? ended : before;
  const sentence = text.slice(Math.max(...[".", "!", "?"].map((sign) => text.lastIndexOf(sign))) + 1);
  return REPORTED_QUOTE.test(sentence) && !OWN_SPEECH.test(sentence);
}

/** Tells whether the words around a quotation ask about it, or there are none. */
function isAskedAbout(before: string, after: string): boolean {
  const around = `${before.trim()} ${after.trim()}`.trim();
  if (!/[\p{L}\p{N}]/u.test(around)) return true;
  return [before, after].some((words) => addressesAgent(words) && pointsAtText(words));
}

/** Tells whether a source with a colon stands before a quotation: no literal that the person wants somewhere. */
function isLed(before: string): boolean {
  return /[:：]\s*$/.test(before) && !OWN_SPEECH.test(before) && !LITERAL.test(before);
}

/** Words about a text that the person wants somewhere. */
const LITERAL =
  /\b(?:must|should|say|name|call|log|show|print|display|write|use|set|add|put|text|label|title|button|error|warning|placeholder|rename|change|replace|read|heading|string)\b/i;

/** Returns the length of the quotation with which a text begins; null if it begins with none, or that does not end. */
export function quotationAt(text: string): number | null {
  if (QUOTE_SIGNS[text.charAt(0)] === undefined) return null;
  const end = closeOf(text, 0);
  return end < 0 ? null : end + 1;
}

/**
 * Returns the marks that may close the quotation at the start of a line; none if there is no quotation, or it ends in the line.
 */
export function unclosedQuotes(line: string): readonly string[] {
  const signs = QUOTE_SIGNS[line.charAt(0)];
  return signs === undefined || closeOf(line, 0) >= 0 ? [] : [...signs];
}

function quotesIn(text: string): TextRange[] {
  const found: TextRange[] = [];
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

/**
 * Tells whether a mark opens a quotation. A mark that may be an apostrophe or a closing mark opens one only before a word and not
 * after one.
 */
function opensAt(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (QUOTE_SIGNS[sign] === undefined) return false;
  return !AMBIGUOUS.includes(sign) || (!isWord(text, at - 1) && /\S/.test(text.charAt(at + 1)));
}

/** Returns the end of the quotation that opens at an offset; -1 if it does not end. */
function closeOf(text: string, opening: number): number {
  const signs = QUOTE_SIGNS[text.charAt(opening)] ?? "";
  let doubtful = -1;
  for (let at = opening + 1; at < text.length; at++) {
    const sign = text.charAt(at);
    if (doubtful >= 0 && sign === text.charAt(opening) && opensAt(text, at)) break;
    if (!signs.includes(sign) || (isApostrophe(sign) && isWord(text, at + 1))) continue;
    // "the admins' rule": after an s, the mark may be an apostrophe.
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

/** Returns a reported quotation that starts in a line of the person's own and ends in a later line of the same paragraph. */
export function quotedBelow(lines: readonly PromptLine[], at: number): Block | null {
  const line = lines[at];
  const opening = line === undefined ? -1 : openedIn(line.text);
  if (line === undefined || opening < 0 || !isReportedIn(line.text.slice(0, opening))) return null;
  for (let next = at + 1; next < at + QUOTED_LINES; next++) {
    const { start = 0, text = "" } = lines[next] ?? {};
    if (text.trim() === "") break;
    // The opening mark precedes the line, so the search starts at the line's start.
    const end = closeOf(line.text.charAt(opening) + text, 0);
    if (end > 0) return { from: line.start + opening, until: next + 1, to: start + end };
  }
  return null;
}

/** Returns the offset of a quotation that opens in a line and does not end there; -1 if there is none. */
function openedIn(text: string): number {
  const behind = quotesIn(text).at(-1)?.end ?? 0;
  for (let at = behind; at < text.length; at++)
    if (opensAt(text, at) && !isWord(text, at - 1) && isWord(text, at + 1)) return at;
  return -1;
}
