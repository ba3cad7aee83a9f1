import { MCP_TOKENS } from "../constants.ts";
import { MementorError } from "../errors.ts";
import { type Filter, filterEntries, filtersBut } from "../filter/filter.ts";
import { tell } from "../render/agent-text.ts";
import { type Answer, renderListAnswer } from "../render/mcp/answer.ts";
import { sessionItem, turnItem } from "../render/mcp/items.ts";
import { renderTurnAnswer } from "../render/mcp/turn.ts";
import { requireSession } from "../search/require-session.ts";
import type { ReadStore } from "../store/contract/store.ts";
import type { TurnSummary } from "../store/contract/types/browse.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { optionalCount, optionalId, optionalText, paging } from "./arguments.ts";
import { defineTool } from "./tool.ts";

const MAX_NEIGHBOURS = 10;
const { cursor, max_tokens } = paging(MCP_TOKENS.show);

export const showTool = defineTool({
  name: "show",
  title: "Show a past turn or session",
  description:
    "Read a whole turn that search, recent or file_history named: the prompt, what the assistant thought and said, its tool calls and errors. Or give a session to list its turns in order. Give turn or session, not both.",
  arguments: {
    turn: optionalId("The number of a turn"),
    session: optionalText("The id of a session, or its start"),
    context: optionalCount(
      MAX_NEIGHBOURS,
      "With turn: also list this many turns before and after it (default 1)",
    ),
    ...filterEntries(filtersBut("session")),
    cursor,
    max_tokens,
  },
  async answer({ turn, session, context, cursor: offset, max_tokens: maxTokens, ...args }, memory) {
    if ((turn === null) === (session === null))
      throw new MementorError("usage", "Give either a turn or a session.", {
        hint: "Turns are the numbers in other answers; the tool sessions lists sessions.",
      });
    if (turn !== null && Object.values(args).some((value) => value !== null && value !== undefined))
      throw new MementorError("usage", "Filters narrow the turns of a session, not a single turn.", {
        hint: "Give session instead of turn, or leave the filters out.",
      });
    return memory.read(async (store) =>
      turn === null
        ? showSession(store, session ?? "", { offset, maxTokens, filter: await memory.filter(args, store) })
        : showTurn(store, turn, { offset, maxTokens, context: context ?? 1 }),
    );
  },
});

async function showTurn(
  { search, browse }: ReadStore,
  turnId: number,
  { offset, maxTokens, context }: { offset: number; maxTokens: number; context: number },
): Promise<Answer> {
  const [turn] = await search.turns([turnId]);
  if (!turn)
    throw new MementorError("not_found", `There is no turn ${turnId}.`, {
      hint: "It may have been forgotten.",
    });
  const { before, after } = await browse.neighbours(turnId, offset === 0 ? context : 0);
  const summaries = await summariesOf({ browse }, turn, [...before, ...after]);
  const isBefore = new Set(before.map((turn) => turn.turnId));
  return renderTurnAnswer({
    turn,
    offset,
    maxTokens,
    before: summaries.filter((turn) => isBefore.has(turn.turnId)),
    after: summaries.filter((turn) => !isBefore.has(turn.turnId)),
  });
}

async function summariesOf(
  { browse }: Pick<ReadStore, "browse">,
  { sessionId }: StoredTurn,
  turns: readonly StoredTurn[],
): Promise<TurnSummary[]> {
  if (turns.length === 0) return [];
  const wanted = new Set(turns.map(({ turnId }) => turnId));
  return (await browse.turnsOf(sessionId)).filter(({ turnId }) => wanted.has(turnId));
}

async function showSession(
  { browse }: ReadStore,
  wanted: string,
  { offset, maxTokens, filter }: { offset: number; maxTokens: number; filter: Filter },
): Promise<Answer> {
  const session = await requireSession(browse, wanted);
  const item = sessionItem(session);
  const turns = await browse.turnsOf(session.sessionId, filter);
  return renderListAnswer({
    offset,
    maxTokens,
    hasMore: false,
    heading: tell`${item.text}\nIts turns in order; ${turns.length} in total`,
    empty: tell`This session has no more turns.`,
    items: turns.slice(offset).map(turnItem),
    facts: { session: item.data, total: turns.length },
  });
}
