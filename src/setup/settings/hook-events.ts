/**
 * The events that mementor handles, with their names on the command line. Timeouts are far longer than a hook takes
 * and far shorter than Claude Code's 600 s. They only matter on a machine that hangs.
 */
export const HOOK_EVENTS = [
  { event: "UserPromptSubmit", word: "user-prompt-submit", matcher: null, timeoutSeconds: 10 },
  { event: "UserPromptExpansion", word: "user-prompt-expansion", matcher: null, timeoutSeconds: 10 },
  { event: "PreToolUse", word: "pre-tool-use", matcher: "Read|Edit|Write|NotebookEdit", timeoutSeconds: 5 },
  { event: "SubagentStart", word: "subagent-start", matcher: null, timeoutSeconds: 5 },
  { event: "SessionStart", word: "session-start", matcher: null, timeoutSeconds: 10 },
  { event: "Stop", word: "stop", matcher: null, timeoutSeconds: 5 },
  { event: "SubagentStop", word: "subagent-stop", matcher: null, timeoutSeconds: 5 },
  { event: "PreCompact", word: "pre-compact", matcher: null, timeoutSeconds: 5 },
  { event: "SessionEnd", word: "session-end", matcher: null, timeoutSeconds: 5 },
] as const;

/**
 * Events that not every Claude Code in use knows. Up to 2.1.100 at least, it drops all hooks of a file that names one
 * it does not know; 2.1.138 passes over that one.
 */
export const LATER_EVENTS: ReadonlySet<string> = new Set(["UserPromptExpansion"]);

/** Tells a hook that the plugin calls it. The hook then leaves the work to a hook in the settings. */
export const FROM_PLUGIN_FLAG = "--from-plugin";

/** Tells a hook that its agent started it without a shell. The hook then leaves the work to one that a shell starts. */
export const NO_SHELL_FLAG = "--no-shell";

/** Comes before the id of the agent that calls a hook. Claude Code's hooks have no such flag. */
export const FROM_AGENT_FLAG = "--from";
