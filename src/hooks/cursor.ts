import type { Environment } from "../agents/agent.ts";
import { sessionFileOf, stampOf } from "../agents/list.ts";
import type { HookPayload } from "./payload.ts";

export const CURSOR = "cursor";

/** Events of Cursor's own hooks that are handled, and those of Claude Code's that it runs. */
const EVENTS = new Set(
  [
    "beforeSubmitPrompt preToolUse postToolUseFailure preCompact sessionStart stop sessionEnd",
    "UserPromptSubmit PreToolUse PostToolUseFailure PreCompact SessionStart Stop SessionEnd SubagentStart SubagentStop",
  ].flatMap((names) => names.split(" ")),
);

/** Whether a call has a field of Cursor's, or names it. */
export function isLikeCursor(payload: HookPayload, named: string | null): boolean {
  return named === CURSOR || "cursor_version" in payload || "conversation_id" in payload;
}

/** Returns Cursor's id where it surely calls; the other one where that is not sure. */
export function cursorOr(other: string, payload: HookPayload, named: string | null): string {
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
export function cursorAnswer(event: string | null, text: string): string | null {
  if (event === null || !/^[a-z]/.test(event)) return null;
  return JSON.stringify({
    ...(event === "beforeSubmitPrompt" && { continue: true }),
    additional_context: text,
  });
}

/** Events after which what was said is read. */
const AT_END = new Set(["stop", "sessionEnd", "preCompact", "Stop", "SessionEnd", "PreCompact"]);

/** Cursor names a transcript that knows less than its databases, and its tools name a file in their own ways. */
export function cursorPayload(payload: HookPayload, environment: Environment): HookPayload {
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
    transcript_path: source !== null && stampOf(source) !== null ? source : payload.transcript_path,
    error,
    tool_input: { ...input, file_path: stringIn(named) },
  };
}

function stringIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
