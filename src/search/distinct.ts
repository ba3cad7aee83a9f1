import type { Scored } from "./fusion.ts";

/** Texts are compared by their start: a resumed session repeats a turn whole, up to what followed. */
const COMPARED_CHARS = 600;

/** Leaves of near-identical turns (a resumed session's copies) only the best; the order stays. */
export function withoutRepeats(ranked: readonly Scored[]): { kept: Scored[]; repeats: Scored[] } {
  const seen = new Set<string>();
  const kept: Scored[] = [];
  const repeats: Scored[] = [];
  for (const one of ranked) {
    const key = one.turn.text.slice(0, COMPARED_CHARS).replace(/\s+/g, " ").toLowerCase();
    const isRepeat = one.turn.text.length > COMPARED_CHARS / 2 && seen.has(key);
    (isRepeat ? repeats : kept).push(one);
    seen.add(key);
  }
  return { kept, repeats };
}

/** What makes an answer of a ranking. */
export interface AnswerLimits {
  limit: number;
  perSession: number;
  /**
   * Turns whose score is a smaller share of the best one's are left out: beside it they are noise. One that is there for
   * its session's files alone has no words to score by, and is not measured by them.
   */
  minShare: number;
}

/** Takes the best `limit`, no more than `perSession` of one session, none that falls far behind; the order stays. */
export function diverse(ranked: readonly Scored[], { limit, perSession, minShare }: AnswerLimits): Scored[] {
  const taken = new Map<string, number>();
  const kept: Scored[] = [];
  const least = Math.max(0, ranked[0]?.score ?? 0) * minShare;
  for (const one of ranked) {
    if (kept.length >= limit) break;
    if (one.score < least && !isFoundByAccessAlone(one)) continue;
    const count = taken.get(one.turn.sessionId) ?? 0;
    if (count >= perSession) continue;
    taken.set(one.turn.sessionId, count + 1);
    kept.push(one);
  }
  return kept;
}

function isFoundByAccessAlone({ candidate }: Scored): boolean {
  return candidate.sources.size === 1 && candidate.sources.has("access");
}
