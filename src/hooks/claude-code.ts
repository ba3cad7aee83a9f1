import { FROM_AGENT, HOOK_EVENTS } from "../setup/hook-events.ts";
import type { HookPayload } from "./payload.ts";

/** The agent that calls a hook when the command line names none. */
export const CLAUDE_CODE = "claude-code";

/** Where Claude Code keeps a session and its subagents. Qwen Code has a folder `chats` in the place of a project's. */
const TRANSCRIPT =
  /[\\/]projects[\\/](?!chats[\\/])[^\\/]+[\\/][\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:[\\/]subagents[\\/]agent-[\w-]+)?\.jsonl$/;

/** True for a path that can only be a transcript of Claude Code. When false, `agentOf` finds out whose it is. */
export function isSurelyTranscript(path: string): boolean {
  return TRANSCRIPT.test(path);
}

/**
 * True for a call that only Claude Code makes: what is known of other agents need not be loaded then. When false, `clientOf`
 * finds out whose it is.
 */
export function isSurelyClaudeCode(payload: HookPayload, argv: readonly string[]): boolean {
  const { hook_event_name: event, transcript_path: transcript } = payload;
  if (argv.includes(FROM_AGENT) || "cursor_version" in payload || "conversation_id" in payload) return false;
  const isKnown = event === null || HOOK_EVENTS.some((known) => known.event === event);
  return isKnown && transcript !== null && isSurelyTranscript(transcript);
}
