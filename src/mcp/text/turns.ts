import { decidingPart } from "../../recall/matter/ranked.ts";
import {
  type AgentData,
  type AgentText,
  joinText,
  named,
  quoteLines,
  tell,
  textOfRow,
  withFacts,
} from "../../recall/telling/agent-text.ts";
import { partLabel } from "../../recall/telling/speaker.ts";
import type { SessionSummary } from "../../store/browse.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { cutAtWord } from "../../text/cut.ts";
import { plural } from "../../text/numbers.ts";
import { markedPrompt, nextLabel } from "../../turn/marked.ts";
import { partText } from "../../turn/parts.ts";
import type { PartKind, TurnText } from "../../turn/text.ts";
import { type Answer, framedAnswer, type ListFacts, largestAnswer, quotable } from "./answer.ts";
import { describeSource, sessionItem } from "./items.ts";

/** Several turns, those from `offset` on with what came of them. */
interface TurnsPage {
  /** Says which turns they are; the session, where they are all of one. */
  heading: AgentText;
  session?: SessionSummary;
  turns: readonly StoredTurn[];
  /** How many there are in all, those before `offset` included. */
  total: number;
  /** The turns after the last of them in its conversation. */
  after: readonly StoredTurn[];
  offset: number;
  maxTokens: number;
  by: AskerKind;
}

/** With fewer characters for each, fewer turns are shown. */
const MIN_TURN_CHARS = 260;

/** Renders turns in order, each with what was asked and how it ended, as many as fit; what is left out is named. */
export function renderTurnsAnswer(page: TurnsPage): Answer {
  const { turns, total, offset, maxTokens, by } = page;
  return largestAnswer(maxTokens, (room) => {
    const count = Math.min(turns.length, Math.max(1, Math.floor(room / MIN_TURN_CHARS)));
    // The prompt of the turn below says what the user said next.
    const shown = turns.slice(0, count).map((turn, at) => ({
      turn,
      sections: shownOf(turn, at + 1 < count ? null : [...turns.slice(count), ...page.after]),
    }));
    const lengths = shown.map(({ sections }) => sections.reduce((sum, { text }) => sum + text.length, 0));
    const rooms = sharedOut(lengths, room);
    const rows = shown.map(({ turn, sections }, at) => rowOf(turn, sections, rooms[at] ?? 0));
    const cursor = offset + count < total ? offset + count : null;
    const isCut = rows.some((row) => row.isCut);
    const notes = [
      ...(isCut
        ? [
            tell`Shortened; a whole turn: ${by === "command" ? tell`--show with its number` : tell`its number as "turn"`}.`,
          ]
        : []),
      ...(cursor === null
        ? []
        : [
            tell`${named(plural(total - cursor, "later turn"))} left out: the same call with ${cursorText(cursor, by)}.`,
          ]),
    ];
    const facts: ListFacts = { total, ...(page.session && { session: sessionItem(page.session).data }) };
    return framedAnswer(joinText([page.heading, ...notes], "\n"), rows, { facts, cursor });
  });
}

/** Sections for one of several turns: prompt, answer, and the user's next words unless the following turn shows them. */
const OF_SEVERAL: ReadonlyMap<string, PartKind> = new Map([
  ["the answer", "answer"],
  ["what was said while working", "narration"],
  ["the note", "note"],
]);
/** Part of the room for what was asked of one of several turns: often it rules on what was said before. */
const ASKED_SHARE = 0.35;

function shownOf(turn: StoredTurn, next: readonly StoredTurn[] | null): Section[] {
  const all = turnSections({ turn, next: next ?? [], thinking: false });
  const one = (name: string) => all.filter((section) => section.name === name).slice(0, 1);
  const said = all.find(({ name }) => OF_SEVERAL.has(name));
  const deciding = decidingPart(turn, OF_SEVERAL.get(said?.name ?? "") ?? "answer");
  const shorten = (room: number) => quotable(deciding(room) ?? "");
  return [
    ...one("the prompt").map((prompt) => ({ ...prompt, share: ASKED_SHARE })),
    ...(said === undefined ? one("the tool calls") : [{ ...said, shorten }]),
    ...(next === null ? [] : one("what the user said next")),
  ];
}

/** Distributes room: a short section gets its length, and the others share the rest. */
function sharedOut(lengths: readonly number[], room: number): number[] {
  const rooms = lengths.map(() => 0);
  let left = room;
  for (const [done, at] of [...lengths.keys()]
    .toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0))
    .entries()) {
    const share = Math.floor(left / (lengths.length - done));
    rooms[at] = Math.min(lengths[at] ?? 0, share);
    left -= rooms[at] ?? 0;
  }
  return rooms;
}

function rowOf(
  turn: StoredTurn,
  shown: readonly Section[],
  room: number,
): { text: AgentText; data: AgentData; isCut: boolean } {
  const cut = cutSections(shown, room);
  const text = wholeText(cut);
  const source = describeSource(turn);
  // Steps and errors are no part of what the heading announces.
  const isCut = shown.some((section, at) => section.text !== cut[at]?.text);
  return {
    text: tell`${source.text}\n${quoteTurn(turn, text)}`,
    data: withFacts(source.data, { text }),
    isCut,
  };
}

