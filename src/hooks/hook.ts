import type { Host } from "../host.ts";
import type { HookPayload } from "./payload.ts";

/** Events as the command line names them: Claude Code's names in kebab case. */
export const HOOK_EVENTS = [
  "user-prompt-submit",
  "pre-tool-use",
  "subagent-start",
  "session-start",
  "stop",
  "subagent-stop",
  "pre-compact",
  "session-end",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** One call of a hook. */
export interface HookCall {
  event: HookEvent;
  payload: HookPayload;
  host: Host;
  /** True when the hook's time is up: whoever is asked gives what there is, or nothing. */
  isLate: () => boolean;
}

/** Does the work of one event and returns what goes to stdout; null says nothing. It may throw: nobody will notice. */
export type HookHandler = (call: HookCall) => Promise<string | null>;

/** The answer that adds text to Claude's context, on the wire. */
export function additionalContext(hookEventName: string, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
}
