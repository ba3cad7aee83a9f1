import { cutAtWord } from "../../text/cut.ts";
import { headline, isAnnouncement } from "../../text/headline.ts";
import { onOneLine } from "../../text/lines.ts";
import { isPrompt } from "../../turn/marked.ts";
import { cleanPiece, isSaid, LABELS, OTHERS_LABELS, type PartKind, type TurnText } from "../../turn/text.ts";
import type { SearchHit } from "../hits.ts";
import type { NextWords, Quotation } from "../matter/quotation.ts";
import { attributionsIn } from "../statement/reported.ts";
import { type AgentText, harmless, named, tell } from "./agent-text.ts";
import {
  isOfSubagent,
  partLabel,
  promptLabel,
  type SpokenTurn,
  type SpokenWords,
  senderLabel,
  speakerLabel,
} from "./speaker.ts";

/** Returns the lines below a result: the statement, or the matching passage, with its speakers. */
export function saidIn({ turn, quoted }: SearchHit, title: string): string {
  const { passage, statement } = quoted();
  const stated = statement === null ? [] : worthLines(statementLines(statement), title);
  if (statement === null || isWithin(title, stated.map(({ words }) => words).join("\n")))
    return withSpeakers(worthLines(wordLines(passage, turn), title));
  const next = nextWords(statement);
  return withSpeakers(stated) + (next === null ? "" : `\n${next.speaker}: "${next.words}"`);
}

type SaidLine = Pick<SpokenLine, "speaker" | "words">;

function statementLines(statement: Quotation): SaidLine[] {
  const speaker = speakerLabel(statement);
  return cleanPiece(statement.text)
    .split("\n")
    .map((words) => ({ speaker, words }));
}

/** Returns the spoken lines of a passage; calls of tools and their errors if there is nothing else. */
function wordLines(passage: string, turn: SearchHit["turn"]): SaidLine[] {
  const lines = spokenLines(passage, turn);
  const said = lines.filter(({ kind }) => kind === null || kind === "prompt" || isSaid(kind));
  return said.some(({ words }) => words.trim() !== "") ? said : lines;
}

