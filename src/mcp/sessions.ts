import { latestOfAll } from "../across/latest.ts";
import { MCP_TOKENS } from "../constants.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../filter/filter.ts";
import { coverageLines } from "../render/across.ts";
import { renderListAnswer } from "../render/mcp/answer.ts";
import { ofProject, sessionItem } from "../render/mcp/items.ts";
import type { Page } from "../store/contract/types/browse.ts";
import { paging } from "./arguments.ts";
import type { Memory } from "./memory.ts";
import { ALL_PROJECTS, anyProject, memoryOf } from "./project.ts";
import { defineTool } from "./tool.ts";

export const sessionsTool = defineTool({
  name: "sessions",
  title: "List past sessions",
  description:
    "List earlier sessions of this project, the latest first, with title, branch, time, and how many turns and files: what was worked on last week, which session made a pull request or touched a file.",
  arguments: { ...filterEntries(filtersBut()), ...anyProject, ...paging(MCP_TOKENS.list) },
  async answer({ project, limit, cursor: offset, max_tokens: maxTokens, ...args }, memory) {
    const page = { limit, offset };
    const { items, total, notes } =
      project === ALL_PROJECTS
        ? await sessionsOfAll(page, args, memory)
        : { ...(await sessionsOf(page, args, memoryOf(memory, project))), notes: [] };
    return renderListAnswer({
      ...{ offset, maxTokens, items },
      heading: [`Earlier sessions, the latest first; ${total} in total`, ...notes].join("\n"),
      empty: ["No sessions match.", ...notes].join("\n"),
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

async function sessionsOfAll({ limit, offset = 0 }: Page, args: TypedFilter, { all }: Memory) {
  const { read, leftOut } = await all.each(args, ({ browse }, filter) =>
    browse.sessions(filter, { limit: offset + limit }),
  );
  const lists = read.map(({ project, result }) => ({ project, result: result.sessions }));
  const sessions = latestOfAll(lists, ({ endedAt }) => endedAt).slice(offset, offset + limit);
  return {
    items: sessions.map(({ row, project }) => ofProject(sessionItem(row), project)),
    total: read.reduce((sum, { result }) => sum + result.total, 0),
    notes: coverageLines({ byWords: [], leftOut }),
  };
}
