/** What a note of an agent keeps of its score: where the user's own words answer as well, those are told. */
const KEPT_SHARE = 0.8;

/** Lowers the score of a note that an agent wrote. */
export function weighed(score: number, { origin }: { origin: string }): number {
  return origin === "agent" ? score - (1 - KEPT_SHARE) * Math.abs(score) : score;
}
