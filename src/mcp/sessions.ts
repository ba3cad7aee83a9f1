import { MCP_TOKENS } from "../constants.ts";
import { tell } from "../recall/telling/agent-text.ts";
import type { Page } from "../store/browse.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../store/filter.ts";
import { paging } from "./arguments.ts";
import type { Memory } from "./memory.ts";
import { renderListAnswer } from "./text/answer.ts";
import { sessionItem } from "./text/items.ts";
import { defineTool } from "./tool.ts";

export const sessionsTool = defineTool({
  name: "sessions",
  title: "List past sessions",
  description:
    "List earlier sessions of this project, the latest first, with title, branch, time, turns and files: what was worked on last week, which session made a pull request or touched a file.",
  arguments: { ...filterEntries(filtersBut()), ...paging(MCP_TOKENS.list) },
  async answer({ limit, cursor: offset, max_tokens: maxTokens, ...args }, memory) {
    const { items, total } = await sessionsOf({ limit, offset }, args, memory);
    return renderListAnswer({
      offset,
      maxTokens,
      items,
      heading: tell`Earlier sessions, the latest first; ${total} in total`,
      empty: tell`No sessions match.`,
      hasMore: offset + items.length < total,
      facts: { total },
    });
  },
});

function sessionsOf(page: Page, args: TypedFilter, memory: Memory) {
  return memory.read(async (store) => {
    const { sessions, total } = await store.browse.sessions(await memory.filter(args, store), page);
    return { items: sessions.map(sessionItem), total };
  });
}
