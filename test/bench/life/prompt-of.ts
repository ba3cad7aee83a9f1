import { CAVEAT, CLIENT_TAGS, CONTINUED, INTERRUPTED } from "../../../src/agents/notices.ts";
import { type JsonObject, objectOf, objectsOf, stringOf } from "../../../src/io/json.ts";

const { command, echo, notification, message } = CLIENT_TAGS;
const TAGS = ["system-reminder", ...command, ...echo, ...notification, ...message].join("|");
/** How texts begin that the client writes in the user's name. */
const STARTS = [CAVEAT, INTERRUPTED, CONTINUED];
const TAGGED = new RegExp(`^<(?:${TAGS})`);

/** Returns the prompt that an entry of a transcript holds, and that the prompt hook got; null for any other entry. */
export function promptOf(entry: JsonObject): string | null {
  if (entry.type !== "user" || entry.isMeta || entry.isSidechain || entry.isCompactSummary) return null;
  const content = objectOf(entry.message)?.content;
  const text = Array.isArray(content) ? textOf(content) : stringOf(content);
  if (text === null || text.trim() === "") return null;
  const start = text.trimStart();
  return TAGGED.test(start) || STARTS.some((notice) => start.startsWith(notice)) ? null : text;
}

function textOf(content: readonly unknown[]): string | null {
  const blocks = objectsOf(content);
  if (blocks.some(({ type }) => type === "tool_result")) return null;
  return blocks.flatMap(({ type, text }) => (type === "text" ? [stringOf(text) ?? ""] : [])).join("\n");
}
