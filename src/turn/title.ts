import { DESCRIPTION_GRAPHEMES } from "../constants.ts";
import { truncateGraphemes } from "../text/cut.ts";
import { headline, isAgentMessage } from "../text/headline.ts";
import { onOneLine } from "../text/lines.ts";
import { namesMatter } from "../text/names.ts";
import { listSections, openingText } from "./parts.ts";
import { ownWords, unsureWords } from "./pasted.ts";
import { isSaid, type TurnText } from "./text.ts";

/** Maximum words of a prompt without a subject, such as "yes" or "commit this". */
const BARE_WORDS = 3;
/** Start of the summary that an agent writes for itself when a conversation is too long. */
const SUMMARY = /^This session is being continued from a previous conversation/;
/** Lines of such a summary without a subject, and the markers before lines with one. */
const SUMMARY_FRAME =
  /^(?:.{0,80}\bchronological|This session is being continued\b|The (?:conversation|summary below)\b|<?\/?(?:analysis|summary)\b|Let me (?:chronologically )?(?:analy[sz]e|go through|review)\b)/i;
const ITEM = /^(?:[-*•]|\d+[.)])?\s*(?:\*\*[^*]{1,60}\*\*:?|[A-Z][\w ]{2,40}:$)?\s*/;

/** Opening phrases before the subject of an assistant's text. Several may follow one another. */
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
 * Returns the subject of a turn on one line: the words of its prompt. A short prompt is followed by the subject of the
 * assistant's words or the next prompt; a turn without a prompt has only that. A summary of earlier work gets its session's
 * title, the session's first prompt, or its own first sentence. The text may be only the first `HEAD_CHARS` of the turn's text.
 */
export function turnTitle(
  turn: TurnText,
  sessionTitle: string | null,
  firstPrompt: string | null = null,
): string {
  return truncateGraphemes(untruncated(turn, sessionTitle, firstPrompt), DESCRIPTION_GRAPHEMES);
}

/**
 * Returns the subject of a session without a title and a person's prompt: the task that an agent was given, or its first turn.
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
  // The label stays before text that no person wrote, such as an agent's note.
  if (first?.kind !== "prompt") return headline(openingText(turn));
  return prompted(opening, turn, sessionTitle);
}

/** Returns the words of a prompt, followed by the subject if they are few. */
function prompted(opening: string, turn: TurnText, sessionTitle: string | null): string {
  const words = ownPromptText(opening);
  if (words !== "" && !isBare(words)) return words;
  const said = turn.parts.find(({ kind, start }) => isSaid(kind) && start < turn.text.length);
  const matter = said && matterOf(turn.text.slice(said.start, said.end));
  const next = turn.parts.find(({ kind }) => kind === "forward");
  const forward = next && ownPromptText(turn.text.slice(next.start, next.end));
  const about = matter ?? (sessionTitle === words ? null : sessionTitle) ?? (forward || null);
  if (words === "") return about ?? askedOrPasted(opening);
  return about === null ? words : `${words.replace(/(?<![.!?,;:])[.!?,;:]+$/, "")}: ${about}`;
}

/** Returns the words of a session's first prompt; empty if that is a summary, too. */
function promptedBy(firstPrompt: string | null): string {
  return firstPrompt === null || SUMMARY.test(firstPrompt) ? "" : askedOrPasted(firstPrompt);
}

function isBare(words: string): boolean {
  return words.split(" ").length <= BARE_WORDS && !/[\\/`]|[?？]$/.test(words);
}

/** Returns the subject of an assistant's words without opening phrases; null if nothing is left. */
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

/** Returns the first sentence of a summary that has a subject. */
function summarised(summary: string): string {
  const lines = summary.split("\n").map((line) => line.trim());
  const named = lines
    .filter((line) => !SUMMARY_FRAME.test(line))
    .map((line) => withoutOpenings(line.replace(ITEM, "")))
    .find((line) => line.split(" ").length > BARE_WORDS);
  return named === undefined ? "what came before" : onOneLine(named);
}

/** Characters of a text that are enough to find its first words, in UTF-16 units. */
export const HEAD_CHARS = 2_000;

/**
 * Returns the first words that distinguish a turn's prompt, on one line, including pasted text, because forgotten turns are
 * recognised by them. The text may be only the first `HEAD_CHARS` of the turn's text.
 */
export function firstWords(turn: TurnText): string {
  return truncateGraphemes(headline(promptOf(turn) ?? openingText(turn)), DESCRIPTION_GRAPHEMES);
}

/** Returns the first words of a turn's prompt for a reader: the person's own words, or a note that the prompt was only pasted, or may be. */
export function shownWords(turn: TurnText): string {
  const prompt = promptOf(turn);
  return prompt === null ? firstWords(turn) : truncateGraphemes(askedOrPasted(prompt), DESCRIPTION_GRAPHEMES);
}

function promptOf(turn: TurnText): string | null {
  const [first] = listSections(turn);
  return first?.kind === "prompt" ? turn.text.slice(first.start, first.end) : null;
}

/** Length of a shown session id. It is unique in practice, and commands accept any unique start of an id. */
const SHORT_ID = 8;

/** Start of an id with a time, up to the milliseconds: a UUID of version 7, `ses_dfde8641...`, `1795331273082_...`. */
const TIME = /^(?:[\da-f]{8}-[\da-f]{4}(?=-7)|[a-z]+_[\da-f]{8}|\d{13}(?=_))/;

/** Returns the start of a session's id as lists show it. */
export function shortId(sessionId: string): string {
  return TIME.exec(sessionId)?.[0] ?? sessionId.slice(0, SHORT_ID);
}

/**
 * Returns a session's name: its title, else the distinguishing words of its first prompt, else the subjects of its first turns.
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

/** A second heading in a first prompt, which is stored on one line. The name ends before it. */
const LATER_HEADING = /(?<=\S)\s#{2,6} (?=\p{Lu})[\s\S]*$/u;

/** Returns a person's own words in a prompt, on one line; empty if all of it was pasted. */
export function ownPromptText(prompt: string): string {
  // Messages between agents of a team are JSON throughout.
  const own = isAgentMessage(prompt) ? prompt : ownWords(prompt);
  const line = own === "" ? "" : headline(own);
  return /[\p{L}\p{N}]/u.test(line) ? line : "";
}

/** Returns a person's own words like `ownPromptText`, or a note that the prompt was only pasted, or may be. */
export function askedOrPasted(prompt: string): string {
  const asked = ownPromptText(prompt);
  if (asked !== "" || prompt.trim() === "") return asked;
  const unsure = unsureWords(prompt);
  return unsure === "" ? `Pasted: ${headline(prompt)}` : `Typed or pasted: ${headline(unsure)}`;
}

/** The summary of a call that creates a pull request, `PullRequest("title")`. */
const CREATED = /^PullRequest\("(.*)"\)$/;

/**
 * Returns the title of a pull request that a turn opened: the one with this zero-based position, of all that the turn opened.
 * Null when the turn's calls have a different number of titles.
 */
export function pullRequestTitle(
  toolSummary: readonly string[],
  { at, of }: { at: number; of: number },
): string | null {
  const titles = toolSummary.flatMap((line) => CREATED.exec(line)?.[1] ?? []);
  // A failed call is often repeated.
  const distinct = [...new Set(titles)];
  return distinct.length === of ? (distinct[at]?.replaceAll('\\"', '"') ?? null) : null;
}
