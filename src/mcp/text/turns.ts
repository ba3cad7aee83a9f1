import {
  type AgentData,
  type AgentText,
  joinText,
  named,
  tell,
  withFacts,
} from "../../recall/telling/agent-text.ts";
import type { SessionSummary } from "../../store/browse.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { plural } from "../../text/numbers.ts";
import {
  type Answer,
  estimateTokens,
  fittingLength,
  framed,
  type ListFacts,
  NOTICE,
  overhead,
  quotable,
  quotedTokens,
} from "./answer.ts";
import { sessionItem, sourceOf } from "./items.ts";
import {
  type AskedBy,
  cursorOf,
  cutSections,
  largest,
  quotedOf,
  type Section,
  sectionsOf,
  wholeText,
} from "./sections.ts";

/** Several turns, those from `offset` on with what came of them. */
export interface TurnsPage {
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
  by: AskedBy;
}

/** With fewer characters for each, fewer turns are shown. */
const MIN_TURN_CHARS = 260;

/** Renders turns in order, each with what was asked and how it ended, as many as fit; what is left out is named. */
export function renderTurnsAnswer(page: TurnsPage): Answer {
  const { turns, total, offset, maxTokens, by } = page;
  return largest(maxTokens, (room) => {
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
            tell`${named(plural(total - cursor, "later turn"))} left out: the same call with ${cursorOf(cursor, by)}.`,
          ]),
    ];
    const facts: ListFacts = { total, ...(page.session && { session: sessionItem(page.session).data }) };
    return {
      text: framed(
        joinText([page.heading, ...notes], "\n"),
        joinText(
          rows.map((row) => row.text),
          "\n\n",
        ),
      ),
      structured: {
        notice: NOTICE,
        ...facts,
        results: rows.map((row) => row.data),
        ...(cursor !== null && { next_cursor: `${cursor}` }),
      },
    };
  });
}

/** Of several turns what was asked, how each ended, and what the user said next where no turn below says it. */
const OF_SEVERAL: ReadonlySet<string> = new Set(["the answer", "what was said while working", "the note"]);

function shownOf(turn: StoredTurn, next: readonly StoredTurn[] | null): Section[] {
  const all = sectionsOf({ turn, next: next ?? [], thinking: false });
  const one = (name: string) => all.filter((section) => section.name === name).slice(0, 1);
  const [said] = all.filter(({ name }) => OF_SEVERAL.has(name));
  return [
    ...one("the prompt"),
    ...(said === undefined ? one("the tool calls") : [said]),
    ...(next === null ? [] : one("what the user said next")),
  ];
}

/** Shares room out: each gets as much as it is long where that is less than its share, and the others share the rest. */
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
  const source = sourceOf(turn);
  // Steps and errors are no part of what the heading announces.
  const isCut = shown.some((section, at) => section.text !== cut[at]?.text);
  return {
    text: tell`${source.text}\n${quotedOf(turn, text)}`,
    data: withFacts(source.data, { text }),
    isCut,
  };
}

/** Renders as many turns as fit, with their whole text. The last may be truncated. */
export function renderTurns(heading: AgentText, turns: readonly StoredTurn[], maxTokens: number): AgentText {
  let left = maxTokens - overhead(heading);
  const shown: AgentText[] = [];
  for (const turn of turns) {
    const source = sourceOf(turn).text;
    left -= estimateTokens(source) + 4;
    if (left < 40) break;
    const text = quotable(turn.text);
    const page = text.slice(0, fittingLength(text, left));
    left -= quotedTokens(page);
    const rest = page.length < text.length ? tell`\n(cut; the rest: show turn ${turn.turnId})` : tell``;
    shown.push(tell`${source}\n${quotedOf(turn, page)}${rest}`);
  }
  const missing = turns.length - shown.length;
  const more =
    missing > 0 ? [tell`${named(plural(missing, "more turn"))}: use the tool show to list all turns.`] : [];
  return framed(heading, joinText([...shown, ...more], "\n\n"));
}
