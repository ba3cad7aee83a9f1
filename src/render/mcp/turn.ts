import type { TurnSummary } from "../../store/contract/types/browse.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { markedText } from "../../turn/marked.ts";
import { type AgentText, joinText, named, tell, textOfRow, withFacts } from "../agent-text.ts";
import { quoted } from "../hooks/frame.ts";
import { plural } from "../plural.ts";
import { type Answer, framed, moreOf, NOTICE, overhead, quotable } from "./answer.ts";
import { type AnswerItem, estimateTokens, fittingLength, itemTokens, quotedTokens } from "./budget.ts";
import { sourceOf, turnItem } from "./items.ts";

/** A page of a turn's text, with the neighbouring turns. */
export interface TurnPage {
  turn: StoredTurn;
  /** UTF-16 offset into the quoted text. */
  offset: number;
  maxTokens: number;
  before: readonly TurnSummary[];
  after: readonly TurnSummary[];
}

/** Renders as much of a turn's text from an offset as fits the budget, with the neighbouring turns as rows. */
export function renderTurnAnswer(page: TurnPage): Answer {
  const { turn, offset, maxTokens } = page;
  const source = sourceOf(turn);
  const around = neighbours(page, maxTokens * NEIGHBOURS_SHARE);
  const spent = overhead(source.text, source.data) + around.tokens;
  const rest = quotable(markedText(turn)).slice(offset);
  const text = rest.slice(0, fittingLength(rest, Math.max(MIN_TEXT_TOKENS, maxTokens - spent)));
  const cursor = text.length === rest.length ? null : offset + text.length;
  const words = textOfRow(turn, ({ say, whose }) => {
    whose(); // The source names it.
    return quoted(say(text));
  });
  return {
    text: framed(tell`${source.text}${moreOf(cursor)}`, joinText([words, ...around.text], "\n")),
    structured: {
      notice: NOTICE,
      results: [withFacts(source.data, { text })],
      ...around.data,
      ...(cursor !== null && { next_cursor: `${cursor}` }),
    },
  };
}

/** Maximum share of the budget for the neighbouring turns. */
const NEIGHBOURS_SHARE = 0.4;
/** Minimum number of tokens for the turn's text. */
const MIN_TEXT_TOKENS = 60;

/** As many turns before and after as fit, the nearest first, as rows. */
function neighbours({ before, after }: TurnPage, tokens: number) {
  let left = tokens;
  const fits = (item: AnswerItem) => {
    left -= itemTokens(item) + ROW_TOKENS;
    return left >= 0;
  };
  const sides = [
    { name: "before", title: tell`Before it:`, items: nearest(before.toReversed(), fits).toReversed() },
    { name: "after", title: tell`After it:`, items: nearest(after, fits) },
  ].filter(({ items }) => items.length > 0);
  return {
    text: sides.flatMap(({ title, items }) => [title, ...items.map(({ text }) => text)]),
    data: Object.fromEntries(sides.map(({ name, items }) => [name, items.map(({ data }) => data)])),
    tokens: sides.length === 0 ? 0 : tokens - Math.max(0, left),
  };
}

/** Tokens of a row in addition to its text: separators and its share of a title. */
const ROW_TOKENS = 8;

function nearest(turns: readonly TurnSummary[], fits: (item: AnswerItem) => boolean): AnswerItem[] {
  const items = turns.map(turnItem);
  const end = items.findIndex((item) => !fits(item));
  return end < 0 ? items : items.slice(0, end);
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
    const words = textOfRow(turn, ({ say, whose }) => {
      whose(); // The source names it.
      return quoted(say(page));
    });
    shown.push(tell`${source}\n${words}${rest}`);
  }
  const missing = turns.length - shown.length;
  const more =
    missing > 0 ? [tell`${named(plural(missing, "more turn"))}: use the tool show to list all turns.`] : [];
  return framed(heading, joinText([...shown, ...more], "\n\n"));
}
