/** The start of a message that an agent sends another as JSON, such as the assignment of a task. */
const MESSAGE = /^\s*\{\s*"[^{}[\]]{0,200}?"?type"\s*:\s*"[\w-]+"/;
/** Fields that say what such a message is about, the plainest first. */
const MATTERS = ["subject", "title", "summary", "description", "reason", "message", "content", "text"];
/** The agent's part in a team, before its task. */
const PARTS = [
  /^you are (?:an? |the )?["'`]?[\w -]{1,40}["'`]?,? (?:a teammate )?(?:on|of) (?:the |a )?(?:team ["'`]?[\w -]{1,60}["'`]?|["'`]?[\w -]{1,60}["'`]? team)\.\s*/i,
  /^your name is ["'`]?[\w -]{1,40}["'`]?\.\s*/i,
  /^your task (?:is (?:#\d+:|to:?)|#\d+:)\s*/i,
];

/** Whether a text is a message that an agent sent another as JSON. The text may be cut. */
export function isAgentMessage(text: string): boolean {
  return MESSAGE.test(text);
}

/**
 * Returns what another agent asks for: the subject of a task that it assigns as JSON, or its words without the role
 * that they give the reader in a team. Any other text, and a message without a subject, is returned as it is. The text
 * may be cut.
 */
export function withoutAgentFrame(text: string): string {
  if (isAgentMessage(text)) return matterIn(text) ?? text;
  if (!PARTS[0]?.test(text.trimStart())) return text;
  const rest = PARTS.reduce((words, part) => words.replace(part, ""), text.trimStart());
  return rest === "" ? text : rest;
}

function matterIn(message: string): string | null {
  for (const field of MATTERS) {
    const [, found = ""] = new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(message) ?? [];
    const words = unescaped(found).trim();
    if (words !== "") return words;
  }
  return null;
}

function unescaped(inJson: string): string {
  try {
    return String(JSON.parse(`"${inJson}"`));
  } catch {
    return inJson;
  }
}
