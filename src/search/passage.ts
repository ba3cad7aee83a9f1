import type { StoredChunk } from "../store/types.ts";
import { firstUnits } from "../text/units.ts";
import { partOf } from "../turn/parts.ts";
import { GAP, type TurnText } from "../turn/text.ts";

/**
 * The end of a sentence: punctuation and space, or a line feed. The number of a list item, as in "1. ", ends no
 * sentence.
 */
const SENTENCE_END = /(?<!(?:^|\n)[ \t]*\d{1,2})[.!?。！？…][)\]"'»”’*_`]*\s+|\n+/g;

/** With at least this many characters, a passage of a conversation is preferred to the list of tools beside it. */
const MIN_TALK = 60;
/** Fragments without meaning at the start or end of a passage: list markers, headings, code fences, lone brackets. */
const LOOSE_START = /^(?:[ \t]*(?:[`~]{3}|[})\]>;,|-]+)[ \t]*\n+)+/;
const LOOSE_END =
  /(?:\s*\n[ \t]*(?:\d{1,2}\.|[-*+]|#{1,6}(?:[ \t][^\n]*)?|[`~]{3}\w*|-{3,}|\*\*[^\n*]*:\*\*|[({[]))+\s*$/;

/**
 * Returns the part of a turn's text around a chunk that best answers the query, at most `budget` characters long.
 * Leaves out the list of tools when the turn has other text there, and fragments at both ends.
 */
export function passageOf(
  turn: TurnText,
  chunk: Pick<StoredChunk, "start" | "end"> | null,
  words: readonly string[],
  budget: number,
): string {
  const { text } = turn;
  const whole = { start: 0, end: text.length };
  const { start, end } = chunk ?? whole;
  const said = saidAround(turn, start, end);
  const part = said ?? whole;
  const inPart = {
    start: Math.max(start, part.start) - part.start,
    end: Math.min(end, part.end) - part.start,
  };
  return tidied(bestPiece(text.slice(part.start, part.end), inPart, words, budget));
}

/**
 * Returns the text before or after the list of tools, whichever overlaps a chunk more. Null when the overlap is too
 * small.
 */
function saidAround(turn: TurnText, start: number, end: number): Piece | null {
  const tools = partOf(turn, "tools");
  const before = tools && turn.parts.findLast((part) => part.end <= tools.start);
  if (!tools || !before) return null;
  const after = tools.end + GAP.length;
  const parts = [
    { start: 0, end: before.end },
    ...(after < turn.text.length ? [{ start: after, end: turn.text.length }] : []),
  ];
  const overlap = (part: Piece) => Math.min(end, part.end) - Math.max(start, part.start);
  const best = parts.reduce((a, b) => (overlap(b) > overlap(a) ? b : a));
  return overlap(best) >= MIN_TALK ? best : null;
}

function tidied(passage: string): string {
  const tidy = passage.replace(LOOSE_START, "").replace(LOOSE_END, "").trim();
  return tidy.length >= MIN_TALK ? tidy : passage;
}

/**
 * Returns the part of a text around a chunk that best answers the query: at most `budget` characters, whole sentences
 * or lines, centred where the query's words stand closest together.
 */
function bestPiece(text: string, { start, end }: Piece, words: readonly string[], budget: number): string {
  if (end - start <= budget) return widened(text, start, end, budget);
  const pieces = sentences(text, start, end);
  const hits = pieces.map((piece) => matches(text.slice(piece.start, piece.end), words));
  let best = { from: 0, until: 1, worth: -1, size: 0 };
  for (let from = 0; from < pieces.length; from++) {
    let worth = 0;
    for (let until = from; until < pieces.length && length(pieces, from, until) <= budget; until++) {
      worth += hits[until] ?? 0;
      const size = length(pieces, from, until);
      if (worth > best.worth || (worth === best.worth && size < best.size))
        best = { from, until: until + 1, worth, size };
    }
  }
  const first = pieces[best.from]?.start ?? start;
  const last = pieces[best.until - 1]?.end ?? end;
  return widened(text, first, last, budget);
}

interface Piece {
  start: number;
  end: number;
}

/** Adds whole sentences after and before while they fit. A piece that is still too long is cut at a word. */
function widened(text: string, start: number, end: number, budget: number): string {
  const after = sentences(text, end, Math.min(text.length, end + budget));
  let until = end;
  for (const piece of after) {
    if (piece.end - start > budget) break;
    until = piece.end;
  }
  const before = sentences(text, Math.max(0, start - budget), start).slice(start > budget ? 1 : 0);
  let from = start;
  for (const piece of before.reverse()) {
    if (until - piece.start > budget) break;
    from = piece.start;
  }
  const passage = text.slice(from, until).trim();
  return passage.length <= budget ? passage : cutAtWord(passage, budget);
}

function cutAtWord(text: string, budget: number): string {
  const head = firstUnits(text, Math.max(0, budget - 1));
  const space = head.search(/\s\S*$/);
  return `${(space > budget / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}

function sentences(text: string, start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(SENTENCE_END)) {
    const until = start + match.index + match[0].length;
    pieces.push({ start: from, end: until });
    from = until;
  }
  if (from < end) pieces.push({ start: from, end });
  return pieces;
}

function length(pieces: readonly Piece[], from: number, until: number): number {
  return (pieces[until]?.end ?? 0) - (pieces[from]?.start ?? 0);
}

function matches(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  return words.reduce((count, word) => count + (lower.includes(word) ? 1 : 0), 0);
}
