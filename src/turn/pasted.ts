import { UNTRUSTED } from "../io/untrusted.ts";
import type { TextRange } from "./parts.ts";
import {
  DIFF,
  findTicket,
  LEAD_EXCEPTIONS,
  LOG_LINES,
  MAIL_CLOSING,
  OWN_TAGS,
  OWN_WORDS_RESUME,
  type PromptLine,
  QUOTE_LEADS,
  SHELL_LINE,
  startsDocument,
} from "./paste-signs.ts";
import { type Block, CLOSING_QUOTES, findQuotations, quotedBelow, unclosedQuotes } from "./quotations.ts";

/** Characters and lines of a prompt to examine. Text beyond counts as pasted. */
const { typedChars: TYPED_CHARS, typedLines: TYPED_LINES } = UNTRUSTED;
const LINE_CHARS = 1_000;
const LEAD_CHARS = 300;
/** A summary of earlier work, which an agent wrote entirely. */
const SUMMARY = /^This session is being continued from a previous conversation/;
const QUESTION = "\n\nQuestion: ";
const FENCE = /^\s*(```|~~~)/;
const OPENED_AT_END = /\s(?:(```|~~~)[`~]{0,20}|<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>)\w{0,20}\s*$/;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

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
 * Returns the end of a block that marks its own end; null if none starts here. The block may contain a fake end mark followed by
 * a stranger's words, so the last mark counts.
 */
function closedBlock(lines: readonly PromptLine[], at: number, text: string, ends: Ends): number | null {
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

/** Returns the block of a fence or a tag at the end of the person's own line: "explain this: ```". */
function openedAtEnd(line: PromptLine | undefined, at: number, ends: Ends): Block | null {
  const found = OPENED_AT_END.exec(line?.text ?? "");
  const [, fence, name] = found ?? [];
  if (line === undefined || found === null || (name !== undefined && OWN_TAGS.test(name))) return null;
  const until = ends.behind(fence ?? `</${name}>`, at + 1);
  return until === null ? null : { from: line.start + found.index, until };
}

function isLog(line: string): boolean {
  return LOG_LINES.some((sign) => sign.test(line));
}

function diffEnd(lines: readonly PromptLine[], at: number): number {
  return whileLines(
    lines,
    at,
    (line, number) => DIFF.line.test(line) || (line === "" && DIFF.after.test(lines[number + 1]?.text ?? "")),
  );
}

/** Returns the end of a tag over several lines, or around a sentence. */
function taggedEnd(lines: readonly PromptLine[], at: number, text: string, ends: Ends): number | null {
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

/** Returns the end of a quotation over several lines. */
function quotedEnd(at: number, text: string, ends: Ends): number | null {
  const until = unclosedQuotes(text.trim()).map((sign) => ends.behind(sign, at + 1) ?? 0);
  return Math.max(0, ...until) || null;
}

/** Returns the end of two or more indented lines outside a list. */
function indentedEnd(lines: readonly PromptLine[], at: number): number | null {
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

function whileLines(
  lines: readonly PromptLine[],
  from: number,
  goesOn: (line: string, number: number) => boolean,
): number {
  let at = from + 1;
  while (at < lines.length && goesOn(lines[at]?.text ?? "", at)) at++;
  return at;
}

/** Key of email closings in `Ends`. */
const SIGNATURE = "signature";

/**
 * Index of the last line with each closing sign. It is built once, so that a hostile text with many openings costs linear time.
 */
class Ends {
  readonly #last = new Map<string, number>();

  constructor(lines: readonly PromptLine[]) {
    for (const [at, { text }] of lines.entries()) for (const sign of signsOf(text)) this.#last.set(sign, at);
  }

  has(sign: string, from: number): boolean {
    return this.behind(sign, from) !== null;
  }

  /** Returns the number of the line after the last one with a sign; null if no line from `from` on has it. */
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
    ...(ending !== "" && CLOSING_QUOTES.includes(ending) ? [ending] : []),
    ...(line.includes("</") ? (line.match(/<\/[A-Za-z][\w:.-]*>/g) ?? []) : []),
    ...(MAIL_CLOSING.test(line) ? [SIGNATURE] : []),
  ];
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
