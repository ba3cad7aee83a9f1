import { DESCRIPTION_GRAPHEMES } from "../constants.ts";
import { truncateGraphemes } from "../text/cut.ts";
import { headline, isAgentMessage, namesMatter } from "../text/headline.ts";
import { onOneLine } from "../text/lines.ts";
import { openingOf, sectionsOf } from "./parts.ts";
import { ownWords } from "./pasted.ts";
import { isSaid, type TurnText } from "./text.ts";

/** A prompt of at most this many words names no matter, such as "yes" or "commit this". */
const BARE_WORDS = 3;
/** The start of the summary that an agent writes for itself when a conversation is too long. */
const SUMMARY = /^This session is being continued from a previous conversation/;
/** Lines of such a summary that name no matter, and the marks before those that do. */
const SUMMARY_FRAME =
  /^(?:.{0,80}\bchronological|This session is being continued\b|The (?:conversation|summary below)\b|<?\/?(?:analysis|summary)\b|Let me (?:chronologically )?(?:analy[sz]e|go through|review)\b)/i;
const ITEM = /^(?:[-*•]|\d+[.)])?\s*(?:\*\*[^*]{1,60}\*\*:?|[A-Z][\w ]{2,40}:$)?\s*/;

/** What is said before the matter, at the start of what an assistant thinks or says; one may follow another. */
const OPENINGS = [
  /^(?:okay|ok|sure|perfect|great|good|now|so|yes)[,.!:]\s+/i,
  /^(?:the user|they) (?:said|says|confirmed|approved|agreed|answered|chose)\b[^.\n]*[.\n]\s*/i,
  /^this is a continued session\b[^.\n]*[.\n]\s*/i,
  /^the summary (?:mentioned|mentions|says) (?:work on )?/i,
  /^(?:the user|they) (?:wants|asked|asks|is asking|would like|is requesting)(?: me)?(?: to| for)?\s+/i,
  /^(?:let me |i(?:'ll| will| need to| should)? )?(?:please )?continu(?:e|ing)\b(?: the conversation)?(?: from)? where (?:we|i) (?:left|had left) off\b[^.,\n]*[.,\n]?\s*/i,
  /^(?:based on|according to|looking at|from) the (?:\w+ )?(?:summary|context|conversation)[^,:\n]{0,60}[,:]\s*/i,
  /^(?:the |my )?(?:last|current|next|most recent) (?:task|request|thing|step)\b[^.:\n]{0,40}? (?:was|is) (?:to )?/i,
  /^(?:let me|i(?:'ll| will| need to| should| was|'m| am))\s+(?:now\s+|going to\s+)?/i,
];

/**
 * Returns what a turn was about, on one line: the words of its prompt. A short prompt is followed by the matter, which
 * is what the assistant said then, or the next prompt; a turn without a prompt has that alone. A summary of what came
 * before has the title of its session, the session's first prompt, or its own first sentence. The text may be only the
 * first `HEAD_CHARS` of the turn's text.
 */
export function turnTitle(
  turn: TurnText,
  sessionTitle: string | null,
  firstPrompt: string | null = null,
): string {
  return truncateGraphemes(untruncated(turn, sessionTitle, firstPrompt), DESCRIPTION_GRAPHEMES);
}

/**
 * Returns what a session without a title and a prompt of a person is about: the task that an agent was given, or its
 * first turn.
 */
export function openingTitle(turns: readonly TurnText[]): string | null {
  const assigned = turns.find(({ text, parts: [first] }) => isAgentMessage(text.slice(first?.start ?? 0)));
  const turn = assigned ?? turns[0];
  return turn === undefined ? null : turnTitle(turn, null) || null;
}

function untruncated(turn: TurnText, sessionTitle: string | null, firstPrompt: string | null): string {
  const [first] = turn.parts;
  const opening = first === undefined ? turn.text : turn.text.slice(first.start, first.end);
  if (SUMMARY.test(opening)) return sessionTitle ?? (promptedBy(firstPrompt) || summarised(opening));
  if (first !== undefined && isSaid(first.kind))
    return matterOf(opening) ?? sessionTitle ?? headline(opening);
  if (first?.kind === "tools") return sessionTitle ?? onOneLine(opening);
  // The label stays before what no person said, such as the note of an agent.
  if (first?.kind !== "prompt") return headline(openingOf(turn));
  return prompted(opening, turn, sessionTitle);
}

/** The words of a prompt; those of a short one are followed by the matter. */
function prompted(opening: string, turn: TurnText, sessionTitle: string | null): string {
  const words = askedIn(opening);
  if (words !== "" && !isBare(words)) return words;
  const said = turn.parts.find(({ kind, start }) => isSaid(kind) && start < turn.text.length);
  const matter = said && matterOf(turn.text.slice(said.start, said.end));
  const next = turn.parts.find(({ kind }) => kind === "forward");
  const forward = next && askedIn(turn.text.slice(next.start, next.end));
  const about = matter ?? (sessionTitle === words ? null : sessionTitle) ?? (forward || null);
  if (words === "") return about ?? askedOrPasted(opening);
  return about === null ? words : `${words.replace(/(?<![.!?,;:])[.!?,;:]+$/, "")}: ${about}`;
}

/** The words of a session's first prompt; empty where that is a summary, too. */
function promptedBy(firstPrompt: string | null): string {
  return firstPrompt === null || SUMMARY.test(firstPrompt) ? "" : askedOrPasted(firstPrompt);
}

function isBare(words: string): boolean {
  return words.split(" ").length <= BARE_WORDS && !/[\\/`]|[?？]$/.test(words);
}

/** What an assistant's words are about, without how they begin; null where nothing is left. */
function matterOf(said: string): string | null {
  const words = withoutOpenings(said.trim());
  const line = words === "" ? "" : headline(words);
  return /\p{L}{3}/u.test(line) ? `${line.charAt(0).toUpperCase()}${line.slice(1)}` : null;
}

function withoutOpenings(text: string): string {
  let rest = text;
  for (let before = ""; rest !== before; ) {
    before = rest;
    rest = OPENINGS.reduce((words, opening) => words.replace(opening, ""), rest);
  }
  return rest;
}

/** The first sentence of a summary that names a matter. */
function summarised(summary: string): string {
  const lines = summary.split("\n").map((line) => line.trim());
  const named = lines
    .filter((line) => !SUMMARY_FRAME.test(line))
    .map((line) => withoutOpenings(line.replace(ITEM, "")))
    .find((line) => line.split(" ").length > BARE_WORDS);
  return named === undefined ? "what came before" : onOneLine(named);
}

/** How many UTF-16 units of a text are enough to find its first words. */
export const HEAD_CHARS = 2_000;

/**
 * Returns the first words of a turn's prompt that tell it from others, on one line, pasted or not: what was forgotten is
 * recognised by them. The text may be only the first `HEAD_CHARS` of the turn's text.
 */
export function firstWords(turn: TurnText): string {
  return truncateGraphemes(headline(promptOf(turn) ?? openingOf(turn)), DESCRIPTION_GRAPHEMES);
}

/** Like `firstWords`, for a reader: what a person asked in their own words; what was only pasted is said to be so. */
export function shownWords(turn: TurnText): string {
  const prompt = promptOf(turn);
  return prompt === null ? firstWords(turn) : truncateGraphemes(askedOrPasted(prompt), DESCRIPTION_GRAPHEMES);
}

function promptOf(turn: TurnText): string | null {
  const [first] = sectionsOf(turn);
  return first?.kind === "prompt" ? turn.text.slice(first.start, first.end) : null;
}

/** Shown characters of a session's id. They are unique in practice, and commands accept any unique start of an id. */
const SHORT_ID = 8;

/**
 * The start of an id that begins with a time, up to its milliseconds: a UUID of version 7, `ses_dfde8641...`,
 * `1795331273082_...`.
 */
const TIME = /^(?:[\da-f]{8}-[\da-f]{4}(?=-7)|[a-z]+_[\da-f]{8}|\d{13}(?=_))/;

/** Returns the start of a session's id as lists show it. */
export function shortId(sessionId: string): string {
  return TIME.exec(sessionId)?.[0] ?? sessionId.slice(0, SHORT_ID);
}

/**
 * Returns a session's name: its title, else the words of its first prompt that tell it from others, else what its first
 * turns were about.
 */
export function sessionName({
  title,
  firstPrompt,
  opening,
}: {
  title: string | null;
  firstPrompt: string | null;
  opening?: string;
}): string {
  if (title !== null && namesMatter(title)) return title;
  if (firstPrompt === null) return opening ?? title ?? "(untitled)";
  return askedOrPasted(firstPrompt.replace(LATER_HEADING, ""));
}

/** The first prompt is stored on one line: what follows a second heading is no part of the name. */
const LATER_HEADING = /(?<=\S)\s#{2,6} (?=\p{Lu})[\s\S]*$/u;

/** Returns what a person asks in a prompt in their own words, on one line; empty where all of it was pasted. */
export function askedIn(prompt: string): string {
  // What agents of a team send each other is JSON by itself.
  const own = isAgentMessage(prompt) ? prompt : ownWords(prompt);
  const line = own === "" ? "" : headline(own);
  return /[\p{L}\p{N}]/u.test(line) ? line : "";
}

/** Like `askedIn`; what was only pasted is said to be so. */
export function askedOrPasted(prompt: string): string {
  const asked = askedIn(prompt);
  if (asked !== "" || prompt.trim() === "") return asked;
  return `Pasted: ${headline(prompt)}`;
}

/** Tells whether a prompt is a plan that the agent wrote and its user accepted: Claude Code starts a session with it. */
export function isAcceptedPlan(prompt: string): boolean {
  return /^Implement the following plan:\s*\n/.test(prompt);
}

/** `PullRequest("title")`, as tools are summed up. */
const CREATED = /^PullRequest\("(.*)"\)$/;

/**
 * Returns the title of a pull request that a turn opened: the one at this place, from 0 on, of as many as the turn opened.
 * Null where the calls of the turn do not say as many titles.
 */
export function pullRequestTitle(
  toolSummary: readonly string[],
  { at, of }: { at: number; of: number },
): string | null {
  const titles = toolSummary.flatMap((line) => CREATED.exec(line)?.[1] ?? []);
  // A call that failed is often made again.
  const distinct = [...new Set(titles)];
  return distinct.length === of ? (distinct[at]?.replaceAll('\\"', '"') ?? null) : null;
}
