import fc from "fast-check";

const { CI = "", FC_RUNS, FC_SEED } = process.env;
const IS_CI = CI !== "" && CI !== "false";
const RUNS = Number(FC_RUNS ?? (IS_CI ? 500 : 50));
// CI tries the same cases each time, so that it fails for a change and never by chance; other runs draw new ones.
const SEED = FC_SEED ?? (IS_CI ? "20260301" : undefined);

/**
 * Gives every property the run's number of cases and its seed: `FC_SEED`, or a fixed one in CI. `bunfig.toml` loads this
 * file before tests.
 */
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: RUNS,
  ...(SEED !== undefined && { seed: Number(SEED) }),
});

/**
 * The options of a property: `FC_RUNS` cases, or 500 in CI and 50 elsewhere.
 *
 * @param share the part of the cases to try: less than 1 for a property that is tried on several files, more for one of
 * which few cases say anything.
 */
export function fcOptions(share = 1): fc.Parameters<unknown> {
  return { numRuns: Math.max(1, Math.ceil(RUNS * share)) };
}
