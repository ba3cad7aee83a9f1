import { FROM_AGENT, HOOK_EVENTS } from "../project/hook-events.ts";
import type { HookPayload } from "./payload.ts";

/** The agent of hooks whose command line names no agent. */
export const CLAUDE_CODE = "claude-code";

/** Where Claude Code keeps a session and its subagents. Qwen Code has a folder `chats` in the place of a project's. */
const TRANSCRIPT =
  /[\\/]projects[\\/](?!chats[\\/])[^\\/]+[\\/][\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:[\\/]subagents[\\/]agent-[\w-]+)?\.jsonl$/;

/** Whether a path can only be one of Claude Code's transcripts. False says nothing; `agentOf` decides. */
export function isSurelyTranscript(path: string): boolean {
  return TRANSCRIPT.test(path);
}

/**
 * Whether a call can only be Claude Code's: the knowledge about other agents then need not be loaded. False says nothing;
 * `clientOf` decides.
 */
export function isSurelyClaudeCode(payload: HookPayload, argv: readonly string[]): boolean {
  const { hook_event_name: event, transcript_path: transcript } = payload;
  if (argv.includes(FROM_AGENT) || "cursor_version" in payload || "conversation_id" in payload) return false;
  const isKnown = event === null || HOOK_EVENTS.some((known) => known.event === event);
  return isKnown && transcript !== null && isSurelyTranscript(transcript);
}
