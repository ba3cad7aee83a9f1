import { CLIENT_TAGS } from "../agents/notices.ts";
import { printable } from "../text/invisible.ts";

/**
 * Tags with a meaning for Claude Code or its model: mementor's frame, tags that the client adds to prompts, and tool
 * calls. Matches them with any blanks, slashes, case and attributes.
 */
const TAG_WITH_MEANING = new RegExp(
  `[<\uff1c](?=[\\s/\\\\]*(?:${[
    "mementor",
    "system[-_]",
    "antml:",
    "function_",
    "tool_",
    "(?:invoke|parameter|thinking)\\b",
    "(?:system|functions|tick)\\s*>",
    "\\|\\w+\\|>",
    "persisted-output",
    "new-diagnostics",
    "environment_",
    ...Object.values(CLIENT_TAGS).flat(),
  ].join("|")}))`,
  "gi",
);

/** Returns a stored text as it may be printed: agents read what commands print, too, so no tag in it opens or ends anything. */
export function printableWords(text: string): string {
  return withoutTags(printable(text), () => "‹");
}

/** Replaces the `<` of every tag with a meaning. */
export function withoutTags(text: string, instead: (found: string) => string): string {
  return text.replace(TAG_WITH_MEANING, instead);
}
