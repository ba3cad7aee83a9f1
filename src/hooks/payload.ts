import type { HookPayload } from "../agents/hook-payload.ts";
import { FROM_AGENT_FLAG, HOOK_EVENTS } from "../setup/settings/hook-events.ts";
import type { Asker } from "../store/filter.ts";

/** Returns who calls a hook: the main conversation of a session, or a subagent, which has its session's id. */
export function hookAsker(sessionId: string, { agent_id: agentId }: Pick<HookPayload, "agent_id">): Asker {
  return agentId === null ? { sessionId } : { sessionId, agentId };
}

/**
 * Reads a hook's input. Returns null for anything but one JSON object in UTF-8. Does not use valibot: every hook runs this, and
 * loading and running a schema takes a tenth of a short hook's time.
 */
export function parsePayload(bytes: Uint8Array): HookPayload | null {
  const input = parsed(bytes);
  if (!isObject(input)) return null;
  const text = (name: string) => textOf(input[name]);
  return {
    ...input,
    session_id: text("session_id"),
    transcript_path: text("transcript_path"),
    cwd: text("cwd"),
    hook_event_name: text("hook_event_name"),
    prompt: text("prompt"),
    tool_name: text("tool_name"),
    tool_input: toolInput(input.tool_input),
    agent_id: text("agent_id"),
    agent_type: text("agent_type"),
    agent_transcript_path: text("agent_transcript_path"),
    source: text("source"),
    reason: text("reason"),
    trigger: text("trigger"),
    stop_hook_active: input.stop_hook_active === true,
    client: "claude-code",
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function toolInput(value: unknown): HookPayload["tool_input"] {
  const fields = isObject(value) ? value : {};
  return { ...fields, file_path: textOf(fields.file_path), notebook_path: textOf(fields.notebook_path) };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The agent that calls a hook when the command line names none. */
export const CLAUDE_CODE = "claude-code";

/**
 * Matches the path of a Claude Code transcript, also of a subagent. Excludes Qwen Code, which has a folder `chats` in place of
 * the project's.
 */
const TRANSCRIPT =
  /[\\/]projects[\\/](?!chats[\\/])[^\\/]+[\\/][\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:[\\/]subagents[\\/]agent-[\w-]+)?\.jsonl$/;

/** Tells whether a path can only be a transcript of Claude Code. If false, `agentOf` identifies the agent. */
export function isSurelyTranscript(path: string): boolean {
  return TRANSCRIPT.test(path);
}

/**
 * Tells whether only Claude Code can have made a call, so that no code for other agents need be loaded. If false, `detectClient`
 * identifies the agent.
 */
export function isSurelyClaudeCode(payload: HookPayload, argv: readonly string[]): boolean {
  const { hook_event_name: event, transcript_path: transcript } = payload;
  if (argv.includes(FROM_AGENT_FLAG) || "cursor_version" in payload || "conversation_id" in payload)
    return false;
  const isKnown = event === null || HOOK_EVENTS.some((known) => known.event === event);
  return isKnown && transcript !== null && isSurelyTranscript(transcript);
}
