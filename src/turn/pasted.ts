import { UNTRUSTED } from "../io/untrusted.ts";
import { addressesAgent, resumesOwnWords } from "./address.ts";
import { closedBlock, Ends, openedAtEnd, SIGNATURE, whileLines } from "./closed-blocks.ts";
import { introducesOthersText, introducesOutput, leadIn } from "./leads.ts";
import type { TextRange } from "./parts.ts";
import { type PromptLine, startsDocument } from "./paste-signs.ts";
import { type Block, findQuotations, quotationAt, quotedBelow } from "./quotations.ts";
import { LIKE_LABEL } from "./text.ts";
import { findUnsure } from "./unsure.ts";

/** Characters and lines of a prompt to examine. Text beyond counts as pasted. */
const { typedChars: TYPED_CHARS, typedLines: TYPED_LINES } = UNTRUSTED;
const LINE_CHARS = 1_000;
/** A summary of earlier work, which an agent wrote entirely. */
const SUMMARY = /^This session is being continued from a previous conversation/;
/**
 * A text that begins as a summary or an accepted plan does, and is none, as `ingest/transcript/turn-entry.ts` stores it; or as what
 * Claude Code says in the user's name when a hook refuses a prompt.
 */
const LIKE_AGENTS =
  /^(?:This {2}session is being continued|Implement the following plan :|Operation stopped by hook: )/;
const QUESTION = "\n\nQuestion: ";
/** A question with its answer up to a blank line that is not the client's, as `ingest/transcript/turn-entry.ts` stores it. */
const LIKE_ANSWERED =
  /(?<=^|\n[^\S\n]*\n)(?:[^\S\n]+Question ?|Question ): (?:[^\n]|\n(?![^\S\n]*\n))*?\n[^\S\n]*Answer: (?:[^\n]|\n(?![^\S\n]*\n))*/g;
const PARAGRAPH_END = /\n[^\S\n]*(?:\n|$)|$/g;

/** Words of a prompt that are not certainly its user's: others wrote them, or it is unclear. */
export interface OtherWords extends TextRange {
  by: "pasted" | "unsure";
}

/** Returns the ranges of a prompt, in order, that are not surely its user's own words. */
export function findOthers(prompt: string): OtherWords[] {
  if (SUMMARY.test(prompt)) return [];
  const end = answersIn(prompt);
  if (LIKE_AGENTS.test(prompt)) return [{ start: 0, end, by: "unsure" }];
  const lines = linesOf(prompt.slice(0, Math.min(end, TYPED_CHARS)));
  const typedEnd = lines.at(-1)?.end ?? 0;
  const reader = { lines, ends: new Ends(lines), asked: askedAbove(lines) };
  const found: TextRange[] = [];
  const blocks = new Set<number>();
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(reader, at);
    if (block === null) found.push(...findQuotations(lines[at++]));
    else {
      const { from = lines[at]?.start ?? 0, to = lines[block.until - 1]?.end ?? typedEnd } = block;
      found.push({ start: from, end: to });
      for (const until = Math.max(block.until, at + 1); at < until; at++) blocks.add(at);
    }
  }
  if (end > typedEnd) found.push({ start: typedEnd, end });
  // An agent wrote the plan that its user accepts.
  const unsure = isAcceptedPlan(prompt)
    ? []
    : joined([...findUnsure(lines, (line) => blocks.has(line)), ...imitations(prompt.slice(0, typedEnd))]);
  const pasted = found.map((range): OtherWords => ({ ...range, by: "pasted" }));
  return [...pasted, ...unsureParts(unsure, pasted)].toSorted((a, b) => a.start - b.start);
}

