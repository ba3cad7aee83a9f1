/**
 * What a client writes itself where a person's words are expected. Its transcripts contain such texts, a prompt hook gets
 * them, and stored text must not imitate them.
 *
 * Names of tags, as regular expressions: around what the client adds to a prompt, around texts that it writes in the
 * user's name, and around messages from elsewhere.
 */
export const CLIENT_TAGS = {
  attached: ["system-reminder", "user-prompt-submit-hook", "ide_\\w+"],
  command: ["command-\\w+"],
  echo: ["local-command-\\w+", "bash-\\w+", "user-memory-input"],
  notification: ["task-notification", "ci-monitor-event"],
  message: ["teammate-message", "cross-session-message", "channel\\s+source"],
} as const;

/** Starts the summary that replaces a long context. */
export const CONTINUED = "This session is being continued from a previous conversation";

/** Starts the note that the user stopped the assistant. */
export const INTERRUPTED = "[Request interrupted";

/** Starts the note before the output of local commands. */
export const CAVEAT = "Caveat: The messages below were generated";
