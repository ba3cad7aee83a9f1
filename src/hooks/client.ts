import type { Environment } from "../agents/agent.ts";
import { agentOf, sessionFileOf } from "../agents/list.ts";
import { type HookAnswer, silent } from "./hook.ts";
import type { HookPayload } from "./payload.ts";

/** The agent of hooks whose command line names none. */
export const CLAUDE_CODE = "claude-code";
/** A program that runs the hooks of another's settings, and whose contract is not known. */
const UNKNOWN = "unknown";

/** Names that agents have for the events of hooks. */
const EVENT_NAMES = new Set(
  [
    "UserPromptSubmit PreToolUse SubagentStart SessionStart Stop SubagentStop PreCompact SessionEnd",
    "BeforeAgent AfterAgent",
    "userPromptSubmitted sessionStart agentStop sessionEnd subagentStart subagentStop",
  ].flatMap((names) => names.split(" ")),
);

/** Variables that an agent sets for its hooks. Qwen Code sets Gemini's too, and several set Claude Code's. */
const VARIABLES = [
  ["QWEN_PROJECT_DIR", "qwen"],
  ["COPILOT_PROJECT_DIR", "copilot"],
  ["GEMINI_SESSION_ID", "gemini"],
] as const;

/**
 * Recognises the agent that calls a hook, by its payload first: an agent that another one started has that one's
 * environment. `named` is what the command line says.
 */
export function clientOf(
  payload: HookPayload,
  named: string | null,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const { hook_event_name: event, transcript_path: transcript } = payload;
  const isCursor = "cursor_version" in payload || "conversation_id" in payload;
  if (isCursor || (event !== null && !EVENT_NAMES.has(event))) return UNKNOWN;
  if (transcript !== null) {
    const agent = agentOf(transcript);
    // Any file of JSON lines may be one of Claude Code's.
    if (agent.owns(transcript) && agent.id !== CLAUDE_CODE) return agent.id;
    if (agent.owns(transcript)) return named ?? CLAUDE_CODE;
  }
  if (payload.session_id === null && "sessionId" in payload) return "copilot";
  if (typeof payload.turn_id === "string") return "codex";
  return named ?? VARIABLES.find(([name]) => env[name])?.[1] ?? CLAUDE_CODE;
}

/** The fields that Copilot names in its own way. */
const COPILOT_FIELDS = {
  session_id: "sessionId",
  transcript_path: "transcriptPath",
  agent_transcript_path: "agentTranscriptPath",
  agent_id: "agentId",
  agent_type: "agentType",
} as const;

/** What Gemini puts before a prompt: the context that a hook added when the session started. */
const HOOK_CONTEXT = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/;

/** Returns another agent's payload with Claude Code's names, and without what was not typed. */
export function translated(payload: HookPayload, client: string, environment: Environment): HookPayload {
  if (client === "gemini")
    return { ...payload, client, prompt: payload.prompt?.replace(HOOK_CONTEXT, "") ?? null };
  // Qwen Code sets this at every end of a turn.
  if (client === "qwen") return { ...payload, client, stop_hook_active: false };
  if (client !== "copilot") return { ...payload, client };
  const fields = Object.entries(COPILOT_FIELDS).flatMap(([ours, theirs]) => {
    const value = payload[theirs];
    return typeof value === "string" && value !== "" ? [[ours, value]] : [];
  });
  const read: HookPayload = { ...payload, ...Object.fromEntries(fields), client };
  const { transcript_path: given, session_id: session } = read;
  // Most events name the session alone.
  const named = session === null ? null : sessionFileOf(client, session, environment);
  return { ...read, transcript_path: given ?? named };
}

/** Returns the answer to a call that needs no work; null for any other. */
export function earlyAnswer({ client, agent_id: agentId }: HookPayload, event: string): HookAnswer | null {
  if (client === UNKNOWN) return silent("unknown client");
  // A subagent's task is no prompt of a person.
  const isTask = client !== CLAUDE_CODE && event === "user-prompt-submit" && agentId !== null;
  return isTask ? silent("subagent") : null;
}

/** Returns what goes to stdout, as the agent expects it. */
export function onTheWire(
  { output, text }: HookAnswer,
  { client, hook_event_name: hookEventName }: HookPayload,
): string | null {
  if (text === null || output === null) return output;
  if (client === "copilot") return JSON.stringify({ additionalContext: text });
  if (client !== "gemini" || hookEventName === null) return output;
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
}
