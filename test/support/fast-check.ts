import type fc from "fast-check";

/** How many cases a property is tried with: `FC_RUNS`, 500 by default; `share` makes it fewer where each is dear. */
export function fcOptions(share = 1): fc.Parameters<unknown> {
  const runs = Number(process.env.FC_RUNS ?? 500);
  const seed = process.env.FC_SEED;
  return {
    numRuns: Math.max(10, Math.round(runs * share)),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
