import { asList, asString } from "../../io/json.ts";
import type { AgentHooks, Environment } from "../agent.ts";
import type { HookPayload } from "../hook-payload.ts";

/** Events of Cursor's own hooks that may call this program, and those of Claude Code's that it runs. */
const EVENTS = new Set(
  [
    "beforeSubmitPrompt preToolUse preCompact sessionStart stop sessionEnd",
    "UserPromptSubmit PreToolUse PreCompact SessionStart Stop SessionEnd SubagentStart SubagentStop",
  ].flatMap((names) => names.split(" ")),
);
/** Events after which what was said is read. */
const AT_END = new Set(["stop", "sessionEnd", "preCompact", "Stop", "SessionEnd", "PreCompact"]);

/** How Cursor calls hooks. `sourceOf` finds the fullest form of a session; it returns null for one that is not stored. */
export function cursorHooks(
  sourceOf: (sessionId: string, environment: Environment) => string | null,
): AgentHooks {
  return { claims, normalize, answer };

  /** Cursor names a transcript that knows less than its databases, and its tools name a file in their own ways. */
  function normalize(payload: HookPayload, environment: Environment): Partial<HookPayload> {
    const { conversation_id: conversation, workspace_roots: roots, tool_input: input } = payload;
    const session = typeof conversation === "string" ? conversation : payload.session_id;
    const file = [input.file_path, input.path, input.target_file].find((path) => typeof path === "string");
    const isEnd = session !== null && AT_END.has(payload.hook_event_name ?? "");
    return {
      session_id: session,
      cwd: asString(payload.cwd) ?? asString(asList(roots)[0]),
      transcript_path: (isEnd ? sourceOf(session, environment) : null) ?? payload.transcript_path,
      tool_input: { ...input, file_path: asString(file) },
    };
  }
}

/**
 * Whether Cursor calls a hook of its own settings, or of Claude Code's, which it runs too. Any program may write one of
 * its fields, so both must be there where the command line does not name it.
 */
function claims(payload: HookPayload, named: string | null): boolean | null {
  const { conversation_id: conversation, cursor_version: version, hook_event_name: event } = payload;
  if (named !== "cursor" && conversation === undefined && version === undefined) return null;
  if (typeof conversation !== "string" || event === null || !EVENTS.has(event)) return false;
  return named === "cursor" || typeof version === "string";
}

/** Returns null for a hook of Claude Code's settings, where Cursor reads Claude Code's form. */
function answer(event: string | null, text: string): string | null {
  if (event === null || !/^[a-z]/.test(event)) return null;
  return JSON.stringify({
    ...(event === "beforeSubmitPrompt" && { continue: true }),
    additional_context: text,
  });
}
