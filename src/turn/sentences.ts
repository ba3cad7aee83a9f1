import { sentenceEnds } from "../text/cut.ts";
import { findOthers } from "./pasted.ts";
import type { PartKind, TurnText, WordsKind } from "./text.ts";

/** A sentence of a turn. */
export interface Sentence {
  kind: WordsKind;
  /** UTF-16 offsets in the turn's text, without list markers and heading signs. */
  start: number;
  end: number;
  text: string;
  /** Number of its line in the part, and of the sentence in the line. */
  line: number;
  place: number;
  /** True for a heading, and for a bold line in place of one. */
  isHeading: boolean;
  isItem: boolean;
}

/** Kinds of parts that contain words of a conversation. */
const SPOKEN: ReadonlySet<PartKind> = new Set([
  "prompt",
  "note",
  "thinking",
  "narration",
  "answer",
  "forward",
]);

const FENCE = /^\s*(?:`{3,}|~{3,})/;
const HEADING = /^\s*#{1,6}\s+/;
const BOLD_LINE = /^\s*(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*$/;
const LIST_MARK = /^\s*(?:(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?)+/;
const QUOTE_MARK = /^\s*(?:>\s?)+/;
/** A table row, a rule, or a line of a drawing. */
const TABLE = /^\s*\|.*\|\s*$|^\s*[-=_*─━┌└├│╔╚]{3,}|[─│┌└├┐┘┤╭╰]/;

/** Text that Claude Code writes below an accepted plan. */
const BELOW_PLAN = /^\s*If you need specific details from before exiting plan mode\b/;

/** An agent's question with the user's answer, in the format of `ingest/transcript/turn-entry.ts`. Neither means much alone. */
const ANSWERED = /^Question: .*\nAnswer: .*(?:\nNotes: .*)?/;

/** Maximum lines and characters of a part to examine: the first and the last ones. */
const MAX_LINES = 160;
const MAX_LINE_CHARS = 1_200;

/**
 * Returns the sentences of a turn's conversation in order. Leaves out code blocks, tables, drawings, and pasted text in prompts,
 * because it is not the user's word. What may be pasted has a kind of its own.
 */
export function splitSentences(turn: TurnText): Sentence[] {
  return turn.parts.filter(({ kind }) => SPOKEN.has(kind)).flatMap((part) => spokenIn(turn.text, part));
}

function spokenIn(text: string, part: { kind: PartKind; start: number; end: number }): Sentence[] {
  const sentences = sentencesIn(text, part);
  if (part.kind !== "prompt" && part.kind !== "forward") return sentences;
  const others = findOthers(text.slice(part.start, part.end));
  if (others.length === 0) return sentences;
  let at = 0;
  return sentences.flatMap((sentence) => {
    // Both are in order.
    while (at < others.length && part.start + (others[at]?.end ?? 0) <= sentence.start) at++;
    let until = at;
    while (part.start + (others[until]?.start ?? Infinity) < sentence.end) until++;
    const within = others.slice(at, until);
    if (within.length === 0) return [sentence];
    const isUnsure = part.kind === "prompt" && within.every(({ by }) => by === "unsure");
    return isUnsure ? [{ ...sentence, kind: "unsure" as const }] : [];
  });
}

function sentencesIn(text: string, part: { kind: PartKind; start: number; end: number }): Sentence[] {
  const found: Sentence[] = [];
  const lines = linesOf(text, part.start, part.end);
  const skipped = lines.length - MAX_LINES;
  let isCode = false;
  let until = part.start;
  for (const [number, { start, end }] of lines.entries()) {
    if (start < until) continue;
    const line = text.slice(start, Math.min(end, start + MAX_LINE_CHARS));
    const answered = part.kind === "prompt" && answeredAt(text, start, part.end);
    if (answered) {
      until = start + answered.length;
      found.push({ ...WHOLE_LINE, kind: part.kind, start, end: until, text: answered, line: number });
      continue;
    }
    if (FENCE.test(line)) {
      isCode = !isCode;
      continue;
    }
    if (isCode || TABLE.test(line) || BELOW_PLAN.test(line)) continue;
    if (skipped > 0 && number >= MAX_LINES / 2 && number < MAX_LINES / 2 + skipped) continue;
    addLine(found, part.kind, line, start, number);
  }
  return found;
}

const WHOLE_LINE = { place: 0, isHeading: false, isItem: false } as const;

function answeredAt(text: string, start: number, end: number): string | null {
  return text.startsWith("Question: ", start) ? (ANSWERED.exec(text.slice(start, end))?.[0] ?? null) : null;
}

function addLine(found: Sentence[], kind: PartKind, line: string, at: number, number: number): void {
  const quote = QUOTE_MARK.exec(line)?.[0].length ?? 0;
  const rest = line.slice(quote);
  const isHeading = HEADING.test(rest) || BOLD_LINE.test(rest);
  const mark = (HEADING.exec(rest) ?? LIST_MARK.exec(rest))?.[0].length ?? 0;
  const isItem = !isHeading && mark > 0;
  const from = quote + mark;
  for (const [place, piece] of piecesOf(line.slice(from)).entries()) {
    const start = at + from + piece.start;
    found.push({
      kind,
      start,
      end: start + piece.text.length,
      text: piece.text,
      line: number,
      place,
      isHeading,
      isItem,
    });
  }
}

/** Returns the sentences of a line with their offsets in it. */
function piecesOf(line: string): { start: number; text: string }[] {
  const pieces: { start: number; text: string }[] = [];
  let from = 0;
  const add = (until: number) => {
    const raw = line.slice(from, until);
    const text = raw.trim();
    if (/[\p{L}\p{N}]/u.test(text)) pieces.push({ start: from + raw.indexOf(text), text });
    from = until;
  };
  for (const end of [...sentenceEnds(line), line.length]) add(end);
  return pieces;
}

function linesOf(text: string, start: number, end: number): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  for (let from = start; from < end; ) {
    const feed = text.indexOf("\n", from);
    const until = feed < 0 || feed > end ? end : feed;
    if (until > from) lines.push({ start: from, end: until });
    from = until + 1;
  }
  return lines;
}
