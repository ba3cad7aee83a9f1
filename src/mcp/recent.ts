import { MCP_TOKENS } from "../constants.ts";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { renderListAnswer } from "../render/mcp/answer.ts";
import { turnItem } from "../render/mcp/items.ts";
import { paging } from "./arguments.ts";
import { defineTool } from "./tool.ts";

export const recentTool = defineTool({
  name: "recent",
  title: "Latest turns",
  description:
    "List the latest turns of this project, newest first, with how each began and the files it touched: where the work stood last time.",
  arguments: { ...filterEntries(filtersBut()), ...paging(MCP_TOKENS.list) },
  answer: (args, memory) =>
    memory.read(async (store) => {
      const { limit, cursor: offset, max_tokens: maxTokens } = args;
      const turns = await store.browse.recent(offset + limit + 1, await memory.filter(args, store));
      return renderListAnswer({
        ...{ offset, maxTokens },
        heading: "The latest turns, newest first",
        empty: "No turns match.",
        items: turns.slice(offset, offset + limit).map(turnItem),
        hasMore: turns.length > offset + limit,
      });
    }),
});
