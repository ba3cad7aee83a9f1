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

/** What a hook was asked and what it based its answer on. */
export interface Grounds {
  /** The start of the prompt, as it was typed. */
  prompt: string | null;
  /** The turns in the answer, the best first. */
  turns: readonly { turnId: number; passage: string | null }[];
  /** How sure the gate was, and how sure it had to be; null where it was not asked. */
  gate: { probability: number; threshold: number } | null;
}

/** What a hook did, and what it says. */
export interface HookAnswer {
  /** One word for `status`: `told`, `trivial`, `queued`, ... */
  decision: string;
  /** What goes to stdout; null says nothing. */
  output: string | null;
  /** The text in the output. */
  text: string | null;
  grounds: Grounds | null;
  /** Where the call is noted; null where the project has no memory, or was not even looked for. */
  memory: Runtime | null;
}

/** Does the work of one event. It may throw: the error is logged, and the hook stays silent. */
export type HookHandler = (call: HookCall) => Promise<HookAnswer>;

/** An answer that says nothing. */
export function silence(
  decision: string,
  memory: Runtime | null = null,
  grounds: Grounds | null = null,
): HookAnswer {
  return { decision, output: null, text: null, memory, grounds };
}

/** An answer that adds text to Claude's context, on the wire; null is silence. */
export function telling(
  hookEventName: string,
  text: string | null,
  memory: Runtime,
  grounds: Grounds | null = null,
): HookAnswer {
  if (text === null) return silence("nothing", memory, grounds);
  const output = JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
  return { decision: "told", output, text, memory, grounds };
}
