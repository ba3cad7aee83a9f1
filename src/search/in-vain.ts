import type { Scored } from "./fusion.ts";
import type { Worth } from "./worth/choose.ts";

interface Sure {
  scored: Pick<Scored, "turn">;
  worth: Pick<Worth, "probability">;
}

/** What a turn keeps of its place when it was told again and again without effect. A turn that is clearly best stays so. */
const KEPT_SHARE = 0.7;

/** Puts turns that were told in vain after those that are nearly as sure, the surest first. */
export function withInVainLater<Each extends Sure>(
  judged: readonly Each[],
  inVain: ReadonlySet<number>,
): readonly Each[] {
  const place = ({ scored, worth }: Each) =>
    (inVain.has(scored.turn.turnId) ? KEPT_SHARE : 1) * worth.probability;
  return judged.toSorted((a, b) => place(b) - place(a));
}
