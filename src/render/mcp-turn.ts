import type { TurnSummary } from "../store/browse.ts";
import type { StoredTurn } from "../store/store.ts";
import { type Answer, framed, NOTICE, overhead, quotable, quoted } from "./mcp.ts";
import { estimateTokens, fittingLength, quotedTokens } from "./mcp-budget.ts";
import { sourceOf, turnItem } from "./mcp-items.ts";

/** A turn with where to read on, and what stands around it. */
export interface TurnPage {
  turn: StoredTurn;
  /** UTF-16 offset into the turn's text as it is quoted. */
  offset: number;
  maxTokens: number;
  before: readonly TurnSummary[];
  after: readonly TurnSummary[];
}

/** Renders a turn's text from an offset on, as far as the budget goes, with the turns around it as rows. */
export function renderTurnAnswer({ turn, offset, maxTokens, before, after }: TurnPage): Answer {
  const source = sourceOf(turn);
  const neighbours = { before: before.map(turnItem), after: after.map(turnItem) };
  const around = [...neighbours.before, ...neighbours.after].map(({ text }) => text).join("\n");
  const rest = quotable(turn.fullText).slice(offset);
  const spent =
    overhead(source.text) + estimateTokens(JSON.stringify(source.data)) + 2 * estimateTokens(around);
  const length = fittingLength(rest, Math.max(60, maxTokens - spent));
  const page = rest.slice(0, length);
  const isWhole = length === rest.length;
  const cursor = isWhole ? null : `${offset + length}`;
  const heading =
    cursor === null ? source.text : `${source.text}\nMore: the same call with cursor "${cursor}".`;
  const rows = (title: string, items: readonly { text: string }[]) =>
    items.length === 0 ? [] : [`${title}:`, ...items.map(({ text }) => text)];
  return {
    text: framed(
      heading,
      [quoted(page), ...rows("Before it", neighbours.before), ...rows("After it", neighbours.after)].join(
        "\n",
      ),
    ),
    structured: {
      notice: NOTICE,
      results: [{ ...source.data, text: page }],
      ...(before.length > 0 && { before: neighbours.before.map(({ data }) => data) }),
      ...(after.length > 0 && { after: neighbours.after.map(({ data }) => data) }),
      ...(cursor !== null && { next_cursor: cursor }),
    },
  };
}

/** Renders turns with their whole text one after the other, as many as fit; the last may be cut. */
export function renderTurns(heading: string, turns: readonly StoredTurn[], maxTokens: number): string {
  let left = maxTokens - overhead(heading);
  const shown: string[] = [];
  for (const turn of turns) {
    const source = sourceOf(turn).text;
    left -= estimateTokens(source) + 4;
    if (left < 40) break;
    const text = quotable(turn.fullText);
    const page = text.slice(0, fittingLength(text, left));
    left -= quotedTokens(page);
    shown.push(
      `${source}\n${quoted(page)}${page.length < text.length ? `\n(cut; the rest: show turn ${turn.turnId})` : ""}`,
    );
  }
  const missing = turns.length - shown.length;
  const more = missing > 0 ? [`${missing} more turns: the tool show lists them all.`] : [];
  return framed(heading, [...shown, ...more].join("\n\n"));
}
