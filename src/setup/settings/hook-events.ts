/**
 * The events that mementor handles, with their names on the command line. Timeouts are far longer than a hook takes and far
 * shorter than Claude Code's 600 s. They matter only on a hung machine.
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
 * Events that not every Claude Code in use knows. Version 2.1.100 and perhaps later ones drop all hooks of a file with an unknown
 * event; 2.1.138 skips only the unknown event.
 */
export const LATER_EVENTS: ReadonlySet<string> = new Set(["UserPromptExpansion"]);

/** Tells a hook that the plugin calls it. The hook then leaves the work to a hook in the settings. */
export const FROM_PLUGIN_FLAG = "--from-plugin";

/** Marks a hook that is started without a shell. It then leaves the work to a hook that a shell starts. */
export const NO_SHELL_FLAG = "--no-shell";

/** Comes before the id of the agent that calls a hook. Claude Code's hooks have no such flag. */
export const FROM_AGENT_FLAG = "--from";
