import type { AgentHooks, Environment } from "../agents/agent.ts";
import type { HookPayload } from "../agents/hook-payload.ts";
import { AGENTS, agentOf } from "../agents/list.ts";
import { classify } from "../recall/classify.ts";
import { HOOK_EVENTS } from "../setup/settings/hook-events.ts";
import { type HookAnswer, hookOutput, silent } from "./hook.ts";
import { CLAUDE_CODE } from "./payload.ts";

/** A program that runs the hooks in another program's settings, with unknown payloads and answers. */
const UNKNOWN = "unknown";

/**
 * Recognises the agent that calls a hook. The payload counts first, since an agent that another agent started
 * inherits that agent's environment. `named` is the agent on the command line.
 */
export function detectClient(
  payload: HookPayload,
  named: string | null,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const { hook_event_name: event, transcript_path: transcript } = payload;
  const claimed = claimedBy(payload, named);
  if (claimed !== null) return claimed;
  if (event !== null && !isEvent(event)) return UNKNOWN;
  const writer = transcript === null ? null : agentOf(transcript);
  if (transcript !== null && writer?.owns(transcript)) {
    // Any file of JSON lines could be Claude Code's.
    return writer.id === CLAUDE_CODE ? (named ?? CLAUDE_CODE) : writer.id;
  }
  const alike = AGENTS.find(({ hooks }) => hooks?.resembles?.(payload))?.id;
  return alike ?? named ?? AGENTS.find(({ hooks }) => env[hooks?.variable ?? ""])?.id ?? CLAUDE_CODE;
}

/** Returns the agent that a payload claims to be of, unknown if it does so without all that this agent writes; null for no claim. */
function claimedBy(payload: HookPayload, named: string | null): string | null {
  for (const { id, hooks } of AGENTS) {
    const isIts = hooks?.claims?.(payload, named) ?? null;
    if (isIts !== null) return isIts ? id : UNKNOWN;
  }
  return null;
}

function isEvent(name: string): boolean {
  return (
    HOOK_EVENTS.some(({ event }) => event === name) ||
    AGENTS.some(({ hooks }) => hooks?.events?.includes(name))
  );
}

function hooksOf(client: string): AgentHooks {
  return AGENTS.find(({ id }) => id === client)?.hooks ?? {};
}

/** Returns an agent's payload with Claude Code's field names, and without text that nobody typed. */
export function normalized(payload: HookPayload, client: string, environment: Environment): HookPayload {
  return { ...payload, ...hooksOf(client).normalize?.(payload, environment), client };
}

/** Returns the answer to a call that needs no work; null for any other call. */
export function earlyAnswer(
  { client, agent_id: agentId, prompt }: HookPayload,
  event: string,
  given: string | null,
): HookAnswer | null {
  if (client === UNKNOWN) return silent("unknown client");
  if (event !== "user-prompt-submit") return null;
  // A subagent's task is not a person's prompt.
  if (client !== CLAUDE_CODE && agentId !== null) return silent("subagent");
  // The original prompt was classified before; classify the normalized one, too.
  return prompt !== null && prompt !== given && classify(prompt).trivial ? silent("trivial") : null;
}

/** Returns the line for stdout in the agent's format. `name` is Claude Code's name of the event. */
export function encodeAnswer(
  name: string,
  text: string,
  { client, hook_event_name: event }: Pick<HookPayload, "client" | "hook_event_name">,
): string {
  return hooksOf(client).answer?.(event, text) ?? hookOutput(name, text);
}
