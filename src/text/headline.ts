import { FRAME_CLOSE, FRAME_OPEN } from "../constants.ts";
import { firstUnits, truncateGraphemes } from "./cut.ts";
import { printable } from "./invisible.ts";
import { onOneLine } from "./lines.ts";

/** Announcements of what follows, at the start of a text or of a heading. Each may be followed by another. */
const ANNOUNCEMENT =
  /^(?:(?:please\s+)?(?:implement|execute|follow|review)\s+(?:the|this)\s+(?:following\s+)?(?:plan|task|spec|prompt)\s*[:.]|(?:implementation\s+)?plan\s*(?::|[-–—]\s)|task\s*:|title\s*:|subject\s*:|prompt\s*:|feature\s*:)\s*/i;
const GREETING =
  /^(?:hi|hey|hello|good (?:morning|afternoon|evening)|thanks|thank you|ok(?:ay)?|great|perfect|nice|cool|alright)\b(?: there| claude| again| so much)?\s*[,.!–—-]*(?:\s+|$)/i;
/** Headings under which the topic follows, and is not named yet. */
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

/** Lines and characters to look at. The end of a long paste rarely says what a prompt is about. */
const MAX_LINES = 200;
const MAX_CHARS = 4_000;

/**
 * Returns the first words of a prompt that tell it from others, on one line: passes over announcements of a plan,
 * headings that name no topic, greetings, attachments, addresses, terminal lines and code. A prompt that holds nothing
 * else is returned as it is.
 */
export function headline(prompt: string): string {
  return firstWords(prompt).replace(FORGE_PAGE, "$1#$2");
}

/** The page of an issue or a pull request: its number, which tells it from others, stands at its end. */
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

/** Whether a line only announces what follows: a bare heading, a greeting, the start of a plan. */
export function isAnnouncement(line: string): boolean {
  return line.trim() !== "" && /[\p{L}\p{N}]/u.test(line) && withoutOpening(line) === "";
}

function isHeading(line: string): boolean {
  return HEADING_MARKS.test(line.trimStart());
}

/** The lines from an index on, up to the next heading. */
function paragraph(lines: readonly string[], from: number): string[] {
  const next = lines.findIndex((line, at) => at >= from && isHeading(line));
  return lines.slice(from, next === -1 ? undefined : next);
}

/** The lines outside code blocks. A block without an end reaches to the end of the text. */
function proseLines(text: string): string[] {
  let isCode = false;
  return text.split("\n", MAX_LINES).filter((line) => {
    if (!FENCE.test(line)) return !isCode;
    isCode = !isCode;
    return false;
  });
}

/** A line without the words before its topic; empty if it has no topic. */
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

/** Words that mean something else where whose a row is stands: who speaks, or which rows are meant. */
const RESERVED = new Set([
  ...["team", "all", "own", "me", "you", "user", "the user", "a user", "note"],
  ...["agent", "an agent", "assistant", "claude", "system", "mementor"],
]);
/** What a name may hold. A bracket or a colon in it would end what names somebody, and begin what they said. */
const OTHERS = /[^\p{L}\p{M}\p{N} ._@+'-]+/gu;
const MAX_GRAPHEMES = 60;

/** Whether a name means something else in mementor's texts, or looks as if it did: in wide letters, say. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(onOneLine(name.normalize("NFKC")).toLowerCase());
}

/**
 * Returns the name of a person or a memory as texts show it, whoever chose it: short, on one line, and nothing else than a
 * name can be read in it.
 */
export function shownName(name: string): string {
  const line = onOneLine(onOneLine(printable(name)).replace(OTHERS, " "));
  // "turn 12" in a text for an agent is that turn.
  const plain = truncateGraphemes(line, MAX_GRAPHEMES).replace(/\b(turns?|show) (?=\d)/gi, "$1-");
  if (plain === "") return "someone without a name";
  return isReservedName(plain) ? `someone called ${plain}` : plain;
}

/** Two letters, or one of a script in which a letter can be a word. */
const MATTER = /\p{L}[\s\S]*\p{L}|[^\P{L}\p{ASCII}]/u;

/** Whether a text can be a title: a choice or an exit such as "8" or "q" names nothing. */
export function namesMatter(text: string): boolean {
  return MATTER.test(text);
}
