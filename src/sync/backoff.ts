import * as v from "valibot";
import { TEAM_SYNC } from "../constants.ts";
import { MementorError } from "../errors.ts";

const StateSchema = v.object({
  /** ISO 8601. The last sync that went through; null for none. */
  succeededAt: v.nullable(v.string()),
  /** ISO 8601. When the last one was tried. */
  triedAt: v.string(),
  failures: v.number(),
  /** Why the last one failed; null when it went through. */
  problem: v.nullable(v.object({ code: v.string(), message: v.string(), hint: v.nullable(v.string()) })),
  pushed: v.number(),
  pulled: v.number(),
  removed: v.number(),
});

/** The result of the last sync. */
export type SyncState = v.InferOutput<typeof StateSchema>;

/** Reads a stored state; null before the first sync. */
export function parseSyncState(json: string | null): SyncState | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), StateSchema), json);
  return parsed.success ? parsed.output : null;
}

/** What a sync did, with a team or through a folder. */
type Done = Record<"pushed" | "added" | "updated" | "removed", number>;

/** Returns the state after a sync that was tried at `triedAt` (ISO 8601): what it did, or why it failed. */
export function nextSyncState(
  before: SyncState | null,
  triedAt: string,
  outcome: Done | MementorError,
): SyncState {
  if (!(outcome instanceof MementorError)) {
    const { pushed, added, updated, removed } = outcome;
    return {
      succeededAt: triedAt,
      triedAt,
      failures: 0,
      problem: null,
      pushed,
      pulled: added + updated,
      removed,
    };
  }
  const { code, message, hint = null } = outcome;
  const failures = (before?.failures ?? 0) + 1;
  const succeededAt = before?.succeededAt ?? null;
  return {
    succeededAt,
    triedAt,
    failures,
    problem: { code, message, hint },
    pushed: 0,
    pulled: 0,
    removed: 0,
  };
}

/** Tells whether the background worker syncs now: soon after a change, with longer pauses after each failure. */
export function isDue(state: SyncState | null, hasChanges: boolean, now: Date): boolean {
  if (state === null) return true;
  const waited = now.getTime() - Date.parse(state.triedAt);
  // The clock was set back.
  if (waited < 0) return true;
  if (state.failures > 0) return waited >= pauseAfter(state.failures);
  return hasChanges || waited >= TEAM_SYNC.pullEveryMs;
}

/** Returns when a hook starts a worker for a sync alone; null when nothing waits. */
export function dueAfter(state: SyncState, hasChanges: boolean): Date | null {
  if (state.failures === 0 && !hasChanges) return null;
  const pause = state.failures === 0 ? TEAM_SYNC.pullEveryMs : pauseAfter(state.failures);
  return new Date(Date.parse(state.triedAt) + pause);
}

function pauseAfter(failures: number): number {
  return Math.min(TEAM_SYNC.maxPauseMs, TEAM_SYNC.firstPauseMs * 2 ** (failures - 1));
}
