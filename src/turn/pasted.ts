import { UNTRUSTED } from "../io/untrusted.ts";
import { UNSPACED_LETTERS } from "../text/unspaced.ts";
import type { Range } from "./parts.ts";
import {
  DIFF,
  LEADS,
  type Line,
  LOG_LINES,
  NO_LEAD,
  OWN_AGAIN,
  OWN_SPEECH,
  OWN_TAGS,
  REPORTED,
  REPORTED_AFTER,
  SHELL_LINE,
  SIGNED,
  startsDocument,
  ticketIn,
} from "./paste-signs.ts";

/** What stands beyond is taken for pasted, and is not looked at. */
const { typedChars: TYPED_CHARS, typedLines: TYPED_LINES } = UNTRUSTED;
const LINE_CHARS = 1_000;
const LEAD_CHARS = 300;
/** The summary of what came before; an agent wrote all of it. */
const SUMMARY = /^This session is being continued from a previous conversation/;
/** A quotation has at least so many words, where somebody is said to have said it, and elsewhere. */
const QUOTED_WORDS = { reported: 5, bare: 25 } as const;
/** The signs of a quotation: what opens it, and what may close it. */
const QUOTE_SIGNS: Readonly<Record<string, string>> = {
  ...{ '"': '"', "“": "”", "„": "“”", "”": "”", "«": "»", "»": "«" },
  ...{ "'": "'", "‘": "’", "‚": "‘’", "‹": "›", "›": "‹", "「": "」", "『": "』" },
};
const AMBIGUOUS = "'”»›";
const CLOSING = Object.values(QUOTE_SIGNS).join("");
/** In scripts without spaces, so many letters are a word. */
const LETTERS_PER_WORD = 2;
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, "gu");
/** A quotation that goes on below its line ends within so many lines. */
const QUOTED_LINES = 8;
const QUESTION = "\n\nQuestion: ";
const FENCE = /^\s*(```|~~~)/;
const OPENED_AT_END = /\s(?:(```|~~~)[`~]{0,20}|<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>)\w{0,20}\s*$/;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

/** Where a block ends, as the number of the line behind it; where it starts and ends, if that is within a line. */
interface Block {
  until: number;
  from?: number;
  to?: number;
}

/** Returns the ranges of a prompt that a person pasted, in order: what somebody else wrote, or a machine. */
export function pastedIn(prompt: string): Range[] {
  if (SUMMARY.test(prompt)) return [];
  const end = answersIn(prompt);
  const lines = linesOf(prompt.slice(0, Math.min(end, TYPED_CHARS)));
  const typedEnd = lines.at(-1)?.end ?? 0;
  const ticket = ticketIn(lines);
  const ends = new Ends(lines);
  const found: Range[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at, ticket, ends);
    if (block === null) found.push(...quotationsIn(lines[at++]));
    else {
      found.push({
        start: block.from ?? lines[at]?.start ?? 0,
        end: block.to ?? lines[block.until - 1]?.end ?? typedEnd,
      });
      at = Math.max(block.until, at + 1);
    }
  }
  if (end > typedEnd) found.push({ start: typedEnd, end });
  return found;
}

/** Returns a prompt without what was pasted; empty where nothing else is in it. */
export function ownWords(prompt: string): string {
  const pasted = pastedIn(prompt);
  if (pasted.length === 0) return prompt;
  let at = 0;
  let own = "";
  for (const { start, end } of pasted) {
    own += prompt.slice(at, start);
    at = end;
  }
  return (own + prompt.slice(at)).replace(/\n{3,}/g, "\n\n").trim();
}

/** Where the agent's questions start that stand at the end of a prompt with the user's answers: these are the user's. */
function answersIn(prompt: string): number {
  let end = prompt.length;
  for (;;) {
    const start = prompt.lastIndexOf(QUESTION, end - 1);
    const block = start < 0 ? "" : prompt.slice(start + 2, end);
    if (!block.includes("\nAnswer: ") || block.trimEnd().includes("\n\n")) return end;
    end = start;
  }
}

function blockAt(lines: readonly Line[], at: number, ticket: number | null, ends: Ends): Block | null {
  const { text = "" } = lines[at] ?? {};
  if (text.trim() === "") return null;
  const closed = closedBlock(lines, at, text, ends);
  if (closed !== null) return { until: closed };
  const opened = openedAtEnd(lines[at], at, ends);
  if (opened !== null) return opened;
  if (at === ticket || startsDocument(lines, at, text, ends.has(SIGNATURE, at + 1)))
    return { until: ownAgain(lines, at + 1) };
  return ledTo(lines, at, text) ?? quotedBelow(lines, at);
}

/**
 * The end of a block that shows itself where it ends; null where none starts. What is in it may hold what looks like its end,
 * and the words of a stranger behind that: so it is the last one.
 */
function closedBlock(lines: readonly Line[], at: number, text: string, ends: Ends): number | null {
  const fence = FENCE.exec(text)?.[1];
  if (fence !== undefined) return ends.behind(fence, at + 1) ?? lines.length;
  const triple = /^[^"']*("""|''')/.exec(text)?.[1];
  if (triple !== undefined)
    return ends.behind(triple, at + 1) ?? (text.split(triple).length > 2 ? at + 1 : lines.length);
  if (/^\s*>\s?\S/.test(text)) return whileLines(lines, at, (line) => /^\s*>/.test(line));
  if (DIFF.start.test(text)) return diffEnd(lines, at);
  if (SHELL_LINE.test(text)) return whileLines(lines, at, (line) => line.trim() !== "");
  if (isLog(text))
    return whileLines(lines, at, (line, number) => isLog(line) || (/^\s+\S/.test(line) && number > at));
  return (
    taggedEnd(lines, at, text, ends) ??
    jsonEnd(at, text, ends) ??
    quotedEnd(at, text, ends) ??
    indentedEnd(lines, at)
  );
}

/** A fence or a tag at the end of a line of the person's own: "explain this: ```". */
function openedAtEnd(line: Line | undefined, at: number, ends: Ends): Block | null {
  const found = OPENED_AT_END.exec(line?.text ?? "");
  const [, fence, name] = found ?? [];
  if (line === undefined || found === null || (name !== undefined && OWN_TAGS.test(name))) return null;
  const until = ends.behind(fence ?? `</${name}>`, at + 1);
  return until === null ? null : { from: line.start + found.index, until };
}

function isLog(line: string): boolean {
  return LOG_LINES.some((sign) => sign.test(line));
}

function diffEnd(lines: readonly Line[], at: number): number {
  return whileLines(
    lines,
    at,
    (line, number) => DIFF.line.test(line) || (line === "" && DIFF.after.test(lines[number + 1]?.text ?? "")),
  );
}

/** A tag over lines, or around a sentence. */
function taggedEnd(lines: readonly Line[], at: number, text: string, ends: Ends): number | null {
  const name = /^\s*<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>/.exec(text)?.[1];
  if (name === undefined || OWN_TAGS.test(name)) return null;
  const end = ends.behind(`</${name}>`, at);
  if (end !== null) return end;
  // The text may be cut before the tag is closed.
  return text.trimEnd().endsWith(">") && at + 1 < lines.length ? lines.length : null;
}

function jsonEnd(at: number, text: string, ends: Ends): number | null {
  const open = /^\s*([{[])(?:\s*$|\s*["{[])/.exec(text)?.[1];
  if (open === undefined) return null;
  const close = open === "{" ? "}" : "]";
  if (text.trimEnd().endsWith(close)) return at + 1;
  return ends.behind(close, at + 1);
}

/** A quotation over lines. */
function quotedEnd(at: number, text: string, ends: Ends): number | null {
  const line = text.trim();
  const signs = QUOTE_SIGNS[line.charAt(0)];
  if (signs === undefined || closeOf(line, 0) >= 0) return null;
  const until = [...signs].map((sign) => ends.behind(sign, at + 1) ?? 0);
  return Math.max(...until) || null;
}

/** Two or more indented lines that are no part of a list. */
function indentedEnd(lines: readonly Line[], at: number): number | null {
  const isIndented = (line: string) => /^(?: {4,}|\t)\S/.test(line) && !LIST_MARK.test(line);
  if (!isIndented(lines[at]?.text ?? "")) return null;
  let above = at - 1;
  while (above > 0 && lines[above]?.text.trim() === "") above--;
  if (LIST_MARK.test(lines[above]?.text ?? "")) return null;
  const until = whileLines(
    lines,
    at,
    (line, number) => isIndented(line) || (line.trim() === "" && isIndented(lines[number + 1]?.text ?? "")),
  );
  return until - at >= 2 ? until : null;
}

/** What is copied starts like a text of its own; "legal answered: no cookies" goes on in the person's words. */
const COPIED = /^[\s*_]*(?:["“«„>[(]|\p{Lu}|\p{Lo}|\p{N})/u;

/** What a line such as "Here is the ticket:" leads to: the rest of the line, or what follows it. */
function ledTo(lines: readonly Line[], at: number, text: string): Block | null {
  const line = lines[at];
  const column = leadIn(text);
  if (column === null || line === undefined) return null;
  const rest = text.slice(column);
  if (COPIED.test(rest)) return { from: line.start + column, until: behindParagraph(lines, at) };
  if (/[\p{L}\p{N}]/u.test(rest)) return null;
  const next = whileLines(lines, at, (following) => following.trim() === "");
  if (next === lines.length) return null;
  return { from: lines[next]?.start ?? line.end, until: ownAgain(lines, next + 1) };
}

/** Where, in a line, stands what the line leads to; null where it leads to nothing. Of a long one both ends are looked at. */
function leadIn(text: string): number | null {
  for (const start of text.length <= LEAD_CHARS ? [0] : [0, text.length - LEAD_CHARS]) {
    const part = text.slice(start, start + LEAD_CHARS);
    for (const lead of LEADS) {
      const found = lead.exec(part);
      const column = found && found.index + found[0].length - (found.at(-1)?.length ?? 0);
      if (column !== null && !NO_LEAD.test(part.slice(0, column))) return start + column;
    }
  }
  return null;
}

/** The number of the first line from which on the words are the person's own again. */
function ownAgain(lines: readonly Line[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    const [before, text] = [lines[at - 1]?.text.trim() ?? "", lines[at]?.text ?? ""];
    const isParagraph = before === "" && text.trim() !== "";
    if (isParagraph && OWN_AGAIN.test(text.trim())) return at;
    if (
      /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(before) &&
      before !== "-- " &&
      OWN_AGAIN.test(text.trim())
    )
      return at;
  }
  return lines.length;
}

/** Reported quotations in a line of the person's own, and very long ones. */
function quotationsIn(line: Line | undefined): Range[] {
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

/** A reported quotation that starts in a line of the person's own and ends in one of the next. */
function quotedBelow(lines: readonly Line[], at: number): Block | null {
  const line = lines[at];
  const opening = line === undefined ? -1 : openedIn(line.text);
  if (line === undefined || opening < 0 || !isReportedIn(line.text.slice(0, opening))) return null;
  const last = Math.min(behindParagraph(lines, at), at + QUOTED_LINES);
  for (let next = at + 1; next < last; next++) {
    const { start = 0, text = "" } = lines[next] ?? {};
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

function behindParagraph(lines: readonly Line[], at: number): number {
  return whileLines(lines, at, (line) => line.trim() !== "");
}

function whileLines(
  lines: readonly Line[],
  from: number,
  goesOn: (line: string, number: number) => boolean,
): number {
  let at = from + 1;
  while (at < lines.length && goesOn(lines[at]?.text ?? "", at)) at++;
  return at;
}

/** What ends a mail, among the signs of `Ends`. */
const SIGNATURE = "signature";

/** The index of the last line with each closing sign. Built once: a hostile text with many openings then costs linear time. */
class Ends {
  readonly #last = new Map<string, number>();

  constructor(lines: readonly Line[]) {
    for (const [at, { text }] of lines.entries()) for (const sign of signsOf(text)) this.#last.set(sign, at);
  }

  has(sign: string, from: number): boolean {
    return this.behind(sign, from) !== null;
  }

  /** The number of the line behind the last one with a sign; null where none has it from a line on. */
  behind(sign: string, from: number): number | null {
    const last = this.#last.get(sign) ?? -1;
    return last < from ? null : last + 1;
  }
}

function signsOf(text: string): string[] {
  const line = text.trim();
  const ending = line.replace(/[.,]$/, "").slice(-1);
  return [
    ...["```", "~~~", "}", "]"].filter((sign) => line.startsWith(sign)),
    ...['"""', "'''"].filter((sign) => line.includes(sign)),
    ...(ending !== "" && CLOSING.includes(ending) ? [ending] : []),
    ...(line.includes("</") ? (line.match(/<\/[A-Za-z][\w:.-]*>/g) ?? []) : []),
    ...(SIGNED.test(line) ? [SIGNATURE] : []),
  ];
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n", TYPED_LINES)) {
    lines.push({ start, end: start + line.length, text: line.slice(0, LINE_CHARS) });
    start += line.length + 1;
  }
  return lines;
}
