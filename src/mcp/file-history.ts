import { CHANGING_TOOLS, MCP_TOKENS } from "../constants.ts";
import { type Filter, filterEntries, filtersBut } from "../filter/filter.ts";
import { renderListAnswer } from "../render/mcp/answer.ts";
import { touchItem } from "../render/mcp/items.ts";
import { typedPath } from "../search/typed-path.ts";
import type { FileTouch } from "../store/browse/types.ts";
import type { BrowseStore } from "../store/store.ts";
import { filterProperties, PAGING, paging, Text } from "./arguments.ts";
import { defineTool } from "./tool.ts";

/** So many files of one name have their histories merged. */
const MOST_PATHS = 10;

export const fileHistoryTool = defineTool({
  name: "file_history",
  title: "History of a file",
  description:
    "Which earlier turns changed or read a file, and what they were asked: those that changed it first, newer before older. Use it before changing a file whose reasons are not in the code.",
  properties: {
    path: {
      type: "string",
      description: "A path relative to the project, an absolute one, or the end of one",
    },
    ...filterProperties("file"),
    ...PAGING(MCP_TOKENS.list),
  },
  entries: { path: Text, ...filterEntries(filtersBut("file")), ...paging(MCP_TOKENS.list) },
  required: ["path"],
  answer: ({ path, limit, cursor: offset, max_tokens: maxTokens, ...args }, memory) =>
    memory.read(async (store) => {
      const { browse } = store;
      const { exact, suffix } = typedPath(path, memory.cwd);
      const paths = (await browse.findPaths(exact, suffix)).slice(0, MOST_PATHS);
      const touches = await touchesOf(browse, paths, {
        limit: offset + limit + 1,
        filter: await memory.filter(args, store),
      });
      return renderListAnswer({
        ...{ offset, maxTokens },
        heading: `Turns that touched ${paths.length === 1 ? "the file" : `one of ${paths.length} files of this name`}`,
        empty: "No earlier turn touched this file.",
        items: touches.slice(offset, offset + limit).map(touchItem),
        hasMore: touches.length > offset + limit,
      });
    }),
});

type Touch = FileTouch & { path: string };

async function touchesOf(
  browse: BrowseStore,
  paths: readonly string[],
  wanted: { limit: number; filter: Filter },
): Promise<Touch[]> {
  const histories = await Promise.all(
    paths.map(async (path) => (await browse.fileHistory(path, wanted)).map((touch) => ({ ...touch, path }))),
  );
  return paths.length < 2 ? histories.flat() : histories.flat().sort(changedThenNewest);
}

function changedThenNewest(a: Touch, b: Touch): number {
  const changed = ({ toolNames }: Touch) => Number(CHANGING_TOOLS.some((tool) => toolNames.includes(tool)));
  return (
    changed(b) - changed(a) || (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || b.turnId - a.turnId
  );
}
