import { MCP_TOKENS } from "../constants.ts";
import { type AgentText, tell } from "../recall/telling/agent-text.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../store/filter.ts";
import { paging } from "./arguments.ts";
import type { Page } from "./found.ts";
import type { Memory } from "./memory.ts";
import { type Answer, renderListAnswer } from "./text/answer.ts";
import { turnItem } from "./text/items.ts";
import { defineTool } from "./tool.ts";

export const recentTool = defineTool({
  name: "recent",
  title: "Latest turns",
  description:
    "List the latest turns of this project, newest first, with how each began and the files it touched: where the work stood last time.",
  arguments: { ...filterEntries(filtersBut()), ...paging(MCP_TOKENS.list) },
  async answer({ limit, cursor: offset, max_tokens: maxTokens, ...args }, memory) {
    return recentAnswer(args, { limit, offset, maxTokens }, memory);
  },
});

/** Lists the latest turns; `when` says of which time, where a question named one. */
export async function recentAnswer(
  args: TypedFilter,
  { limit, offset, maxTokens }: Page,
  memory: Memory,
  when: AgentText = tell``,
): Promise<Answer> {
  const { turns, total } = await recentOf(offset + limit, args, memory);
  return renderListAnswer({
    offset,
    maxTokens,
    heading: tell`The latest turns${when}, newest first; ${total} in total`,
    empty: tell`No turns match${when}.`,
    items: turns.slice(offset),
    hasMore: turns.length < total && turns.length > offset,
    facts: { total },
  });
}

function recentOf(limit: number, args: TypedFilter, memory: Memory) {
  return memory.read(async (store) => {
    const filter = await memory.unseen(args, store);
    const turns = await store.browse.recent(limit, filter);
    return { turns: turns.map(turnItem), total: await store.browse.count("turns", { filter }) };
  });
}
