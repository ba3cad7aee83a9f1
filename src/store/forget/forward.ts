import type { Chunk } from "../../domain.ts";

/** Before a turn's forward context, the prompt that follows it. */
const MARK = "\n\n[User] ";
/** At the end of a forward context that was cut. */
const CUT = "...";

/** Returns where the text may have its forward context: before each `[User]` that is not the first. */
function starts(text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(MARK, 1); at >= 0; at = text.indexOf(MARK, at + 1)) found.push(at);
  return found;
}

/**
 * Returns where the turn's forward context starts: at the end of what is `kept` of it where that is known, else at the
 * first place where it may; null when it has none.
 */
export function forwardStart(text: string, kept: string | null): number | null {
  const places = starts(text);
  const known = places.find((at) => kept !== null && at === kept.length && text.startsWith(kept));
  return known ?? places[0] ?? null;
}

/** Returns where the text's forward context starts if that is how `next`, the text of another turn, begins; else null. */
export function forwardStartOf(text: string, next: string): number | null {
  const isNext = (at: number) => {
    const told = text.slice(at + 2);
    return next.startsWith(told) || (told.endsWith(CUT) && next.startsWith(told.slice(0, -CUT.length)));
  };
  return starts(text).find(isNext) ?? null;
}

/** Returns the last place where the text's forward context may start; null when it has none. */
export function lastForwardStart(text: string): number | null {
  return starts(text).at(-1) ?? null;
}

export function cutForward(text: string, start: number): string {
  return text.slice(0, start);
}

/** Returns the chunks of the text that is left. */
export function withoutForward(chunks: readonly Chunk[], start: number): Chunk[] {
  return chunks
    .filter((chunk) => chunk.start < start)
    .map((chunk) => {
      const end = Math.min(chunk.end, start);
      return { ...chunk, content: chunk.content.slice(0, end - chunk.start), end };
    });
}
