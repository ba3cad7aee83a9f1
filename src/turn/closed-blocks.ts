import { DIFF, LOG_LINES, MAIL_CLOSING, OWN_TAGS, type PromptLine, SHELL_LINE } from "./paste-signs.ts";
import { type Block, CLOSING_QUOTES, unclosedQuotes } from "./quotations.ts";

const FENCE = /^\s*(```|~~~)/;
const OPENED_AT_END = /\s(?:(```|~~~)[`~]{0,20}|<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>)\w{0,20}\s*$/;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

/**
 * Returns the end of a block with its own end mark; null if none starts here. The block may contain a fake end mark followed by a
 * stranger's words, so the last mark counts.
 */
export function closedBlock(
  lines: readonly PromptLine[],
  at: number,
  text: string,
  ends: Ends,
): number | null {
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
export function openedAtEnd(line: PromptLine | undefined, at: number, ends: Ends): Block | null {
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

/** Returns the number of the first line after one that no longer belongs to it. */
export function whileLines(
  lines: readonly PromptLine[],
  from: number,
  goesOn: (line: string, number: number) => boolean,
): number {
  let at = from + 1;
  while (at < lines.length && goesOn(lines[at]?.text ?? "", at)) at++;
  return at;
}

/** Key of email closings in `Ends`. */
export const SIGNATURE = "signature";

/**
 * Index of the last line with each closing sign. It is built once, so that a hostile text with many openings costs linear time.
 */
export class Ends {
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
