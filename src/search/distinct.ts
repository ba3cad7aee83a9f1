import { NOTE } from "../constants.ts";
import type { Scored } from "./fusion.ts";

/**
 * Only the starts of texts are compared. A resumed session repeats turns in full; only the end of the last one
 * differs.
 */
const COMPARED_CHARS = 600;

/** Keeps only the best of nearly identical turns, such as the copies in a resumed session. Keeps the order. */
export function withoutRepeats(ranked: readonly Scored[]): { kept: Scored[]; repeats: Scored[] } {
  const seen = new Set<string>();
  const kept: Scored[] = [];
  const repeats: Scored[] = [];
  for (const scored of ranked) {
    const key = scored.turn.text.slice(0, COMPARED_CHARS).replace(/\s+/g, " ").toLowerCase();
    const { text, client } = scored.turn;
    // Short turns, such as "yes", say something else each time; a note says it all itself.
    const saysAll = text.length > COMPARED_CHARS / 2 || client === NOTE.client;
    const isRepeat = saysAll && seen.has(key);
    (isRepeat ? repeats : kept).push(scored);
    seen.add(key);
  }
  return { kept, repeats };
}

/** Whether only the files of its session led to a turn. */
export function isFoundByAccessAlone({ candidate }: Scored): boolean {
  return candidate.sources.size === 1 && candidate.sources.has("access");
}
