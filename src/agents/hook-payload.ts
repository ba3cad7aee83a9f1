/**
 * What a hook reads from stdin, with Claude Code's field names. In some version of Claude Code, any field may be
 * missing, null or of another type. Such a field counts as absent. Unknown fields are normal.
 */
export interface HookPayload {
  session_id: string | null;
  transcript_path: string | null;
  cwd: string | null;
  hook_event_name: string | null;
  prompt: string | null;
  tool_name: string | null;
  tool_input: { file_path: string | null; notebook_path: string | null; [field: string]: unknown };
  agent_id: string | null;
  agent_type: string | null;
  agent_transcript_path: string | null;
  source: string | null;
  reason: string | null;
  trigger: string | null;
  stop_hook_active: boolean;
  /** Id of the agent that calls the hook. Never taken from the input. */
  client: string;
  [field: string]: unknown;
}
