import type { HookPayload } from "../agents/hook-payload.ts";
import { BUSY_TIMEOUT_MS, HOOK_LIMITS } from "../constants.ts";
import { type Host, readPatience } from "../host.ts";
import type { AgentText } from "../recall/telling/agent-text.ts";
import type { Runtime } from "../runtime.ts";
import type { HOOK_EVENTS } from "../setup/settings/hook-events.ts";

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

/** What a hook based its answer on. */
export interface Grounds {
  /** The start of the prompt as typed. */
  prompt: string | null;
  /** The file that the hook was called for; absent for other hooks. */
  subject?: string;
  /** The turns in the answer, best first. */
  turns: readonly { turnId: number; passage: string | null }[];
  /** The gate's probability and threshold; null when the gate was not used. */
  gate: { probability: number; threshold: number } | null;
}

/** What a hook did, and what it prints. */
export interface HookAnswer {
  /** One word for `status`: `told`, `trivial`, `queued`, ... */
  decision: string;
  /** What to add to the agent's context; null prints nothing. */
  text: string | null;
  /** What the record keeps of the text, where that is not all of it. */
  recordedText?: string;
  grounds: Grounds | null;
  /** What to say to the person, not to the agent; absent for nothing. */
  notice?: string | undefined;
  /** Where to record the call. Null when the project has no memory, or when the hook did not look for one. */
  memory: Runtime | null;
}

/** Does the work of one event. May throw: the error is logged, and the hook prints nothing. */
export type HookHandler = (call: HookCall) => Promise<HookAnswer>;

/** The decision of a hook whose time was over before it had looked at all that it could tell. */
export const LATE_DECISION = "late";

/** Returns an answer that prints nothing. */
export function silent(
  decision: string,
  memory: Runtime | null = null,
  grounds: Grounds | null = null,
): HookAnswer {
  return { decision, text: null, memory, grounds };
}

/** Returns an answer that adds text to Claude's context, or nothing when `text` is null. */
export function withContext(
  text: AgentText | null,
  memory: Runtime,
  grounds: Grounds | null = null,
): HookAnswer {
  return text === null ? silent("nothing", memory, grounds) : { decision: "told", text, memory, grounds };
}

/** Returns the line for stdout in Claude Code's format, which most agents read. */
export function hookOutput(hookEventName: string, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
}

/** Returns the line for stdout with which Claude Code shows the person something that the agent does not get. */
export function noticeOutput(text: string): string {
  return JSON.stringify({ systemMessage: text });
}

/** How long a hook may take, ms since its process started, and how long it waits for others. */
interface HookTimes {
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
  const times = readPatience(env);
  const { inputMs, deadlineMs, graceMs } = HOOK_LIMITS;
  return {
    inputMs: inputMs * times,
    deadlineMs: deadlineMs * times,
    endMs: (deadlineMs + graceMs) * times,
    busyMs: BUSY_TIMEOUT_MS.hook * times,
    closeMs: (graceMs / 2) * times,
  };
}
