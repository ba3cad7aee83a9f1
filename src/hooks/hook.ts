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

/** The basis of a hook's answer. */
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

/** A hook's decision and its output. */
export interface HookAnswer {
  /** One word for `status`: `told`, `trivial`, `queued`, ... */
  decision: string;
  /** The text to add to the agent's context; null prints nothing. */
  text: string | null;
  /** The part of the text to record; absent for all of it. */
  recordedText?: string;
  grounds: Grounds | null;
  /** A message for the person, which the agent does not get; absent for none. */
  notice?: string | undefined;
  /** The memory that records the call; null if the project has none, or the hook did not look for one. */
  memory: Runtime | null;
}

/** Does the work of one event. May throw: the error is logged, and the hook prints nothing. */
export type HookHandler = (call: HookCall) => Promise<HookAnswer>;

/** The decision of a hook that ran out of time before it had examined everything. */
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

/** Returns the line for stdout that makes Claude Code show a text to the person, but not to the agent. */
export function noticeOutput(text: string): string {
  return JSON.stringify({ systemMessage: text });
}

/** Time limits of a hook in ms. Deadlines count from the start of its process. */
interface HookTimes {
  /** Maximum wait for the end of stdin. */
  inputMs: number;
  /** Deadline at which it stops searching. */
  deadlineMs: number;
  /** Deadline at which it exits, whatever is still running. */
  endMs: number;
  /** Maximum wait for another process that writes. */
  busyMs: number;
  /** Maximum wait before exit for a model that is still loading or in use. */
  closeMs: number;
}

/** Returns the time limits of hooks, multiplied by `MEMENTOR_PATIENCE`. */
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
