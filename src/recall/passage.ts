import type { StoredChunk } from "../store/stored.ts";
import { cutAtWord, sentenceEnds } from "../text/cut.ts";
import { folded } from "../text/fold.ts";
import { fenceRoom, openFence } from "../text/lines.ts";
import { findPart } from "../turn/parts.ts";
import { isSaid, type TurnText } from "../turn/text.ts";

/** Minimum characters of a passage of conversation that is preferred to the list of tools beside it. */
const MIN_TALK = 60;
/** Meaningless fragments at the start or end of a passage: list markers, headings, code fences, lone brackets. */
const LOOSE_START = /^(?:[ \t]*(?:[`~]{3}|[})\]>;,|-]+)[ \t]*\n+)+/;
const LOOSE_END =
  /(?<!\s)(?:\s*\n[ \t]*(?:\d{1,2}\.|[-*+]|#{1,6}(?:[ \t][^\n]*)?(?=\n|$)|[`~]{3}\w*|-{3,}|\*\*[^\n*]*:\*\*|[({[])){1,40}\s*$/;

/**
 * Returns the part of a turn's text around a chunk that best answers the query, at most `budget` characters long. It consists of
 * whole sentences or lines, closes its code blocks, and repeats no heading. Leaves out tools and their errors if the turn has
 * words: then it takes the best words, wherever they are.
 */
export function bestPassage(
  turn: TurnText,
  chunk: Pick<StoredChunk, "start" | "end"> | null,
  words: readonly string[],
  budget: number,
): string {
  const { text } = turn;
  const given = chunk ?? { start: 0, end: text.length };
  const region = regionOf(turn, given, words);
  const said = text.slice(region.start, region.end);
  const room = Math.max(1, budget - fenceRoom(said));
  const isInside = overlap(region, given) > 0;
  const place = isInside
    ? {
        start: Math.max(given.start, region.start) - region.start,
        end: Math.min(given.end, region.end) - region.start,
      }
    : { start: 0, end: said.length };
  const piece = bestPiece(said, place, words, room);
  return finished(said, piece, room);
}

/** Returns the region for a passage: the words around the tools, or everything in a turn without words. */
function regionOf(turn: TurnText, given: Piece, words: readonly string[]): Piece {
  const { text, parts } = turn;
  const whole = { start: 0, end: text.length };
  const firstCall = parts.findIndex(({ kind }) => kind === "tools" || kind === "errors");
  const before = parts[firstCall - 1];
  if (firstCall < 0 || before === undefined) return whole;
  const talk = { start: 0, end: before.end };
  const forward = findPart(turn, "forward");
  const spoken = forward === null ? [talk] : [talk, { start: forward.start, end: forward.end }];
  const nearest = spoken.reduce((a, b) => (overlap(b, given) > overlap(a, given) ? b : a));
  if (overlap(nearest, given) >= MIN_TALK) return nearest;
  const errors = findPart(turn, "errors");
  const hits = ({ start, end }: Piece) => matches(text.slice(start, end), words);
  if (errors !== null && overlap(errors, given) > 0 && hits(errors) > hits(talk)) return errors;
  const [, next] = spoken;
  if (next !== undefined && hits(talk) === 0 && hits(next) > 0) return next;
  const isAnswered = parts.some(({ kind }) => isSaid(kind));
  return isAnswered && talk.end - talk.start >= MIN_TALK ? talk : whole;
}

function overlap(a: Piece, b: Piece): number {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

/** Cuts a piece out of a text, without loose ends, with its code blocks closed, and each heading once. */
function finished(text: string, { start, end }: Piece, budget: number): string {
  const cut = text.slice(start, end).trim();
  const passage = withoutRepeatedLines(trimLooseEnds(cut.length <= budget ? cut : cutAtWord(cut, budget)));
  const before = openFence(text.slice(0, start));
  const opened = before === null || LOOSE_START.test(cut) ? passage : `${before}\n${passage}`;
  const after = openFence(opened);
  return after === null ? opened : `${opened}\n${after}`;
}

/** Removes repeated headings. */
function withoutRepeatedLines(passage: string): string {
  const seen = new Set<string>();
  return passage
    .split("\n")
    .filter((line) => {
      if (!/^#{1,6}\s/.test(line)) return true;
      const isNew = !seen.has(line.trim());
      seen.add(line.trim());
      return isNew;
    })
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
}

function trimLooseEnds(passage: string): string {
  const tidy = passage.replace(LOOSE_START, "").replace(LOOSE_END, "").trim();
  return tidy.length >= MIN_TALK ? tidy : passage;
}

/**
 * Returns the part of a text around a chunk that best answers the query: at most `budget` characters, whole sentences or lines,
 * centred where the query's words are closest together.
 */
function bestPiece(text: string, { start, end }: Piece, words: readonly string[], budget: number): Piece {
  if (end - start <= budget) return widened(text, start, end, budget);
  const pieces = sentences(text, start, end);
  const best = densest(
    pieces,
    pieces.map((piece) => matches(text.slice(piece.start, piece.end), words)),
    budget,
  );
  // Without a word of the query, the conclusion at the end says most.
  const last = pieces.findLast((piece) => /[\p{L}\p{N}]{2}/u.test(text.slice(piece.start, piece.end)));
  if (best.worth === 0 && words.length > 0 && last) return widened(text, last.start, last.end, budget);
  return widened(text, pieces[best.from]?.start ?? start, pieces[best.until - 1]?.end ?? end, budget);
}

/** Returns the neighbouring pieces with the most hits that fit the budget, the shortest of equals. */
function densest(pieces: readonly Piece[], hits: readonly number[], budget: number) {
  let best = { from: 0, until: 1, worth: 0, size: Number.POSITIVE_INFINITY };
  for (let from = 0; from < pieces.length; from++) {
    let worth = 0;
    for (let until = from; until < pieces.length && length(pieces, from, until) <= budget; until++) {
      worth += hits[until] ?? 0;
      const size = length(pieces, from, until);
      if (worth > best.worth || (worth === best.worth && size < best.size))
        best = { from, until: until + 1, worth, size };
    }
  }
  return best;
}

interface Piece {
  start: number;
  end: number;
}

/** Adds whole sentences after and before while they fit. */
function widened(text: string, start: number, end: number, budget: number): Piece {
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
  return { start: from, end: until };
}

function sentences(text: string, start: number, end: number): Piece[] {
  const ends = [...sentenceEnds(text.slice(start, end)).map((at) => start + at), end];
  return ends.map((until, at) => ({ start: ends[at - 1] ?? start, end: until }));
}

function length(pieces: readonly Piece[], from: number, until: number): number {
  return (pieces[until]?.end ?? 0) - (pieces[from]?.start ?? 0);
}

function matches(text: string, words: readonly string[]): number {
  const lower = folded(text);
  return words.reduce((count, word) => count + (lower.includes(word) ? 1 : 0), 0);
}
