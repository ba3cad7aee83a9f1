import type { HookPayload } from "../agents/hook-payload.ts";
import { HOOK_LIMITS, WORKER_VARIABLE } from "../constants.ts";
import type { Host } from "../host.ts";
import { withTimeout } from "../io/within.ts";
import { classify } from "../recall/classify.ts";
import { HOOK_EVENTS } from "../setup/settings/hook-events.ts";
import type { HookHandlers } from "./answer.ts";
import { hookTimes } from "./hook.ts";
import { parsePayload } from "./payload.ts";

export type { HookHandlers } from "./answer.ts";

/**
 * Answers one hook. Never rejects, and writes only the answer to stdout: a failing hook must not break, block or slow
 * a session. A trivial prompt, which is the most frequent call that gets no answer, loads nothing else.
 */
export async function runHook(host: Host, handlers?: HookHandlers): Promise<void> {
  const event = HOOK_EVENTS.find(({ word }) => word === host.argv[1])?.word;
  const payload = await readPayload(host);
  // The background worker's own processes must not trigger hooks.
  if (!event || !payload || host.env[WORKER_VARIABLE]) return;
  const prompt = promptOf(event, payload);
  if (typeof prompt === "string" && classify(prompt).trivial) return;
  const { answerCall } = await import("./answer.ts");
  await answerCall(host, event, payload, handlers);
}

/** Returns the typed prompt; for a command, its arguments. */
function promptOf(event: string, { prompt, command_args: args }: HookPayload): unknown {
  if (event === "user-prompt-submit") return prompt;
  return event === "user-prompt-expansion" ? args : null;
}

/** Reads the payload; null if the input is invalid, too large or does not end in time. */
async function readPayload(host: Host): Promise<HookPayload | null> {
  try {
    const bytes = await withTimeout(hookTimes(host.env).inputMs, host.stdin.read(HOOK_LIMITS.inputBytes));
    return bytes && parsePayload(bytes);
  } catch {
    return null;
  }
}
