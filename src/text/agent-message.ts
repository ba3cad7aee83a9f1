import { FRAME_CLOSE, FRAME_OPEN } from "../constants.ts";

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

/**
 * Removes what hooks of mementor told. Its tag counts only at the start of a line, so that a person can mention
 * it. A tag that is not closed reaches to the end of the text.
 */
export function withoutTold(text: string): string {
  // Finding a character is far faster than finding a word, and most texts contain no tag.
  let start = text.includes("<") ? text.indexOf(FRAME_OPEN) : -1;
  if (start < 0) return text;
  let kept = "";
  let from = 0;
  while (start >= 0) {
    if (startsLine(text, start)) {
      kept += text.slice(from, start);
      const end = text.indexOf(FRAME_CLOSE, start);
      if (end < 0) return kept;
      from = end + FRAME_CLOSE.length;
    }
    start = text.indexOf(FRAME_OPEN, Math.max(from, start + 1));
  }
  return kept + text.slice(from);
}

function startsLine(text: string, index: number): boolean {
  const line = text.lastIndexOf("\n", index - 1) + 1;
  return text.slice(line, index).trim() === "";
}
