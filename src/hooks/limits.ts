import { BUSY_TIMEOUT_MS, HOOK_LIMITS } from "../constants.ts";
import { type Host, patienceOf } from "../host.ts";

/** How long a hook may take, ms since its process started, and how long it waits for others. */
export interface HookTimes {
  /** For the end of stdin. */
  inputMs: number;
  /** When it stops searching. */
  deadlineMs: number;
  /** When it ends, whatever still runs. */
  endMs: number;
  /** For another process that writes. */
  busyMs: number;
  /** Before it exits, for a model that is still loading or in use. */
  closeMs: number;
}

/** Returns the times of hooks: each so many times as long as usual as `MEMENTOR_PATIENCE` says. */
export function hookTimes(env: Host["env"]): HookTimes {
  const times = patienceOf(env);
  const { inputMs, deadlineMs, graceMs } = HOOK_LIMITS;
  return {
    inputMs: inputMs * times,
    deadlineMs: deadlineMs * times,
    endMs: (deadlineMs + graceMs) * times,
    busyMs: BUSY_TIMEOUT_MS.hook * times,
    closeMs: (graceMs / 2) * times,
  };
}
