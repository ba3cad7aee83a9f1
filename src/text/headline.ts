import { FRAME_CLOSE, FRAME_OPEN } from "../constants.ts";
import { firstUnits } from "./cut.ts";
import { onOneLine } from "./lines.ts";

/** Words that announce a topic at the start of a text or heading. Several may follow one another. */
const ANNOUNCEMENT =
  /^(?:(?:please\s+)?(?:implement|execute|follow|review)\s+(?:the|this)\s+(?:following\s+)?(?:plan|task|spec|prompt)\s*[:.]|(?:implementation\s+)?plan\s*(?::|[-–—]\s)|task\s*:|title\s*:|subject\s*:|prompt\s*:|feature\s*:)\s*/i;
const GREETING =
  /^(?:hi|hey|hello|good (?:morning|afternoon|evening)|thanks|thank you|ok(?:ay)?|great|perfect|nice|cool|alright)\b(?: there| claude| again| so much)?\s*[,.!–—-]*(?:\s+|$)/i;
/** Headings that do not name their topic. */
const BARE_HEADING =
  /^(?:context|overview|background|summary|introduction|goals?|objectives?|problem(?: statement)?|requirements?|instructions?|description|plan|implementation(?: plan)?|task|prompt|notes?|tl;?dr)\s*:?$/i;
const HEADING_MARKS = /^#{1,6}\s+/;
const QUOTE_MARKS = /^(?:>\s?)+/;
/** A placeholder of a client for a picture or a pasted text. */
const ATTACHMENT = /\[(?:Image|Pasted text)[^[\]]*\]/gi;
const ADDRESS = /^(?:https?:\/\/\S+|@?(?:~|\.{0,2})?(?:\/[\w.@~+-]+)+\/?|@?[\w.-]+(?:\/[\w.@~+-]+)+)$/;
/** A line of a terminal: a shell prompt and a command. */
const TYPED = /^(?:[$❯➜%]\s+\S|[^\s@]{1,64}@[^\s@:~]{1,64}[:~]\S{0,200}[$#]\s)/;
const FENCE = /^\s*(?:```|~~~)/;

/** Maximum lines and characters to examine. The end of a long paste rarely says what a prompt is about. */
const MAX_LINES = 200;
const MAX_CHARS = 4_000;

/**
 * Returns the first words that distinguish a prompt from others, on one line. Skips announcements of a plan, headings without a
 * topic, greetings, attachments, addresses, terminal lines and code. Returns a prompt with nothing else unchanged.
 */
export function headline(prompt: string): string {
  return firstWords(prompt).replace(FORGE_PAGE, "$1#$2");
}

/** URL of an issue or a pull request. Its distinguishing number is at its end. */
const FORGE_PAGE =
  /https?:\/\/[^\s/]{1,80}\/(?:[\w.-]{1,80}\/){1,6}?([\w.-]{1,80})\/(?:-\/)?(?:issues|pull|merge_requests|discussions)\/(\d{1,9})(?:[#?/][^\s)\]]*)?/g;

function firstWords(prompt: string): string {
  const start = withoutAgentFrame(firstUnits(prompt, MAX_CHARS));
  const lines = proseLines(start);
  for (const [at, line] of lines.entries()) {
    const words = withoutOpening(line);
    if (words !== "")
      return isHeading(line) ? words : onOneLine([words, ...paragraph(lines, at + 1)].join(" "));
  }
  return onOneLine(start);
}

/** Tells whether a line only announces a topic: a heading without one, a greeting, the start of a plan. */
export function isAnnouncement(line: string): boolean {
  return line.trim() !== "" && /[\p{L}\p{N}]/u.test(line) && withoutOpening(line) === "";
}

function isHeading(line: string): boolean {
  return HEADING_MARKS.test(line.trimStart());
}

/** Returns the lines from an index up to the next heading. */
function paragraph(lines: readonly string[], from: number): string[] {
  const next = lines.findIndex((line, at) => at >= from && isHeading(line));
  return lines.slice(from, next === -1 ? undefined : next);
}

/** Returns the lines outside code blocks. An unclosed block reaches to the end of the text. */
function proseLines(text: string): string[] {
  let isCode = false;
  return text.split("\n", MAX_LINES).filter((line) => {
    if (!FENCE.test(line)) return !isCode;
    isCode = !isCode;
    return false;
  });
}

/** Returns a line without the words before its topic; empty if it has no topic. */
function withoutOpening(line: string): string {
  let rest = onOneLine(line.replace(ATTACHMENT, " "));
  for (let before = ""; rest !== before; ) {
    before = rest;
    rest = rest
      .replace(QUOTE_MARKS, "")
      .replace(HEADING_MARKS, "")
      .replace(ANNOUNCEMENT, "")
      .replace(GREETING, "");
  }
  const isEmpty = !/[\p{L}\p{N}]/u.test(rest);
  return isEmpty || BARE_HEADING.test(rest) || ADDRESS.test(rest) || TYPED.test(rest) ? "" : rest;
}

/** Start of a JSON message between agents, such as the assignment of a task. */
const MESSAGE = /^\s*\{\s*"[^{}[\]]{0,200}?"?type"\s*:\s*"[\w-]+"/;
/** Fields that describe the subject of such a message, the clearest first. */
const MATTERS = ["subject", "title", "summary", "description", "reason", "message", "content", "text"];
/** Descriptions of the agent's role in a team, before its task. */
const PARTS = [
  /^you are (?:an? |the )?["'`]?[\w -]{1,40}["'`]?,? (?:a teammate )?(?:on|of) (?:the |a )?(?:team ["'`]?[\w -]{1,60}["'`]?|["'`]?[\w -]{1,60}["'`]? team)\.\s*/i,
  /^your name is ["'`]?[\w -]{1,40}["'`]?\.\s*/i,
  /^your task (?:is (?:#\d+:|to:?)|#\d+:)\s*/i,
];

/** Tells whether a text is a JSON message between agents. The text may be cut. */
export function isAgentMessage(text: string): boolean {
  return MESSAGE.test(text);
}

/**
 * Returns the task that another agent gives: the subject of a JSON message, or the words after the reader's role in a team.
 * Returns any other text, and a message without a subject, unchanged. The text may be cut.
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
 * Removes text that mementor's hooks inserted. Its tag counts only at the start of a line, so that a person can mention it. An
 * unclosed tag reaches to the end of the text.
 */
export function withoutHookText(text: string): string {
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