/** Returns what imitates this program's own forms: the agent's questions with answers, and paragraphs from a label on. */
function imitations(text: string): TextRange[] {
  const answered = Array.from(text.matchAll(LIKE_ANSWERED), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  const labelled = Array.from(text.matchAll(LIKE_LABEL), ({ index }) => ({
    start: index,
    end: paragraphEnd(text, index),
  }));
  return [...answered, ...labelled];
}

function paragraphEnd(text: string, at: number): number {
  PARAGRAPH_END.lastIndex = at;
  return PARAGRAPH_END.exec(text)?.index ?? text.length;
}

/** Joins ranges that overlap. */
function joined(ranges: readonly TextRange[]): TextRange[] {
  const found: TextRange[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** Returns what of unsure ranges is not surely pasted. Both are in order. */
function unsureParts(unsure: readonly TextRange[], pasted: readonly TextRange[]): OtherWords[] {
  const rest: OtherWords[] = [];
  let next = 0;
  for (const { start, end } of unsure) {
    let at = start;
    while ((pasted[next]?.end ?? Infinity) <= start) next++;
    for (let one = next; (pasted[one]?.start ?? Infinity) < end; one++) {
      const { start: from = end, end: to = end } = pasted[one] ?? {};
      if (from > at) rest.push({ start: at, end: from, by: "unsure" });
      at = Math.max(at, to);
    }
    if (at < end) rest.push({ start: at, end, by: "unsure" });
  }
  return rest;
}

/** Tells whether a prompt is a plan that the agent wrote and its user accepted. Claude Code starts a session with it. */
export function isAcceptedPlan(prompt: string): boolean {
  return /^Implement the following plan:\s*\n/.test(prompt);
}

/** Facts about a prompt's lines. */
interface Reader {
  lines: readonly PromptLine[];
  ends: Ends;
  /** Number of the line after a first paragraph that addresses the agent; 0 if that does not. */
  asked: number;
}

function askedAbove(lines: readonly PromptLine[]): number {
  const until = whileLines(lines, 0, (line) => line.trim() !== "");
  return addressesAgent(textOf(lines, 0, until)) ? until : 0;
}

function textOf(lines: readonly PromptLine[], from: number, until: number): string {
  return lines
    .slice(from, until)
    .map(({ text }) => text)
    .join("\n");
}

/** Returns the words of a prompt that are surely its user's own; empty if it has none. */
export function ownWords(prompt: string): string {
  const others = findOthers(prompt);
  if (others.length === 0) return prompt;
  let at = 0;
  let own = "";
  for (const { start, end } of others) {
    own += prompt.slice(at, start);
    at = end;
  }
  return (own + prompt.slice(at)).replace(/\n{3,}/g, "\n\n").trim();
}

/** Returns the words of a prompt of which it is unclear whether its user typed or pasted them; empty if there are none. */
export function unsureWords(prompt: string): string {
  return findOthers(prompt)
    .filter(({ by }) => by === "unsure")
    .map(({ start, end }) => prompt.slice(start, end))
    .join("\n\n");
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

function blockAt(reader: Reader, at: number): Block | null {
  const { lines, ends } = reader;
  const { text = "" } = lines[at] ?? {};
  if (text.trim() === "") return null;
  const closed = closedBlock(lines, at, text, ends);
  if (closed !== null) return { until: closed };
  const opened = openedAtEnd(lines[at], at, ends);
  if (opened !== null) return opened;
  if (startsDocument(lines, at, text, ends.has(SIGNATURE, at + 1))) return { until: ownAgain(reader, at) };
  return introducedBlock(reader, at, text) ?? quotedBelow(lines, at);
}

/**
 * Matches the start of copied text, which starts like a separate text; "legal answered: no cookies" continues in the person's own
 * words.
 */
const COPIED = /^[\s*_]*(?:["“«„>[(]|\p{Lu}|\p{Lo}|\p{N})/u;

/** Returns the offset of a question behind other sentences of a line; null without one. */
function questionBehind(text: string): number | null {
  const line = text.trimEnd();
  if (!line.endsWith("?")) return null;
  const end = Math.max(...[". ", "! ", "? "].map((sign) => line.lastIndexOf(sign)));
  return end < 0 ? null : end + 1;
}

/** Returns the block that a line such as "Here is the ticket:" introduces: the rest of the line, or the lines after it. */
function introducedBlock(reader: Reader, at: number, text: string): Block | null {
  const { lines } = reader;
  const line = lines[at];
  const column = leadIn(text);
  if (column === null || line === undefined) return null;
  const rest = text.slice(column);
  if (/[\p{L}\p{N}]/u.test(rest)) return ledOnLine(reader, at, column);
  const next = whileLines(lines, at, (following) => following.trim() === "");
  const first = lines[next]?.text ?? "";
  // Quoted lines and quotations end by themselves, and the person may answer them below.
  if (next === lines.length || first.startsWith(">") || quotationAt(first.trim()) === first.trim().length)
    return null;
  if (/^\s*(?:```|~~~)/.test(first) && introducesOutput(text)) return null;
  return { from: lines[next]?.start ?? line.end, until: ownAgain(reader, next) };
}

/** Returns the block of an introduced text on the line of its introduction; null if it is the person's own. */
function ledOnLine(reader: Reader, at: number, column: number): Block | null {
  const { start = 0, text = "" } = reader.lines[at] ?? {};
  const rest = text.slice(column);
  const from = start + column + (rest.length - rest.trimStart().length);
  const quoted = quotationAt(rest.trim());
  if (quoted !== null) return { from, to: from + quoted, until: at + 1 };
  const question = isAskedBefore(reader, at) ? null : questionBehind(rest);
  if (question !== null) return { from, to: start + column + question, until: at + 1 };
  return COPIED.test(rest) || introducesOthersText(text.slice(0, column))
    ? { from, until: withoutAsk(reader, at, behindParagraph(reader.lines, at)) }
    : null;
}

/** Tells whether the prompt began by addressing the agent before a line. */
function isAskedBefore({ asked }: Reader, at: number): boolean {
  return asked > 0 && at >= asked;
}

/** Tells whether a closing with a name below it follows a line: a letter is its writer's up to there, whatever it says. */
function isSignedBelow({ lines, ends }: Reader, at: number): boolean {
  const below = ends.behind(SIGNATURE, at + 1);
  return below !== null && lines.slice(below).some(({ text }) => text.trim() !== "");
}

/** Returns the number of the first line from which the words are the person's own again. */
function ownAgain(reader: Reader, start: number): number {
  const { lines } = reader;
  for (let at = start + 1; at < lines.length; at++) {
    const [before, text] = [lines[at - 1]?.text.trim() ?? "", lines[at]?.text.trim() ?? ""];
    if (text === "") continue;
    if (before === "" && resumesOwnWords(text) && !isSignedBelow(reader, at)) return at;
    if (/^(?:-{2,}|\*{3,}|_{3,}|={3,})$/.test(before) && (resumesOwnWords(text) || addressesAgent(text)))
      return at;
  }
  return withoutAsk(reader, start, lines.length);
}

/**
 * Returns the end of a pasted block without a last paragraph or a last line that addresses the agent. If the prompt already began
 * with a request, such a paragraph may belong to the pasted text.
 */
function withoutAsk(reader: Reader, start: number, end: number): number {
  const { lines } = reader;
  let until = end;
  while (until > start + 1 && lines[until - 1]?.text.trim() === "") until--;
  let last = until - 1;
  while (last > start && lines[last - 1]?.text.trim() !== "") last--;
  const isAsk = (from: number) => !isAskedBefore(reader, start) && addressesAgent(textOf(lines, from, until));
  if (last > start && isAsk(last)) return last;
  return until - 1 > start && isAsk(until - 1) ? until - 1 : end;
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
