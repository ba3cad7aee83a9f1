/** The text of a turn, joined from its chunks, and the place of each chunk in it. */
export interface JoinedText {
  text: string;
  spans: { start: number; end: number }[];
}

/** Shorter matches between two chunks count as chance: doubled text is better than lost text. */
const MIN_OVERLAP = 12;
/** The overlap was about 40 tokens, so much longer overlaps are not searched for. */
const MAX_OVERLAP = 1200;

/**
 * Joins chunks that overlap. The overlap at the start of a chunk may be the text that tokens of an uncased model
 * decode to: lower-cased, without accents, spaced differently; it is compared without all of that, and the text of
 * the earlier chunk is kept.
 */
export function joinChunks(chunks: readonly string[]): JoinedText {
  let text = "";
  const spans: { start: number; end: number }[] = [];
  for (const chunk of chunks) {
    const overlap = text === "" ? null : findOverlap(text, chunk);
    const rest = overlap === null ? chunk : chunk.slice(overlap.endInNext);
    const separator = text === "" ? "" : separatorOf(text, rest, overlap === null);
    const start = overlap?.startInText ?? text.length + separator.length;
    text += separator + rest;
    spans.push({ start, end: text.length });
  }
  return { text, spans };
}

function separatorOf(text: string, rest: string, apart: boolean): string {
  if (rest === "" || /\s$/.test(text) || /^\s/.test(rest)) return "";
  return apart ? "\n\n" : "\n";
}

function findOverlap(text: string, next: string): { startInText: number; endInNext: number } | null {
  const head = fold(next.slice(0, MAX_OVERLAP));
  const offset = Math.max(0, text.length - MAX_OVERLAP);
  const tail = fold(text.slice(offset));
  for (let length = Math.min(head.folded.length, tail.folded.length); length >= MIN_OVERLAP; length--) {
    if (!tail.folded.endsWith(head.folded.slice(0, length))) continue;
    const startInText = tail.origins[tail.folded.length - length];
    const last = head.origins[length - 1];
    if (startInText === undefined || last === undefined) return null;
    return { startInText: offset + startInText, endInNext: last + charLength(next, last) };
  }
  return null;
}

/** The text without spaces, case and accents; `origins` holds the original index of each unit. */
function fold(text: string): { folded: string; origins: number[] } {
  let folded = "";
  const origins: number[] = [];
  let at = 0;
  for (const char of text) {
    const bare = char
      .normalize("NFD")
      .replace(/\p{M}|\s/gu, "")
      .toLowerCase();
    for (let i = 0; i < bare.length; i++) origins.push(at);
    folded += bare;
    at += char.length;
  }
  return { folded, origins };
}

function charLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
