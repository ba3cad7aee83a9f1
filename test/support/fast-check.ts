import type fc from "fast-check";

/** How many cases a property is tried with: `FC_RUNS`, 500 by default; `share` of them where it is tried on several files. */
export function fcOptions(share = 1): fc.Parameters<unknown> {
  const runs = Number(process.env.FC_RUNS ?? 500);
  const seed = process.env.FC_SEED;
  return {
    numRuns: Math.max(1, Math.ceil(runs * share)),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
