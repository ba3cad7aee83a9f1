import { MCP_TOKENS } from "../constants.ts";
import { renderListAnswer } from "../render/mcp/answer.ts";
import { sessionItem } from "../render/mcp/items.ts";
import { storedPath } from "../search/typed-path.ts";
import { ABOUT, about, filterOf, PAGING, paging, WHEN, when } from "./arguments.ts";
import { defineTool } from "./tool.ts";

export const sessionsTool = defineTool({
  name: "sessions",
  title: "List past sessions",
  description:
    "List earlier sessions of this project, the latest first, with title, branch, time, and how many turns and files: what was worked on last week, which session made a pull request or touched a file.",
  properties: { ...WHEN, ...ABOUT, ...PAGING(MCP_TOKENS.list) },
  entries: { ...when, ...about, ...paging(MCP_TOKENS.list) },
  answer: (args, { read, cwd, now }) =>
    read(async ({ browse }) => {
      const { file, pr, commit, limit, cursor: offset, max_tokens: maxTokens } = args;
      const filter = {
        ...filterOf(args, now()),
        ...(file !== null && { filePath: await storedPath(browse, file, cwd) }),
        ...(pr !== null && { prNumber: pr }),
        ...(commit !== null && { commit }),
      };
      const { sessions, total } = await browse.sessions(filter, { limit, offset });
      return renderListAnswer({
        ...{ offset, maxTokens },
        heading: `Earlier sessions, the latest first; ${total} in all`,
        empty: "No session fits.",
        items: sessions.map(sessionItem),
        hasMore: offset + sessions.length < total,
        facts: { total },
      });
    }),
});
