import type { SearchHit } from "../recall/hits.ts";
import type { NextWords, Quotation } from "../recall/matter/quotation.ts";
import { cutAtWord } from "../text/cut.ts";
import { headline, isAnnouncement } from "../text/headline.ts";
import { onOneLine } from "../text/one-line.ts";
import { readable } from "../turn/readable.ts";
import { isSaid } from "../turn/text.ts";
import { type AgentText, named, tell } from "./agent-text.ts";
import { harmless } from "./frame.ts";
import { type SpokenLine, spokenLines } from "./passage.ts";
import { type Spoken, speakerOf } from "./speaker.ts";

/** The lines under a result: the statement, or the passage that was found, with whose words they are. */
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
  const speaker = speakerOf(statement);
  return readable(statement.text)
    .split("\n")
    .map((words) => ({ speaker, words }));
}

/** The lines of a passage that somebody said; calls of tools and their errors where there is nothing else. */
function wordLines(passage: string, turn: SearchHit["turn"]): SaidLine[] {
  const lines = spokenLines(passage, turn);
  const said = lines.filter(({ kind }) => kind === null || kind === "prompt" || isSaid(kind));
  return said.some(({ words }) => words.trim() !== "") ? said : lines;
}

export const HAS_WORDS = /[\p{L}\p{N}]/u;
const FENCE = /^\s*(?:```|~~~)/;

/** The lines that have words, without the title that stands above them. */
function worthLines(given: readonly SaidLine[], title: string): SaidLine[] {
  const lines = given.filter(({ words }) => words.trim() !== "");
  const others = lines.filter(
    ({ words }) =>
      HAS_WORDS.test(words) && !FENCE.test(words) && !isWithin(title, words) && !isAnnouncement(words),
  );
  return others.length > 0 ? others : lines;
}

/** Joins lines, with the speaker before the first of each. */
function withSpeakers(lines: readonly SaidLine[]): string {
  return lines
    .map(({ speaker, words }, at) =>
      speaker === null || speaker === lines[at - 1]?.speaker ? words : `${speaker}: ${words.trimStart()}`,
    )
    .join("\n");
}

/** Whether a title begins with a line, as far as titles go. */
function isWithin(title: string, line: string): boolean {
  return line !== "" && title.startsWith(headline(line).slice(0, 200));
}

/** Characters of what the user said next: a longer prompt says in its first words what it makes of the answer. */
const NEXT_CHARS = 130;

/** What the user said next after an agent's words, on one line with who said it; null where nothing is known to follow. */
export function nextWords({ turn, next }: Quotation): { speaker: string; words: string } | null {
  if (next === null) return null;
  const day = next.at?.slice(0, 10);
  const on = day === undefined || day === turn.createdAt?.slice(0, 10) ? "" : ` on ${day}`;
  const line = onOneLine(harmless(next.text));
  const words = line.length <= NEXT_CHARS ? line : cutAtWord(line, NEXT_CHARS);
  return words === "" ? null : { speaker: `next${on}, ${speakerOf(saidNext(next, turn))}`, words };
}

/** What the user said next, as words of the turn that has them. */
function saidNext(next: NextWords, turn: SearchHit["turn"]): Spoken {
  return next.turn === null
    ? { kind: "forward", text: next.text, turn }
    : { kind: "prompt", text: next.text, turn: next.turn };
}

/** The same for an agent, after the words that are quoted; empty where nothing is known to follow. */
export function tellNext(quoted: Quotation, say: (words: string) => AgentText): AgentText {
  const next = nextWords(quoted);
  return next === null ? tell`` : tell` — ${named(next.speaker)}: "${say(next.words)}"`;
}

/** A statement as `--json` gives it. */
export function statementJson({ text, kind, turn, next }: Quotation) {
  const said = next && { text: next.text, by: speakerOf(saidNext(next, turn)), at: next.at };
  return {
    ...{ text, kind, by: speakerOf({ kind, text, turn }) },
    next: said && { ...said, turn_id: next?.turn?.turnId ?? null },
  };
}
