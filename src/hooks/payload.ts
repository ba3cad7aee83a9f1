import * as v from "valibot";

/**
 * In some version of Claude Code, any field of a hook's input may be missing, null or of another type. Such a field
 * counts as absent.
 */
const text = v.fallback(v.nullish(v.string(), null), null);
const flag = v.fallback(v.nullish(v.boolean(), false), false);

const ToolInput = v.fallback(v.looseObject({ file_path: text, notebook_path: text }), {
  file_path: null,
  notebook_path: null,
});

/** What a hook reads from stdin, with the field names of the wire. Unknown fields are normal. */
const Payload = v.looseObject({
  session_id: text,
  transcript_path: text,
  cwd: text,
  hook_event_name: text,
  prompt: text,
  tool_name: text,
  tool_input: ToolInput,
  agent_id: text,
  agent_type: text,
  agent_transcript_path: text,
  source: text,
  reason: text,
  trigger: text,
  stop_hook_active: flag,
});

export type HookPayload = v.InferOutput<typeof Payload> & {
  /** Id of the agent that calls the hook. Never taken from the input. */
  client: string;
};

/** Reads a hook's input. Returns null for anything but one JSON object in UTF-8. */
export function parsePayload(bytes: Uint8Array): HookPayload | null {
  try {
    const parsed = v.safeParse(Payload, JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? { ...parsed.output, client: "claude-code" } : null;
  } catch {
    return null;
  }
}
