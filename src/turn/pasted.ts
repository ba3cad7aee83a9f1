import { UNTRUSTED } from "../io/untrusted.ts";
import { closedBlock, Ends, openedAtEnd, SIGNATURE, whileLines } from "./closed-blocks.ts";
import type { TextRange } from "./parts.ts";
import {
  findTicket,
  LEAD_EXCEPTIONS,
  OWN_WORDS_RESUME,
  type PromptLine,
  QUOTE_LEADS,
  startsDocument,
} from "./paste-signs.ts";
import { type Block, findQuotations, quotedBelow } from "./quotations.ts";

/** Characters and lines of a prompt to examine. Text beyond counts as pasted. */
const { typedChars: TYPED_CHARS, typedLines: TYPED_LINES } = UNTRUSTED;
const LINE_CHARS = 1_000;
const LEAD_CHARS = 300;
/** A summary of earlier work, which an agent wrote entirely. */
const SUMMARY = /^This session is being continued from a previous conversation/;
const QUESTION = "\n\nQuestion: ";

/** Returns the pasted ranges of a prompt in order: text of other people or machines. */
export function findPasted(prompt: string): TextRange[] {
  if (SUMMARY.test(prompt)) return [];
  const end = answersIn(prompt);
  const lines = linesOf(prompt.slice(0, Math.min(end, TYPED_CHARS)));
  const typedEnd = lines.at(-1)?.end ?? 0;
  const ticket = findTicket(lines);
  const ends = new Ends(lines);
  const found: TextRange[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at, ticket, ends);
    if (block === null) found.push(...findQuotations(lines[at++]));
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

/** Returns a prompt without pasted text; empty if it has no other text. */
export function ownWords(prompt: string): string {
  const pasted = findPasted(prompt);
  if (pasted.length === 0) return prompt;
  let at = 0;
  let own = "";
  for (const { start, end } of pasted) {
    own += prompt.slice(at, start);
    at = end;
  }
  return (own + prompt.slice(at)).replace(/\n{3,}/g, "\n\n").trim();
}

/** Returns the start of the agent's questions at the end of a prompt, which have the user's own answers. */
function answersIn(prompt: string): number {
  let end = prompt.length;
  for (;;) {
    const start = prompt.lastIndexOf(QUESTION, end - 1);
    const block = start < 0 ? "" : prompt.slice(start + 2, end);
    if (!block.includes("\nAnswer: ") || block.trimEnd().includes("\n\n")) return end;
    end = start;
  }
}

function blockAt(lines: readonly PromptLine[], at: number, ticket: number | null, ends: Ends): Block | null {
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
 * Matches the start of copied text, which starts like a separate text; "legal answered: no cookies" continues in the person's own
 * words.
 */
const COPIED = /^[\s*_]*(?:["“«„>[(]|\p{Lu}|\p{Lo}|\p{N})/u;

/** Returns the block that a line such as "Here is the ticket:" introduces: the rest of the line, or the lines after it. */
function ledTo(lines: readonly PromptLine[], at: number, text: string): Block | null {
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

/** Returns the offset of the introduced text in a line; null without an introduction. Of a long line, both ends are examined. */
function leadIn(text: string): number | null {
  for (const start of text.length <= LEAD_CHARS ? [0] : [0, text.length - LEAD_CHARS]) {
    const part = text.slice(start, start + LEAD_CHARS);
    for (const lead of QUOTE_LEADS) {
      const found = lead.exec(part);
      const column = found && found.index + found[0].length - (found.at(-1)?.length ?? 0);
      if (column !== null && !LEAD_EXCEPTIONS.test(part.slice(0, column))) return start + column;
    }
  }
  return null;
}

/** Returns the number of the first line from which the words are the person's own again. */
function ownAgain(lines: readonly PromptLine[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    const [before, text] = [lines[at - 1]?.text.trim() ?? "", lines[at]?.text ?? ""];
    const isParagraph = before === "" && text.trim() !== "";
    if (isParagraph && OWN_WORDS_RESUME.test(text.trim())) return at;
    if (
      /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(before) &&
      before !== "-- " &&
      OWN_WORDS_RESUME.test(text.trim())
    )
      return at;
  }
  return lines.length;
}

function behindParagraph(lines: readonly PromptLine[], at: number): number {
  return whileLines(lines, at, (line) => line.trim() !== "");
}

function linesOf(text: string): PromptLine[] {
  const lines: PromptLine[] = [];
  let start = 0;
  for (const line of text.split("\n", TYPED_LINES)) {
    lines.push({ start, end: start + line.length, text: line.slice(0, LINE_CHARS) });
    start += line.length + 1;
  }
  return lines;
}
