import type { Scored } from "./fusion.ts";

/** What a turn keeps of its score when it was told again and again without effect. A turn that is clearly best stays so. */
const KEPT_SHARE = 0.7;

/** Lowers the scores of turns that were told in vain, and ranks again, best first. */
export function lowered(ranked: readonly Scored[], inVain: ReadonlySet<number>): readonly Scored[] {
  if (!ranked.some(({ turn }) => inVain.has(turn.turnId))) return ranked;
  return ranked
    .map((scored) =>
      inVain.has(scored.turn.turnId)
        ? { ...scored, score: scored.score - (1 - KEPT_SHARE) * Math.abs(scored.score) }
        : scored,
    )
    .sort((a, b) => b.score - a.score);
}
