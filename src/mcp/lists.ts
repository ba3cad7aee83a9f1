import { MCP_TOKENS } from "../constants.ts";
import { fileHistory, filesNamed } from "../recall/file-history.ts";
import { type AgentText, tell } from "../recall/telling/agent-text.ts";
import { unknownPath } from "../recall/unknown.ts";
import { filterEntries, filtersBut, type TypedFilter } from "../store/filter.ts";
import type { ResultPage } from "./found.ts";
import type { Memory } from "./memory.ts";
import { type Answer, renderListAnswer } from "./text/answer.ts";
import { sessionItem, touchItem, turnItem } from "./text/items.ts";
import { defineTool, pagingInputs, requiredText } from "./tool.ts";

export const recentTool = defineTool({
  name: "recent",
  title: "Latest turns",
  description:
    "List the latest turns of this project, newest first, with how each began and the files it touched: the last state of the work.",
  arguments: { ...filterEntries(filtersBut()), ...pagingInputs(MCP_TOKENS.list) },
  async answer({ limit, cursor: offset, max_tokens: maxTokens, ...args }, memory) {
    return recentAnswer(args, { limit, offset, maxTokens }, memory);
  },
});

/** Lists the latest turns; `when` describes the time that the question named, if any. */
export async function recentAnswer(
  args: TypedFilter,
  { limit, offset, maxTokens }: ResultPage,
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

export const sessionsTool = defineTool({
  name: "sessions",
  title: "List past sessions",
  description:
    "List earlier sessions of this project, the latest first, with title, branch, time, turns and files: recent work, or which session made a pull request or touched a file.",
  arguments: { ...filterEntries(filtersBut()), ...pagingInputs(MCP_TOKENS.list) },
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

function sessionsOf(page: { limit: number; offset: number }, args: TypedFilter, memory: Memory) {
  return memory.read(async (store) => {
    const { sessions, total } = await store.browse.sessions(await memory.filter(args, store), page);
    return { items: sessions.map(sessionItem), total };
  });
}

export const fileHistoryTool = defineTool({
  name: "file_history",
  title: "History of a file",
  description:
    "Earlier turns that changed or read a file, and their prompts: changes first, newest first. Use it before changing a file whose reasons are not in the code.",
  arguments: {
    path: requiredText("A path relative to the project, an absolute one, or the end of one"),
    ...filterEntries(filtersBut("file")),
    ...pagingInputs(MCP_TOKENS.list),
  },
  answer: ({ path, limit, cursor: offset, max_tokens: maxTokens, ...args }, memory) =>
    memory.read(async (store) => {
      const { paths } = await filesNamed(path, memory.cwd, store.browse);
      if (paths.length === 0) throw await unknownPath(path, store.browse, "file");
      const filter = await memory.unseen(args, store);
      const touches = await fileHistory(paths, { limit: offset + limit, filter }, store.browse);
      const total = await store.browse.count("touches", { paths, filter });
      return renderListAnswer({
        offset,
        maxTokens,
        heading: tell`Turns that touched ${paths.length === 1 ? tell`the file` : tell`one of ${paths.length} files of this name`}; ${total} in total`,
        empty: tell`No earlier turn touched this file.`,
        items: touches.slice(offset).map(touchItem),
        hasMore: touches.length < total && touches.length > offset,
        facts: { total },
      });
    }),
});
