import type { HookPayload } from "./payload.ts";

/**
 * Sources of prompts that no person gave: a timer, a poll, the client itself. Prompts of desktop clients come as `sdk`.
 */
const AUTOMATIC: ReadonlySet<string> = new Set(["loop_wakeup", "schedule_wakeup", "poll_event", "system"]);

/**
 * Whether no person gave a prompt: by its source or, where the client tells none, by the transcript, which knows what a timer
 * will say. `line` is the whole line that came, also where only a part of it is answered.
 */
export async function isAutomatic(
  { source, client, transcript_path: transcript }: HookPayload,
  line: string | null,
): Promise<boolean> {
  if (source !== null) return AUTOMATIC.has(source);
  if (transcript === null || line === null) return false;
  const { isWakeUp } = await import("../agents/running-turn.ts");
  return isWakeUp(client, transcript, line);
}
