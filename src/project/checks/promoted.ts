import { type Check, ok } from "../doctor.ts";
import type { Promotion } from "../promote/record.ts";

export interface PromotedContext {
  /** The promotions whose line stands in the project's instructions. */
  standing: readonly Promotion[];
  /** Returns those of them whose turn the memory no longer has. */
  orphaned: (standing: readonly Promotion[]) => Promise<readonly Promotion[]>;
}

/**
 * Names promoted lines whose turn is gone: `forget` takes a line out where it runs, and cannot on the other machines that
 * share the memory. It is no fault: a line that was worth writing outlives a turn that was pruned.
 */
export function promotedChecks({ standing, orphaned }: PromotedContext): Check[] {
  if (standing.length === 0) return [];
  const run = async () => {
    const gone = await orphaned(standing);
    if (gone.length === 0) return ok("Every promoted line is of a turn that is still remembered.");
    const lines = gone.map(({ turnId, name }) => `turn ${turnId} in ${name}`).join(", ");
    return ok(
      `Lines of turns that are gone, pruned or forgotten on another machine: ${lines}. "mementor note TURN --undo" takes one out.`,
    );
  };
  return [{ name: "promoted", run }];
}
