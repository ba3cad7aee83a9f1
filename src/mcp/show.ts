import * as v from "valibot";
import { MCP_LIMITS, MCP_TOKENS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { type AgentText, joinText, named, tell, withFacts } from "../recall/telling/agent-text.ts";
import { requireSession } from "../recall/unknown.ts";
import { type Filter, filterEntries, filtersBut } from "../store/filter.ts";
import type { ReadStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { groupedDigits } from "../text/numbers.ts";
import type { Memory } from "./memory.ts";
import { type Answer, fittingLength, framedAnswer, largestAnswer, listOverhead } from "./text/answer.ts";
import { describeSource, sessionItem } from "./text/items.ts";
import {
  type AskerKind,
  cursorText,
  cutSections,
  NEXT_PROMPTS,
  partsText,
  quoteTurn,
  renderTurnsAnswer,
  turnSections,
  wholeText,
} from "./text/turns.ts";
import { defineTool, optionalId, optionalInput, optionalText, pagingInputs } from "./tool.ts";

export interface TurnPage {
  turn: StoredTurn;
  /** The turns after it in its conversation, in order. */
  next: readonly StoredTurn[];
  /** True to show what was only thought. */
  thinking: boolean;
  /** 0 for the summary; otherwise the offset in the whole text plus one. */
  offset: number;
  maxTokens: number;
  by: AskerKind;
}

/**
 * Renders a turn within its budget: how it ended, what the user said next, what was asked and the steps. Names what does not fit
 * and how to get it; the whole text follows page by page.
 */
export function renderTurnAnswer(page: TurnPage): Answer {
  const { turn, thinking, maxTokens, by } = page;
  const sections = turnSections(page);
  const unasked = thinking ? "" : partsText(turn, "thinking");
  if (page.offset > 0) return pageOf(page, wholeText(sections));
  return largestAnswer(maxTokens, (room) => {
    const cut = cutSections(sections, room);
    const isWhole = sections.every(({ text }, at) => text === cut[at]?.text);
    const left = [
      ...sections.flatMap(({ name, text }, at) =>
        describeOmitted(name, text.length - (cut[at]?.text.length ?? 0)),
      ),
      ...describeOmitted("the thinking", unasked.length),
    ];
    const ways = [
      ...(isWhole ? [] : [tell`the whole in pages: the same call with ${cursorText(1, by)}`]),
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
  const source = describeSource(turn);
  const rest = whole.slice(offset - 1);
  const room = Math.max(MIN_TEXT_TOKENS, maxTokens - listOverhead(source.text, source.data));
  const text = rest.slice(0, fittingLength(rest, room));
  const cursor = text.length === rest.length ? null : offset + text.length;
  const note = cursor === null ? tell`` : tell`\nMore: the same call with ${cursorText(cursor, by)}.`;
  return answerOf(page, { note, text, cursor });
}

/** Minimum number of tokens for a turn's text. */
const MIN_TEXT_TOKENS = 60;

function answerOf(
  { turn }: TurnPage,
  { note, text, cursor }: { note: AgentText; text: string; cursor: number | null },
): Answer {
  const source = describeSource(turn);
  const item = { text: quoteTurn(turn, text), data: withFacts(source.data, { text }) };
  return framedAnswer(tell`${source.text}${note}`, [item], { cursor });
}

/** Describes the omitted rest of a section. */
function describeOmitted(name: string, characters: number): AgentText[] {
  return characters === 0 ? [] : [tell`${named(groupedDigits(characters))} characters of ${named(name)}`];
}

const { cursor, max_tokens } = pagingInputs(MCP_TOKENS.show);

export const showTool = defineTool({
  name: "show",
  title: "Show past turns or a session",
  description:
    "Read a turn that another answer named: how it ended, what the user said next, prompt, steps, errors. Or several in order, or a session: what was asked and how each turn ended. Give turn or session, not both.",
  arguments: {
    turn: optionalId("The number of a turn"),
    to_turn: optionalId("With turn: the number of the last of several"),
    session: optionalText("The id of a session, or its start"),
    thinking: optionalInput(v.boolean("must be true or false"), "With turn: include thinking"),
    // The other filters hold for all turns of a session or for none.
    ...filterEntries(filtersBut("session", "from", "pr", "author", "human", "automated")),
    cursor,
    max_tokens,
  },
  async answer(
    { turn, to_turn: last, session, thinking, cursor: offset, max_tokens: maxTokens, ...args },
    memory,
  ) {
    if ((turn === null) === (session === null))
      throw new MementorError("usage", "Give either a turn or a session.", {
        hint: "Turn numbers are in other answers; the tool sessions lists sessions.",
      });
    if (turn !== null && Object.values(args).some((value) => value !== null && value !== undefined))
      throw new MementorError("usage", "Filters narrow the turns of a session, not a single turn.", {
        hint: "Give session instead of turn, or leave the filters out.",
      });
    const page = { offset, maxTokens, by: memory.by };
    return memory.read(async (store) => {
      if (turn === null) return showSession(store, session ?? "", page, await memory.filter(args, store));
      if (last !== null) return showTurns(store, [turn, last], page);
      return showTurn(store, turn, { ...page, thinking: thinking ?? false });
    });
  },
});

interface Page {
  offset: number;
  maxTokens: number;
  by: Memory["by"];
}

/** Shows one turn. Rejects with `not_found` if there is no turn with this number. */
export async function showTurn(
  { search, browse }: ReadStore,
  turnId: number,
  page: Page & { thinking: boolean },
): Promise<Answer> {
  const [turn] = await search.turns([turnId]);
  if (!turn)
    throw new MementorError("not_found", `There is no turn ${turnId}.`, {
      hint: "It may have been forgotten.",
    });
  const { after } = await browse.neighbours(turnId, NEXT_PROMPTS);
  return renderTurnAnswer({ turn, next: after, ...page });
}

async function showTurns(store: ReadStore, [from, to]: [number, number], page: Page): Promise<Answer> {
  if (to < from || to - from >= MCP_LIMITS.shownTurns)
    throw new MementorError("usage", `Turns ${from} to ${to} cannot be shown at once.`, {
      hint: `Give the lower number first, and at most ${MCP_LIMITS.shownTurns} turns.`,
    });
  const ids = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const turns = (await store.search.turns(ids)).toSorted((a, b) => a.turnId - b.turnId);
  if (turns.length === 0)
    throw new MementorError("not_found", `There are no turns ${from} to ${to}.`, {
      hint: "They may have been forgotten.",
    });
  const heading = tell`Turns ${from} to ${to}, what was asked and how each ended; ${turns.length} in total`;
  return severalTurns(
    store,
    turns.map(({ turnId }) => turnId),
    { ...page, heading },
  );
}

async function showSession(store: ReadStore, wanted: string, page: Page, filter: Filter): Promise<Answer> {
  const session = await requireSession(store.browse, wanted);
  const ids = (await store.browse.turnsOf(session.sessionId, filter)).map(({ turnId }) => turnId);
  const heading = tell`${sessionItem(session).text}\nIts turns in order, what was asked and how each ended; ${ids.length} in total`;
  return severalTurns(store, ids, { ...page, heading, session });
}

/** Shows a page of turns; only as many are read as may fit. */
export async function severalTurns(
  { search, browse }: ReadStore,
  turnIds: readonly number[],
  page: Page & Pick<Parameters<typeof renderTurnsAnswer>[0], "heading" | "session">,
): Promise<Answer> {
  const wanted = turnIds.slice(page.offset, page.offset + MCP_LIMITS.shownTurns);
  const read = new Map((await search.turns(wanted)).map((turn) => [turn.turnId, turn]));
  const turns = wanted.flatMap((turnId) => read.get(turnId) ?? []);
  const last = turns.at(-1);
  const { after } = last === undefined ? { after: [] } : await browse.neighbours(last.turnId, 1);
  return renderTurnsAnswer({ ...page, turns, after, total: turnIds.length });
}
