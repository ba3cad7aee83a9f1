import { CAVEAT_NOTICE, CLIENT_TAGS, CONTINUED_NOTICE, INTERRUPTED } from "../../../src/agents/notices.ts";
import { asObject, asObjects, asString, type JsonObject } from "../../../src/io/json.ts";

const { command, echo, notification, message } = CLIENT_TAGS;
const TAGS = ["system-reminder", ...command, ...echo, ...notification, ...message].join("|");
/** How texts begin that the client writes in the user's name. */
const STARTS = [CAVEAT_NOTICE, INTERRUPTED, CONTINUED_NOTICE];
const TAGGED = new RegExp(`^<(?:${TAGS})`);

/** Returns the prompt that an entry of a transcript holds, and that the prompt hook got; null for any other entry. */
export function promptOf(entry: JsonObject): string | null {
  if (entry.type !== "user" || entry.isMeta || entry.isSidechain || entry.isCompactSummary) return null;
  const content = asObject(entry.message)?.content;
  const text = Array.isArray(content) ? textOf(content) : asString(content);
  if (text === null || text.trim() === "") return null;
  const start = text.trimStart();
  return TAGGED.test(start) || STARTS.some((notice) => start.startsWith(notice)) ? null : text;
}

function textOf(content: readonly unknown[]): string | null {
  const blocks = asObjects(content);
  if (blocks.some(({ type }) => type === "tool_result")) return null;
  return blocks.flatMap(({ type, text }) => (type === "text" ? [asString(text) ?? ""] : [])).join("\n");
}
