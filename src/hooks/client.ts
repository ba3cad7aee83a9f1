import type { Environment } from "../agents/agent.ts";
import type { HookPayload } from "../agents/hook-payload.ts";
import { agentOf, readStamp, sessionFileOf } from "../agents/list.ts";
import { asObject } from "../io/json.ts";
import { classify } from "../recall/classify.ts";
import { type HookAnswer, hookOutput, silent } from "./hook.ts";
import { CLAUDE_CODE } from "./payload.ts";

/** A program that runs the hooks in another program's settings, with unknown payloads and answers. */
const UNKNOWN = "unknown";

/** The agents' names for the events of hooks. */
const EVENT_NAMES = new Set(
  [
    "UserPromptSubmit UserPromptExpansion PreToolUse PostToolUseFailure SubagentStart SessionStart Stop SubagentStop PreCompact SessionEnd",
    "BeforeAgent AfterAgent",
    "userPromptSubmitted sessionStart agentStop sessionEnd subagentStart subagentStop",
  ].flatMap((names) => names.split(" ")),
);

/** Variables that agents set for their hooks. Qwen Code also sets Gemini's, and several agents set Claude Code's. */
const VARIABLES = [
  ["QWEN_PROJECT_DIR", "qwen"],
  ["COPILOT_PROJECT_DIR", "copilot"],
  ["GEMINI_SESSION_ID", "gemini"],
] as const;

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
  if (isLikeCursor(payload, named)) return cursorOr(UNKNOWN, payload, named);
  if (event !== null && !EVENT_NAMES.has(event)) return UNKNOWN;
  if (transcript !== null) {
    const agent = agentOf(transcript);
    // Any file of JSON lines could be Claude Code's.
    if (agent.owns(transcript) && agent.id !== CLAUDE_CODE) return agent.id;
    if (agent.owns(transcript)) return named ?? CLAUDE_CODE;
  }
  if (payload.session_id === null && "sessionId" in payload) return "copilot";
  if (typeof payload.turn_id === "string") return "codex";
  return named ?? VARIABLES.find(([name]) => env[name])?.[1] ?? CLAUDE_CODE;
}

/** The fields with other names in Copilot. */
const COPILOT_FIELDS = {
  session_id: "sessionId",
  transcript_path: "transcriptPath",
  agent_transcript_path: "agentTranscriptPath",
  agent_id: "agentId",
  agent_type: "agentType",
  tool_name: "toolName",
} as const;

/** What Gemini adds before a prompt: the context that a hook gave when the session started. */
const HOOK_CONTEXT = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/;

/** Returns another agent's payload with Claude Code's field names, and without text that nobody typed. */
export function translated(payload: HookPayload, client: string, environment: Environment): HookPayload {
  if (client === "gemini")
    return { ...payload, client, prompt: payload.prompt?.replace(HOOK_CONTEXT, "") ?? null };
  // Qwen Code sets this at every end of a turn.
  if (client === "qwen") return { ...payload, client, stop_hook_active: false };
  if (client === CURSOR) return cursorPayload(payload, environment);
  if (client === "opencode") return { ...payload, client, ...opencodePaths(payload, environment) };
  if (client !== "copilot") return { ...payload, client };
  const fields = Object.entries(COPILOT_FIELDS).flatMap(([ours, theirs]) => {
    const value = payload[theirs];
    return typeof value === "string" && value !== "" ? [[ours, value]] : [];
  });
  const input = asObject(payload.toolArgs) ?? {};
  const tool_input = { file_path: null, notebook_path: null, ...input };
  const read: HookPayload = { ...payload, ...Object.fromEntries(fields), tool_input, client };
  const { transcript_path: given, session_id: session } = read;
  // Most events name only the session.
  const named = session === null ? null : sessionFileOf(client, session, environment);
  return { ...read, transcript_path: given ?? named };
}

