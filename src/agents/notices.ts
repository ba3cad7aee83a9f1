import { printable } from "../text/invisible.ts";
import { onOneLine } from "../text/lines.ts";

/**
 * Texts that a client writes in place of a person's words. Transcripts contain them, prompt hooks receive them, and stored text
 * must not imitate them.
 *
 * Names of tags, as regular expressions: around additions to a prompt, around texts in the user's name, and around messages from
 * elsewhere.
 */
export const CLIENT_TAGS = {
  attached: ["system-reminder", "user-prompt-submit-hook", "ide_\\w+"],
  command: ["command-\\w+"],
  echo: ["local-command-\\w+", "bash-\\w+", "user-memory-input"],
  notification: ["task-notification", "ci-monitor-event"],
  message: [
    "teammate-message",
    "cross-session-message",
    "channel\\s+source",
    "github-webhook-activity",
    "review-comment",
  ],
} as const;

/** Starts the summary that replaces a long context. */
export const CONTINUED_NOTICE = "This session is being continued from a previous conversation";

/** Starts the note that the user stopped the assistant. */
export const INTERRUPTED = "[Request interrupted";

/** Starts the note before the output of local commands. */
export const CAVEAT_NOTICE = "Caveat: The messages below were generated";

/** Passages that clients add anywhere in the typed text. */
const ATTACHED = new RegExp(`<(${CLIENT_TAGS.attached.join("|")})>[\\s\\S]*?(?:</\\1>|$)`, "g");

/** Marks of the editor's context before the typed words: its heading, and the heading of the words. */
const EDITOR = { start: "# Context from my IDE setup", request: /^## My request for [\w ]+:[^\S\n]*$/m };

/** Returns the typed part of a prompt, without the client's additions. */
export function typedText(prompt: string): string {
  const text = prompt.includes("<") ? prompt.replace(ATTACHED, "") : prompt;
  const trimmed = text.trim();
  if (!trimmed.startsWith(EDITOR.start)) return trimmed;
  const request = EDITOR.request.exec(trimmed);
  return request === null ? trimmed : trimmed.slice(request.index + request[0].length).trim();
}

/** Names of tags by which other agents set off the user's words, their own instructions and what they add to a prompt. */
const OTHER_CLIENTS = [
  "user_(?:query|instructions|info|input|command|shell_command|request|message|prompt|rules)\\b",
  "(?:hook|session|untrusted|turn|project|additional)_context\\b",
  "(?:permissions\\s+|\\w{1,40}_)?instructions\\s*>",
  "(?:state_snapshot|turn_aborted|subagent_notification|mode_notice|current_datetime)\\b",
  "(?:collaboration_mode|permission_profile|multi_agent_\\w{1,20}|task_metadata)\\b",
  "(?:developer|assistant|user|human|message)\\s+role\\s*=",
] as const;

/**
 * Tags with a meaning for an agent or its model: mementor's frame, tags that the client adds to prompts, and tool calls.
 * Matches any blanks, slashes, case and attributes.
 */
const TAG_WITH_MEANING = new RegExp(
  `[<\uff1c](?=[\\s/\\\\]*(?:${[
    "mementor",
    "system[-_]",
    "antml:",
    "function_",
    "tool_",
    "(?:invoke|parameter|thinking)\\b",
    "(?:system|functions|tick)(?:\\s[^<>]{0,200})?>",
    "\\|\\w+\\|>",
    "persisted-output",
    "new-diagnostics",
    "environment_",
    ...OTHER_CLIENTS,
    ...Object.values(CLIENT_TAGS).flat(),
  ].join("|")}))`,
  "gi",
);

/** Returns a stored text in printable form. Agents read printed text, too, so its tags must not open or end anything. */
export function printableWords(text: string): string {
  return withoutTags(printable(text), () => "‹");
}

/** Replaces the `<` of every tag with a meaning. */
export function withoutTags(text: string, instead: (found: string) => string): string {
  return text.replace(TAG_WITH_MEANING, instead);
}

/** Returns a text on one line that is safe to print on a terminal. */
export function oneLine(text: string): string {
  return onOneLine(printableWords(text));
}