export const HAS_WORDS = /[\p{L}\p{N}]/u;
const FENCE = /^\s*(?:```|~~~)/;

/** Returns the lines with words, without the title that is already above them. */
function worthLines(given: readonly SaidLine[], title: string): SaidLine[] {
  const lines = given.filter(({ words }) => words.trim() !== "");
  const others = lines.filter(
    ({ words }) =>
      HAS_WORDS.test(words) && !FENCE.test(words) && !isWithin(title, words) && !isAnnouncement(words),
  );
  return others.length > 0 ? others : lines;
}

/** Joins lines, with the speaker before the first line of each. */
function withSpeakers(lines: readonly SaidLine[]): string {
  return lines
    .map(({ speaker, words }, at) =>
      speaker === null || speaker === lines[at - 1]?.speaker ? words : `${speaker}: ${words.trimStart()}`,
    )
    .join("\n");
}

/** Tells whether a title begins with a line, up to the length of titles. */
function isWithin(title: string, line: string): boolean {
  return line !== "" && title.startsWith(headline(line).slice(0, 200));
}

/** Maximum characters of the user's next words. A longer prompt reacts to the answer in its first words. */
const NEXT_CHARS = 130;

/** Returns the user's next words after an agent's words, on one line with their speaker; null when unknown. */
export function nextWords(
  { turn, next }: Quotation,
  chars: number = NEXT_CHARS,
): { speaker: string; words: string } | null {
  if (next === null) return null;
  const day = next.at?.slice(0, 10);
  const on = day === undefined || day === turn.createdAt?.slice(0, 10) ? "" : ` on ${day}`;
  const line = onOneLine(harmless(next.text));
  const words = line.length <= chars ? line : cutAtWord(line, chars);
  return words === "" ? null : { speaker: `next${on}, ${speakerLabel(saidNext(next, turn))}`, words };
}

/** Returns the user's next words as words of their own turn. */
function saidNext(next: NextWords, turn: SearchHit["turn"]): SpokenWords {
  const { text, isUnsure } = next;
  const kind = isUnsure ? "unsure" : next.turn === null ? "forward" : "prompt";
  return { kind, text, turn: next.turn ?? turn };
}

/** Returns the next words for an agent, after the quoted ones; empty when unknown. */
export function tellNext(quoted: Quotation, say: (words: string) => AgentText, chars?: number): AgentText {
  const next = nextWords(quoted, chars);
  return next === null ? tell`` : tell` — ${named(next.speaker)}: "${say(next.words)}"`;
}

/** Returns a statement for `--json`. */
export function statementJson({ text, kind, turn, next }: Quotation) {
  const said = next && { text: next.text, by: speakerLabel(saidNext(next, turn)), at: next.at };
  return {
    ...{ text, kind: kind === "unsure" ? "prompt" : kind, by: speakerLabel({ kind, text, turn }) },
    next: said && { ...said, turn_id: next?.turn?.turnId ?? null },
  };
}

/** A line of a passage with its speaker; none for tool calls and results. */
interface SpokenLine {
  kind: PartKind | null;
  speaker: string | null;
  /** Label at its start, such as `[User] `; empty without one. */
  label: string;
  words: string;
}

const LINE_LABELS = [...new Set([...Object.values(OTHERS_LABELS), ...Object.values(LABELS)])].filter(
  (label) => label !== "",
);

/** Returns the lines of a passage of a turn with their speakers. */
export function spokenLines(passage: string, turn: SpokenTurn & TurnText): SpokenLine[] {
  const lines = passage.split("\n").map(withoutLabel);
  let at = startOf(lines, turn.text);
  let kind: PartKind | null = null;
  let by: PromptVoice = "own";
  const attribute = attributionsIn(turn);
  return lines.map(({ label, words }) => {
    const found = words.trim() === "" ? -1 : turn.text.indexOf(words.trim(), at);
    if (found >= 0) {
      at = found + words.trim().length;
      kind = turn.parts.find(({ start, end }) => start < at && at <= end)?.kind ?? kind;
    }
    by = isPrompt(kind) ? byLabel(label, by) : "own";
    const speaker =
      kind === null ? null : speakerIn({ kind: by === "unsure" ? by : kind, text: words, turn }, attribute);
    return {
      kind,
      label,
      words,
      speaker: speaker !== null && by === "pasted" ? `pasted by ${speaker}` : speaker,
    };
  });
}

type PromptVoice = keyof typeof OTHERS_LABELS | "own";

/** Returns the voice of a prompt's words after a label, or without one. */
function byLabel(label: string, before: PromptVoice): PromptVoice {
  if (label === "") return before;
  if (label === OTHERS_LABELS.pasted) return "pasted";
  return label === OTHERS_LABELS.unsure ? "unsure" : "own";
}

/** Returns a piece of a turn's text in which labels name the sender of a prompt that no person typed, and a subagent. */
export function withSenders(piece: string, turn: SpokenTurn & TurnText): string {
  if (turn.role !== "turn" || senderLabel(turn) === null) return piece;
  return spokenLines(piece, turn)
    .map(({ kind, label, words }) => {
      if (kind === "prompt" && label === LABELS.prompt) return promptLabel(turn) + words;
      const isSpoken = kind !== null && isOfSubagent(turn) && label === LABELS.answer;
      return (isSpoken ? partLabel(kind, turn) : label) + words;
    })
    .join("\n");
}

function withoutLabel(line: string): Pick<SpokenLine, "label" | "words"> {
  const label = LINE_LABELS.find((known) => line.startsWith(known)) ?? "";
  return { label, words: line.slice(label.length) };
}

/** Maximum characters that tidying removes from a passage. */
const TIDIED = 40;

/** Returns the earliest possible start of a passage in a text, by its longest line, because short lines may repeat. */
function startOf(lines: readonly Pick<SpokenLine, "label" | "words">[], text: string): number {
  const sizes = lines.map(({ words }) => words.trim().length);
  const longest = sizes.indexOf(Math.max(...sizes));
  const found = text.indexOf(lines[longest]?.words.trim() ?? "");
  const before = lines
    .slice(0, longest + 1)
    .reduce((sum, { label, words }) => sum + label.length + words.length + 1, 0);
  return Math.max(0, found + (sizes[longest] ?? 0) - before - TIDIED);
}

function speakerIn(...[spoken, attribute]: Parameters<typeof speakerLabel>): string | null {
  return spoken.kind === "tools" || spoken.kind === "errors" ? null : speakerLabel(spoken, attribute);
}