/** opencode's plugin does not know where a session is stored. */
function opencodePaths(
  { session_id: session, agent_id: agentId }: HookPayload,
  environment: Environment,
): Partial<HookPayload> {
  const pathOf = (...ids: string[]) => sessionFileOf("opencode", ids.join("/"), environment);
  if (session === null) return {};
  return agentId === null
    ? { transcript_path: pathOf(session) }
    : { agent_transcript_path: pathOf(session, agentId) };
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
  // The prompt as given was classified before; another text is left of it.
  return prompt !== null && prompt !== given && classify(prompt).trivial ? silent("trivial") : null;
}

/** Returns the line for stdout in the agent's format. `name` is Claude Code's name of the event. */
export function onTheWire(
  name: string,
  text: string,
  { client, hook_event_name: event }: Pick<HookPayload, "client" | "hook_event_name">,
): string {
  if (client === "copilot") return JSON.stringify({ additionalContext: text });
  const own = client === CURSOR ? cursorAnswer(event, text) : null;
  return own ?? hookOutput(client === "gemini" && event !== null ? event : name, text);
}

const CURSOR = "cursor";

/** Events of Cursor's own hooks that may call this program, and those of Claude Code's that it runs. */
const EVENTS = new Set(
  [
    "beforeSubmitPrompt preToolUse postToolUseFailure preCompact sessionStart stop sessionEnd",
    "UserPromptSubmit PreToolUse PostToolUseFailure PreCompact SessionStart Stop SessionEnd SubagentStart SubagentStop",
  ].flatMap((names) => names.split(" ")),
);

/** Whether a call has a field of Cursor's, or names it. */
function isLikeCursor(payload: HookPayload, named: string | null): boolean {
  return named === CURSOR || "cursor_version" in payload || "conversation_id" in payload;
}

/** Returns Cursor's id where it surely calls; the other one where that is not sure. */
function cursorOr(other: string, payload: HookPayload, named: string | null): string {
  return isCursor(payload, named) ? CURSOR : other;
}

/**
 * Whether Cursor calls a hook of its own settings, or of Claude Code's, which it runs too. Any program may write one of
 * its fields, so both must be there where the command line does not name it.
 */
function isCursor(payload: HookPayload, named: string | null): boolean {
  const { conversation_id: conversation, cursor_version: version, hook_event_name: event } = payload;
  if (typeof conversation !== "string" || event === null || !EVENTS.has(event)) return false;
  return named === CURSOR || typeof version === "string";
}

/**
 * Returns an answer in the form of Cursor's own hooks; null for a hook of Claude Code's settings, where Cursor reads
 * Claude Code's form.
 */
function cursorAnswer(event: string | null, text: string): string | null {
  if (event === null || !/^[a-z]/.test(event)) return null;
  return JSON.stringify({
    ...(event === "beforeSubmitPrompt" && { continue: true }),
    additional_context: text,
  });
}

/** Events after which what was said is read. */
const AT_END = new Set(["stop", "sessionEnd", "preCompact", "Stop", "SessionEnd", "PreCompact"]);

/** Cursor names a transcript that knows less than its databases, and its tools name a file in their own ways. */
function cursorPayload(payload: HookPayload, environment: Environment): HookPayload {
  const { conversation_id: conversation, workspace_roots: roots, tool_input: input } = payload;
  const { error_message: message, error = message } = payload;
  const session = typeof conversation === "string" ? conversation : payload.session_id;
  const [root] = Array.isArray(roots) ? roots : [];
  const named = [input.file_path, input.path, input.target_file].find((path) => typeof path === "string");
  const isEnd = session !== null && AT_END.has(payload.hook_event_name ?? "");
  const source = isEnd ? sessionFileOf(CURSOR, session, environment) : null;
  return {
    ...payload,
    client: CURSOR,
    session_id: session,
    cwd: stringIn(payload.cwd) ?? stringIn(root),
    transcript_path: source !== null && readStamp(source) !== null ? source : payload.transcript_path,
    error,
    tool_input: { ...input, file_path: stringIn(named) },
  };
}

function stringIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
