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
    const isRepeat = scored.turn.text.length > COMPARED_CHARS / 2 && seen.has(key);
    (isRepeat ? repeats : kept).push(scored);
    seen.add(key);
  }
  return { kept, repeats };
}

/** Limits of an answer that is taken from a ranking. */
export interface AnswerLimits {
  limit: number;
  perSession: number;
  /**
   * Minimum score as a share of the best one: lower ones are noise beside it. Does not apply to a turn that was found
   * only by the files of its session, since that has no words to score.
   */
  minShare: number;
}

/**
 * Returns the best `limit` turns, at most `perSession` from one session, and none with too low a score. Keeps the
 * order.
 */
export function diverse(ranked: readonly Scored[], { limit, perSession, minShare }: AnswerLimits): Scored[] {
  const taken = new Map<string, number>();
  const kept: Scored[] = [];
  const minScore = Math.max(0, ranked[0]?.score ?? 0) * minShare;
  for (const scored of ranked) {
    if (kept.length >= limit) break;
    if (scored.score < minScore && !isFoundByAccessAlone(scored)) continue;
    const count = taken.get(scored.turn.sessionId) ?? 0;
    if (count >= perSession) continue;
    taken.set(scored.turn.sessionId, count + 1);
    kept.push(scored);
  }
  return kept;
}

/** Whether only the files of its session led to a turn. */
export function isFoundByAccessAlone({ candidate }: Scored): boolean {
  return candidate.sources.size === 1 && candidate.sources.has("access");
}
