import { MCP_TOKENS } from "../constants.ts";
import { filterEntries, filtersBut } from "../filter/filter.ts";
import { renderListAnswer } from "../render/mcp/answer.ts";
import { sessionItem } from "../render/mcp/items.ts";
import { paging } from "./arguments.ts";
import { defineTool } from "./tool.ts";

export const sessionsTool = defineTool({
  name: "sessions",
  title: "List past sessions",
  description:
    "List earlier sessions of this project, the latest first, with title, branch, time, and how many turns and files: what was worked on last week, which session made a pull request or touched a file.",
  arguments: { ...filterEntries(filtersBut()), ...paging(MCP_TOKENS.list) },
  answer: (args, memory) =>
    memory.read(async (store) => {
      const { limit, cursor: offset, max_tokens: maxTokens } = args;
      const filter = await memory.filter(args, store);
      const { sessions, total } = await store.browse.sessions(filter, { limit, offset });
      return renderListAnswer({
        ...{ offset, maxTokens },
        heading: `Earlier sessions, the latest first; ${total} in total`,
        empty: "No sessions match.",
        items: sessions.map(sessionItem),
        hasMore: offset + sessions.length < total,
        facts: { total },
      });
    }),
});
