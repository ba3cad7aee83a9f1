import type fc from "fast-check";

const { CI = "", FC_RUNS } = process.env;
const RUNS = Number(FC_RUNS ?? (CI === "" || CI === "false" ? 50 : 500));

/**
 * The options of a property: `FC_RUNS` cases, or 500 in CI and 50 elsewhere; `FC_SEED` repeats a run.
 *
 * @param share the part of the cases to try, for a property that is tried on several files.
 */
export function fcOptions(share = 1): fc.Parameters<unknown> {
  const seed = process.env.FC_SEED;
  return {
    numRuns: Math.max(1, Math.ceil(RUNS * share)),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
