import type { Range } from "./parts.ts";
import {
  DIFF,
  LEADS,
  LOG_LINES,
  NO_LEAD,
  OWN_AGAIN,
  OWN_SPEECH,
  OWN_TAGS,
  REPORTED,
  SHELL_LINE,
  SIGNED,
} from "./paste-signs.ts";
import { type Line, startsDocument, ticketIn } from "./pasted-documents.ts";

/** Nobody types more: what stands beyond is taken for pasted, and is not looked at. */
const TYPED_CHARS = 60_000;
const LINE_CHARS = 1_000;
const LEAD_CHARS = 300;
/** The summary of what came before; an agent wrote all of it. */
const SUMMARY = /^This session is being continued from a previous conversation/;
/** A quotation has at least so many words, where somebody is said to have said it, and elsewhere. */
const QUOTED_WORDS = { reported: 5, bare: 25 } as const;
/** The signs of a quotation. */
const QUOTE_SIGNS: Readonly<Record<string, string>> = { '"': '"', "“": "”", "«": "»", "„": "“" };
const QUESTION = "\n\nQuestion: ";
const FENCE = /^\s*(`{3,}|~{3,})/;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

/** Where a block ends, as the number of the line behind it; where it starts, if that is not the start of its line. */
interface Block {
  until: number;
  from?: number;
}

/** Returns the ranges of a prompt that a person pasted, in order: what somebody else wrote, or a machine. */
export function pastedIn(prompt: string): Range[] {
  if (SUMMARY.test(prompt)) return [];
  const end = answersIn(prompt);
  const typed = prompt.slice(0, Math.min(end, TYPED_CHARS));
  const lines = linesOf(typed);
  const ticket = ticketIn(lines);
  const found: Range[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at, ticket);
    if (block === null) found.push(...quotationsIn(lines[at++]));
    else {
      found.push({
        start: block.from ?? lines[at]?.start ?? 0,
        end: lines[block.until - 1]?.end ?? typed.length,
      });
      at = Math.max(block.until, at + 1);
    }
  }
  if (end > TYPED_CHARS) found.push({ start: TYPED_CHARS, end });
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

function blockAt(lines: readonly Line[], at: number, ticket: number | null): Block | null {
  const { text = "" } = lines[at] ?? {};
  if (text.trim() === "") return null;
  const closed = closedBlock(lines, at, text);
  if (closed !== null) return { until: closed };
  if (at === ticket || startsDocument(lines, at, text)) return { until: ownAgain(lines, at + 1) };
  return ledTo(lines, at, text);
}

/** The end of a block that shows itself where it ends; null where none starts. */
function closedBlock(lines: readonly Line[], at: number, text: string): number | null {
  const fence = FENCE.exec(text)?.[1];
  if (fence !== undefined) return behind(lines, at + 1, (line) => line.trimStart().startsWith(fence));
  const triple = /^[^"']*("""|''')/.exec(text)?.[1];
  if (triple !== undefined)
    return text.split(triple).length > 2 ? at + 1 : behind(lines, at + 1, (line) => line.includes(triple));
  if (/^\s*>\s?\S/.test(text)) return whileLines(lines, at, (line) => /^\s*>/.test(line));
  if (DIFF.start.test(text)) return diffEnd(lines, at);
  if (SHELL_LINE.test(text)) return whileLines(lines, at, (line) => line.trim() !== "");
  if (isLog(text))
    return whileLines(lines, at, (line, number) => isLog(line) || (/^\s+\S/.test(line) && number > at));
  return (
    taggedEnd(lines, at, text) ??
    jsonEnd(lines, at, text) ??
    quotedEnd(lines, at, text) ??
    indentedEnd(lines, at)
  );
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
function taggedEnd(lines: readonly Line[], at: number, text: string): number | null {
  const name = /^\s*<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>/.exec(text)?.[1];
  if (name === undefined || OWN_TAGS.test(name)) return null;
  const close = `</${name}>`;
  const last = lines.findIndex((line, number) => number >= at && line.text.includes(close));
  if (last >= 0) return last + 1;
  // The text may be cut before the tag is closed.
  return text.trimEnd().endsWith(">") && at + 1 < lines.length ? lines.length : null;
}

function jsonEnd(lines: readonly Line[], at: number, text: string): number | null {
  const open = /^\s*([{[])(?:\s*$|\s*["{[])/.exec(text)?.[1];
  if (open === undefined) return null;
  const close = open === "{" ? "}" : "]";
  if (text.trimEnd().endsWith(close)) return at + 1;
  const last = lines.findIndex((line, number) => number > at && line.text.trim().startsWith(close));
  return last < 0 ? null : last + 1;
}

/** A quotation over lines. */
function quotedEnd(lines: readonly Line[], at: number, text: string): number | null {
  const sign = /^\s*(["“«])/.exec(text)?.[1];
  if (sign === undefined) return null;
  const close = sign === "“" ? "”" : sign === "«" ? "»" : '"';
  if (text.trim().slice(1).includes(close)) return null;
  const last = lines.findIndex(
    (line, number) => number > at && line.text.trimEnd().replace(/[.,]$/, "").endsWith(close),
  );
  return last < 0 ? null : last + 1;
}

/** Two or more indented lines that are no part of a list. */
function indentedEnd(lines: readonly Line[], at: number): number | null {
  const isIndented = (line: string) => /^(?: {4,}|\t)\S/.test(line) && !LIST_MARK.test(line);
  if (!isIndented(lines[at]?.text ?? "")) return null;
  const before = lines.slice(0, at).findLast(({ text }) => text.trim() !== "")?.text ?? "";
  if (LIST_MARK.test(before)) return null;
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
  const next = lines.findIndex(({ text: following }, number) => number > at && following.trim() !== "");
  if (next < 0) return null;
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
    if (isParagraph && (OWN_AGAIN.test(text.trim()) || isBelowSignature(lines, at))) return at;
    if (
      /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(before) &&
      before !== "-- " &&
      OWN_AGAIN.test(text.trim())
    )
      return at;
  }
  return lines.length;
}

/** Whether the paragraph before a line is the signature of a mail. */
function isBelowSignature(lines: readonly Line[], at: number): boolean {
  const above = lines.slice(0, at).map(({ text }) => text.trim());
  const last = above.findLastIndex((text) => text !== "");
  const start = above.slice(0, last + 1).lastIndexOf("") + 1;
  const paragraph = above.slice(start, last + 1);
  return paragraph.length <= 4 && paragraph.some((text) => SIGNED.test(text));
}

/** Reported quotations in a line of the person's own, and very long ones. */
function quotationsIn(line: Line | undefined): Range[] {
  if (line === undefined) return [];
  return quotesIn(line.text).flatMap(({ start, end }) => {
    const words = line.text.slice(start, end).split(/\s+/).length;
    const before = line.text.slice(0, start);
    const sentence = before.slice(Math.max(...[".", "!", "?"].map((sign) => before.lastIndexOf(sign))) + 1);
    const isReported = REPORTED.test(sentence) && !OWN_SPEECH.test(sentence);
    if (words < (isReported ? QUOTED_WORDS.reported : QUOTED_WORDS.bare)) return [];
    return [{ start: line.start + start, end: line.start + end }];
  });
}

function quotesIn(text: string): Range[] {
  const found: Range[] = [];
  for (let at = 0; at < text.length; at++) {
    const close = QUOTE_SIGNS[text.charAt(at)];
    if (close === undefined) continue;
    const end = text.indexOf(close, at + 1);
    if (end < 0) continue;
    found.push({ start: at, end: end + 1 });
    at = end;
  }
  return found;
}

function behindParagraph(lines: readonly Line[], at: number): number {
  return whileLines(lines, at, (line) => line.trim() !== "");
}

/** The number of the line behind the first one that ends a block; behind the last line where none does. */
function behind(lines: readonly Line[], from: number, isEnd: (line: string) => boolean): number {
  const end = lines.findIndex(({ text }, number) => number >= from && isEnd(text));
  return end < 0 ? lines.length : end + 1;
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

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    lines.push({ start, end: start + line.length, text: line.slice(0, LINE_CHARS) });
    start += line.length + 1;
  }
  return lines;
}
