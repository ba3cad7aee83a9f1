import { GAP, isSaid, LABELS, type PartKind, sameSection, type TurnPart, type TurnText } from "./text.ts";

/** A range of a text in UTF-16 offsets. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Tells whether parts belong to a text: they are in order up to its end, with only labels and blank lines between them. Other
 * parts were measured before the text changed.
 */
export function isMeasured({ text, parts }: TurnText): boolean {
  let done = 0;
  for (const { kind, start, end } of parts) {
    const between = start < done || end < start ? null : text.slice(done, start);
    if (between === null || !isBetween(between, kind, done === 0)) return false;
    done = end;
  }
  return done === text.length;
}

function isBetween(text: string, kind: PartKind, isFirst: boolean): boolean {
  if (isFirst) return text === "" || text === LABELS[kind];
  return text === GAP || text === `${GAP}${LABELS[kind]}`;
}

/** Returns the part of this kind; null when there is none. */
export function findPart({ parts }: TurnText, kind: PartKind): TurnPart | null {
  return parts.find((part) => part.kind === kind) ?? null;
}

/** Returns the content of the part of this kind; null when there is none. */
export function partText(turn: TurnText, kind: PartKind): string | null {
  const part = findPart(turn, kind);
  return part && turn.text.slice(part.start, part.end);
}

/** Returns the assistant's words, including its thinking; null when there are none. */
export function assistantText({ text, parts }: TurnText): string | null {
  const said = parts.filter(({ kind }) => isSaid(kind));
  const [first, last] = [said[0], said.at(-1)];
  return first && last ? text.slice(first.start, last.end) : null;
}

/** The text under one label: a single part, or thinking and answers together. */
export interface TextSection extends TextRange {
  /** Kind of its first part. */
  kind: PartKind;
}

/** Returns the sections of a text in order. Their ranges do not include the label. */
export function listSections({ parts }: Pick<TurnText, "parts">): TextSection[] {
  const sections: TextSection[] = [];
  for (const { kind, start, end } of parts) {
    const last = sections.at(-1);
    if (last && sameSection(last.kind, kind)) last.end = end;
    else sections.push({ kind, start, end });
  }
  return sections;
}

/** Returns the offsets of the labels in a text. */
export function labelStarts(turn: TurnText): Set<number> {
  const labelled = listSections(turn).filter((section) => isLabelled(turn, section));
  return new Set(labelled.map(({ kind, start }) => start - LABELS[kind].length));
}

/** Tells whether a section has a label. Only the start of an imported text may have none. */
export function isLabelled({ text }: TurnText, { kind, start }: TextSection): boolean {
  return text.endsWith(LABELS[kind], start);
}

/** Returns a text up to the end of its first section, including the label. */
export function openingText(turn: TurnText): string {
  const [first] = listSections(turn);
  return first ? turn.text.slice(0, first.end) : turn.text;
}

/** Returns the first section of a text, without the label if it is a prompt or the assistant's words. */
export function openingWords(turn: TurnText): string {
  const [first] = listSections(turn);
  const isWords = first !== undefined && (first.kind === "prompt" || isSaid(first.kind));
  return isWords ? turn.text.slice(first.start, first.end) : openingText(turn);
}

/** End of a shortened prompt. */
const SHORTENED = "...";

/** Returns the text up to the end of the last part that starts before `start`, with the remaining parts. */
export function cutBefore({ text, parts }: TurnText, start: number): TurnText {
  const kept = parts.filter((part) => part.start < start);
  return { text: text.slice(0, kept.at(-1)?.end ?? 0), parts: kept };
}

/** Returns the turn without its forward context. */
export function withoutForward(turn: TurnText): TurnText {
  const forward = findPart(turn, "forward");
  return forward ? cutBefore(turn, forward.start) : turn;
}

/** Tells whether the forward context of a turn is the prompt of `next`, possibly shortened. */
export function isFollowedBy(turn: TurnText, next: TurnText): boolean {
  const forward = partText(turn, "forward");
  const prompt = partText(next, "prompt");
  if (forward === null || prompt === null) return false;
  if (prompt.startsWith(forward)) return true;
  return forward.endsWith(SHORTENED) && prompt.startsWith(forward.slice(0, -SHORTENED.length));
}

/**
 * Returns the parts for programs without the kind `narration`: narration becomes part of the answer. A team shares this form, so
 * that members with an older program can read it, and a turn is not shared again just because its kinds changed.
 */
export function withoutNarration(parts: readonly TurnPart[]): TurnPart[] {
  const joined: TurnPart[] = [];
  for (const { kind, start, end } of parts) {
    const known = kind === "narration" ? "answer" : kind;
    const last = joined.at(-1);
    if (known === "answer" && last?.kind === "answer") last.end = end;
    else joined.push({ kind: known, start, end });
  }
  return joined;
}

/** Priority of a chunk for getting its vector: 0 comes before 1; with null, the chunk gets none. */
export type VectorRank = 0 | 1 | null;

/** Share of tool calls or errors from which a chunk gets no vector, because these contain names, which keywords find better. */
const ROWS_SHARE = 0.9;

/**
 * Ranks the chunks of a turn, given in order. The prompt with the text after it comes first, and the end of the assistant's
 * words, which has the outcome.
 */
export function vectorRanks(parts: readonly TurnPart[], chunks: readonly TextRange[]): VectorRank[] {
  const said = parts.findLast(({ kind }) => isSaid(kind));
  const outcome = said === undefined ? -1 : chunks.findIndex(({ end }) => end >= said.end);
  return chunks.map((chunk, at) => {
    if (at === 0) return 0;
    if (isRows(parts, chunk)) return null;
    return at === outcome ? 0 : 1;
  });
}

function isRows(parts: readonly TurnPart[], { start, end }: TextRange): boolean {
  const rows = parts.filter(({ kind }) => kind === "tools" || kind === "errors");
  const inRows = rows.reduce((sum, part) => {
    const from = part.start - LABELS[part.kind].length;
    return sum + Math.max(0, Math.min(part.end, end) - Math.max(from, start));
  }, 0);
  return inRows >= ROWS_SHARE * (end - start);
}
