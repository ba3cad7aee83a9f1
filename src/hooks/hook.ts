import type { Host } from "../host.ts";
import type { HOOK_EVENTS } from "../project/hook-entries.ts";
import type { Runtime } from "../runtime.ts";
import type { HookPayload } from "./payload.ts";

/** An event as the command line names it: Claude Code's name in kebab case. */
export type HookEvent = (typeof HOOK_EVENTS)[number]["word"];

/** One call of a hook. */
export interface HookCall {
  event: HookEvent;
  payload: HookPayload;
  host: Host;
  /** Milliseconds to the deadline. At 0 or less, a hook answers with what it has found. */
  timeLeftMs: () => number;
}

/** What a hook did, and what it says. */
export interface HookAnswer {
  /** One word for `status`: `told`, `trivial`, `queued`, ... */
  decision: string;
  /** What goes to stdout; null says nothing. */
  output: string | null;
  /** Where the call is noted; null where the project has no memory, or was not even looked for. */
  memory: Runtime | null;
}

/** Does the work of one event. It may throw: the error is logged, and the hook stays silent. */
export type HookHandler = (call: HookCall) => Promise<HookAnswer>;

/** An answer that says nothing. */
export function silence(decision: string, memory: Runtime | null = null): HookAnswer {
  return { decision, output: null, memory };
}

/** An answer that adds text to Claude's context, on the wire; null is silence. */
export function telling(hookEventName: string, text: string | null, memory: Runtime): HookAnswer {
  if (text === null) return silence("nothing", memory);
  const output = JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
  return { decision: "told", output, memory };
}
