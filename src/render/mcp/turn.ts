import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { groupedDigits } from "../../text/count.ts";
import { type AgentText, joinText, named, tell, withFacts } from "../agent-text.ts";
import { type Answer, framed, NOTICE, overhead } from "./answer.ts";
import { fittingLength } from "./budget.ts";
import { sourceOf } from "./items.ts";
import {
  type AskedBy,
  allOf,
  cursorOf,
  cutSections,
  largest,
  quotedOf,
  sectionsOf,
  wholeText,
} from "./sections.ts";

export interface TurnPage {
  turn: StoredTurn;
  /** The turns after it in its conversation, in order. */
  next: readonly StoredTurn[];
  /** Whether to show what was only thought. */
  thinking: boolean;
  /** 0 for what says most of it; the place in the whole text plus one for a page of that. */
  offset: number;
  maxTokens: number;
  by: AskedBy;
}

/**
 * Renders a turn within its budget: how it ended, what the user said next, what was asked and the steps. What does not fit is
 * named, with the way to it; a page of the whole text follows.
 */
export function renderTurnAnswer(page: TurnPage): Answer {
  const { turn, thinking, maxTokens, by } = page;
  const sections = sectionsOf(page);
  const unasked = thinking ? "" : allOf(turn, "thinking");
  if (page.offset > 0) return pageOf(page, wholeText(sections));
  return largest(maxTokens, (room) => {
    const cut = cutSections(sections, room);
    const isWhole = sections.every(({ text }, at) => text === cut[at]?.text);
    const left = [
      ...sections.flatMap(({ name, text }, at) => leftOf(name, text.length - (cut[at]?.text.length ?? 0))),
      ...leftOf("the thinking", unasked.length),
    ];
    const ways = [
      ...(isWhole ? [] : [tell`the whole in pages: the same call with ${cursorOf(1, by)}`]),
      ...(unasked === ""
        ? []
        : [tell`the thinking with ${by === "command" ? tell`--thinking` : tell`"thinking": true`}`]),
    ];
    const note =
      left.length === 0
        ? tell``
        : tell`\nLeft out: ${joinText(left, ", ")}. To get it: ${joinText(ways, "; ")}.`;
    return answerOf(page, { note, text: wholeText(cut), cursor: isWhole ? null : 1 });
  });
}

/** A page of the whole text. */
function pageOf(page: TurnPage, whole: string): Answer {
  const { turn, offset, maxTokens, by } = page;
  const source = sourceOf(turn);
  const rest = whole.slice(offset - 1);
  const room = Math.max(MIN_TEXT_TOKENS, maxTokens - overhead(source.text, source.data));
  const text = rest.slice(0, fittingLength(rest, room));
  const cursor = text.length === rest.length ? null : offset + text.length;
  const note = cursor === null ? tell`` : tell`\nMore: the same call with ${cursorOf(cursor, by)}.`;
  return answerOf(page, { note, text, cursor });
}

/** Minimum number of tokens for a turn's text. */
const MIN_TEXT_TOKENS = 60;

function answerOf(
  { turn }: TurnPage,
  { note, text, cursor }: { note: AgentText; text: string; cursor: number | null },
): Answer {
  const source = sourceOf(turn);
  return {
    text: framed(tell`${source.text}${note}`, quotedOf(turn, text)),
    structured: {
      notice: NOTICE,
      results: [withFacts(source.data, { text })],
      ...(cursor !== null && { next_cursor: `${cursor}` }),
    },
  };
}

/** Says what is left out of a section. */
function leftOf(name: string, characters: number): AgentText[] {
  return characters === 0 ? [] : [tell`${named(groupedDigits(characters))} characters of ${named(name)}`];
}
