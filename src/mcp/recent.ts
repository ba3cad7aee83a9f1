import { latestOfAll } from "../across/latest.ts";
import { MCP_TOKENS } from "../constants.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../filter/filter.ts";
import { coverageLines } from "../render/across.ts";
import { renderListAnswer } from "../render/mcp/answer.ts";
import { ofProject, turnItem } from "../render/mcp/items.ts";
import { paging } from "./arguments.ts";
import type { Memory } from "./memory.ts";
import { ALL_PROJECTS, anyProject, memoryOf } from "./project.ts";
import { defineTool } from "./tool.ts";

export const recentTool = defineTool({
  name: "recent",
  title: "Latest turns",
  description:
    "List the latest turns of this project, newest first, with how each began and the files it touched: where the work stood last time.",
  arguments: { ...filterEntries(filtersBut()), ...anyProject, ...paging(MCP_TOKENS.list) },
  async answer({ project, limit, cursor: offset, max_tokens: maxTokens, ...args }, memory) {
    const wanted = offset + limit;
    const { turns, total, notes } =
      project === ALL_PROJECTS
        ? await recentOfAll(wanted, args, memory)
        : { ...(await recentOf(wanted, args, memoryOf(memory, project))), notes: [] };
    return renderListAnswer({
      ...{ offset, maxTokens },
      heading: [`The latest turns, newest first; ${total} in total`, ...notes].join("\n"),
      empty: ["No turns match.", ...notes].join("\n"),
      items: turns.slice(offset),
      hasMore: turns.length < total && turns.length > offset,
      facts: { total },
    });
  },
});

function recentOf(limit: number, args: TypedFilter, memory: Memory) {
  return memory.read(async (store) => {
    const filter = await memory.filter(args, store);
    const turns = await store.browse.recent(limit, filter);
    return { turns: turns.map(turnItem), total: await store.browse.count("turns", { filter }) };
  });
}

async function recentOfAll(limit: number, args: TypedFilter, { all }: Memory) {
  const { read, leftOut } = await all.each(args, async ({ browse }, filter) => ({
    turns: await browse.recent(limit, filter),
    total: await browse.count("turns", { filter }),
  }));
  const lists = read.map(({ project, result }) => ({ project, result: result.turns }));
  const turns = latestOfAll(lists, ({ createdAt }) => createdAt).slice(0, limit);
  return {
    total: read.reduce((sum, { result }) => sum + result.total, 0),
    turns: turns.map(({ row, project }) => ofProject(turnItem(row), project)),
    notes: coverageLines({ byWords: [], leftOut }),
  };
}
