import { HOOK_LIMITS } from "../constants.ts";
import type { Host } from "../host.ts";
import { HOOK_EVENTS, type HookCall, type HookEvent, type HookHandler } from "./hook.ts";
import { parsePayload } from "./payload.ts";

type LoadHandler = () => Promise<HookHandler>;

/** Loaded one by one, so that no hook pays for another's code. */
const HANDLERS: Record<HookEvent, LoadHandler> = {
  "user-prompt-submit": async () => (await import("./user-prompt-submit.ts")).userPromptSubmit,
  "pre-tool-use": async () => (await import("./pre-tool-use.ts")).preToolUse,
  "subagent-start": async () => (await import("./subagent-start.ts")).subagentStart,
  "session-start": async () => (await import("./session-start.ts")).sessionStart,
  stop: async () => (await import("./stop.ts")).stop,
  "subagent-stop": async () => (await import("./stop.ts")).stop,
  "pre-compact": async () => (await import("./pre-compact.ts")).preCompact,
  "session-end": async () => (await import("./stop.ts")).stop,
};

/**
 * Answers one hook. Never rejects and writes nothing but the contract's text to stdout: whatever goes wrong, a hook
 * must not break, block or slow a session. The reason goes to the project's log.
 */
export async function runHook(
  host: Host,
  handlers: Record<HookEvent, LoadHandler> = HANDLERS,
): Promise<void> {
  const event = HOOK_EVENTS.find((name) => name === host.argv[1]);
  try {
    const answer = await within(
      HOOK_LIMITS.deadlineMs + HOOK_LIMITS.graceMs,
      answerHook(host, event, handlers),
    );
    if (answer) host.stdout.write(answer);
  } catch (error) {
    await logFailure(host, event ?? "unknown", error);
  }
}

async function answerHook(
  host: Host,
  event: HookEvent | undefined,
  handlers: Record<HookEvent, LoadHandler>,
): Promise<string | null> {
  const bytes = await host.stdin.read(HOOK_LIMITS.inputBytes);
  const payload = bytes && parsePayload(bytes);
  if (!event || !payload) return null;
  const handler = await handlers[event]();
  const call: HookCall = { event, payload, host, isLate: () => host.elapsedMs() > HOOK_LIMITS.deadlineMs };
  return handler(call);
}

/** Resolves to null when the work takes longer; the process exits then, and the work with it. */
function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

async function logFailure(host: Host, event: string, error: unknown): Promise<void> {
  try {
    const { Runtime } = await import("../runtime.ts");
    const log = await new Runtime(host).log();
    log.error("hook failed", { hook: event, error });
  } catch {
    // Where even the log fails there is nobody left to tell.
  }
}
