import type { Check, Outcome } from "./check.ts";
import { GOING, MAIN_JOB } from "./checks/main-job.ts";
import { PATHS } from "./checks/paths.ts";
import { TOGETHER } from "./checks/together.ts";
import type { Place } from "./place.ts";

/** Every check, in the order in which they run: each builds on what those before it left. */
export const BATTERY: readonly Check[] = [...MAIN_JOB, ...PATHS, ...TOGETHER, ...GOING];

/** Runs the battery against the binary of a place, and tells of each check as it ends. */
export async function runBattery(place: Place, tell: (outcome: Outcome) => void): Promise<Outcome[]> {
  const fits = ({ where, isEssential }: Check) =>
    (where?.(place) ?? true) && (isEssential === true || place.runner.isSlow !== true);
  const outcomes: Outcome[] = [];
  for (const check of BATTERY.filter(fits)) {
    const began = Bun.nanoseconds();
    const problem = await problemOf(check, place);
    const outcome = { name: check.name, problem, seconds: (Bun.nanoseconds() - began) / 1e9 };
    tell(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function problemOf(check: Check, place: Place): Promise<string> {
  try {
    await check.run(place);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