/** Syntax of follow-up hints: options of `recall`, or arguments of a tool. */
export type AskerKind = "command" | "server";

/** Names the cursor of what follows. */
export function cursorText(cursor: number, by: AskerKind): AgentText {
  return by === "command" ? tell`--cursor ${cursor}` : tell`cursor "${cursor}"`;
}

/** A part of what is shown of a turn, with its label. */
interface Section {
  /** What it is called where some of it is left out. */
  name: string;
  label: string;
  text: string;
  /** Its part of the room where not all fit; what others leave goes to the first ones first. */
  share: number;
  /** Returns what says most within so many characters; without it, or where it returns nothing, the start is kept. */
  shorten?: (room: number) => string;
}

/** How many of the user's next prompts are shown: what was proposed is often overruled only in the second. */
export const NEXT_PROMPTS = 3;

/** Returns the sections of a turn in the order of their worth: how it ended, what the user said next, what was asked, the steps. */
export function turnSections({
  turn,
  next,
  thinking,
}: {
  turn: StoredTurn;
  /** The turns after it in its conversation, in order. */
  next: readonly StoredTurn[];
  /** True to show what was only thought. */
  thinking: boolean;
}): Section[] {
  const part = (kind: PartKind) => partsText(turn, kind);
  const said = (kind: PartKind, name: string, share: number) => ({
    ...{ name, label: partLabel(kind, turn), share },
    text: quotable(part(kind)),
  });
  const isAnswered = part("answer") !== "";
  const narration = said("narration", "what was said while working", 0.2);
  const note = said("note", "the note", 0.4);
  const asked = said("prompt", "the prompt", 0.15);
  const prompt = { ...asked, text: quotable(markedPrompt(part("prompt"), asked.label)) };
  return [
    // Where the last call has no answer, what was said last is nearest to one.
    ...(isAnswered ? [said("answer", "the answer", 0.35)] : [narration]),
    ...nextPrompts(turn, next).map(({ label, text }, at) => ({
      name: "what the user said next",
      label,
      text: quotable(markedPrompt(text, label)),
      share: at === 0 ? 0.15 : 0.06,
    })),
    ...[note, prompt],
    ...(isAnswered ? [narration] : []),
    ...[said("tools", "the tool calls", 0.12), said("errors", "the errors", 0.08)],
    ...(thinking ? [said("thinking", "the thinking", 0.25)] : []),
  ].filter(({ text }) => text !== "");
}

/** Returns all that a turn has of a kind: it may think and speak by turns. */
export function partsText({ text, parts }: TurnText, kind: PartKind): string {
  return parts
    .filter((part) => part.kind === kind)
    .map(({ start, end }) => text.slice(start, end))
    .join("\n\n");
}

/** What the user said next: of the turns that the memory holds, else as the turn itself has it. */
function nextPrompts(turn: StoredTurn, next: readonly StoredTurn[]): { label: string; text: string }[] {
  const prompts = next
    .filter(({ foreign, author, origin, role }) => {
      const isSpoken = role === "turn" && origin === "human";
      return isSpoken && foreign === turn.foreign && author === turn.author;
    })
    .flatMap((one) => {
      const text = partText(one, "prompt");
      return text === null ? [] : [{ label: nextLabel(one.turnId), text }];
    });
  const forward = partText(turn, "forward");
  return prompts.length > 0 || forward === null
    ? prompts.slice(0, NEXT_PROMPTS)
    : [{ label: nextLabel(null), text: forward }];
}

/** Joins sections, each with its label. */
export function wholeText(sections: readonly Section[]): string {
  return sections
    .filter(({ text }) => text !== "")
    .map(({ label, text }) => `${label}${text}`)
    .join("\n\n");
}

/** Divides the room: each section gets its share, and what it does not need goes to those that come first. */
function allotted(sections: readonly Section[], room: number): number[] {
  const all = sections.reduce((sum, { share }) => sum + share, 0);
  const rooms = sections.map(({ text, share }) => Math.min(text.length, Math.floor((room * share) / all)));
  let left = room - rooms.reduce((sum, each) => sum + each, 0);
  return rooms.map((each, at) => {
    const more = Math.min(left, (sections[at]?.text.length ?? 0) - each);
    left -= more;
    return each + more;
  });
}

/** Returns the sections cut so that they take so many characters together. */
export function cutSections(sections: readonly Section[], room: number): Section[] {
  const rooms = allotted(sections, room);
  return sections.map((section, at) => ({ ...section, text: cutTo(section, rooms[at] ?? 0) }));
}

/** Fewer characters say nothing. */
const MIN_CUT = 24;

function cutTo({ text, shorten }: Section, room: number): string {
  if (text.length <= room) return text;
  if (room < MIN_CUT) return "";
  const said = shorten?.(room) || text;
  return said.length <= room ? said : cutAtWord(said, room);
}

/** Quotes words of a turn whose source is named above them. */
export function quoteTurn(turn: StoredTurn, text: string): AgentText {
  return textOfRow(turn, ({ say, whose }) => {
    whose(); // The source names it.
    return quoteLines(say(text));
  });
}
