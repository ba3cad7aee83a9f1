import type { ForgetPlan, ForgetPreview, ForgetSelection, PruneRequest } from "./types/forget.ts";

/** Removes data on purpose, so that no later ingest or import restores it. The caller holds the ingest lock. */
export interface ForgetStore {
  plan(selection: ForgetSelection): Promise<ForgetPlan>;
  /** Plans to remove the oldest turns until the limits hold. Sizes are estimates. */
  planPrune(request: PruneRequest): Promise<ForgetPlan>;
  /** Names of the memories that turns were imported from. */
  origins(): Promise<string[]>;
  preview(plan: ForgetPlan, isPrune?: boolean): Promise<ForgetPreview>;
  /** Removes what the plan names and everything derived from it. Returns the number of removed turns. */
  forget(plan: ForgetPlan): Promise<number>;
  /** Like `forget`, for a prune: keeps summaries, and the titles of sessions that keep turns. */
  prune(plan: ForgetPlan): Promise<number>;
}
