import { MCP_TOKENS } from "../constants.ts";
import { fileHistory, filesNamed } from "../recall/file-history.ts";
import { tell } from "../recall/telling/agent-text.ts";
import { unknownPath } from "../recall/unknown.ts";
import { filterEntries, filtersBut } from "../store/filter.ts";
import { paging, requiredText } from "./arguments.ts";
import { renderListAnswer } from "./text/answer.ts";
import { touchItem } from "./text/items.ts";
import { defineTool } from "./tool.ts";

export const fileHistoryTool = defineTool({
  name: "file_history",
  title: "History of a file",
  description:
    "Which earlier turns changed or read a file, and what they were asked: those that changed it first, the newest first. Use it before changing a file whose reasons are not in the code.",
  arguments: {
    path: requiredText("A path relative to the project, an absolute one, or the end of one"),
    ...filterEntries(filtersBut("file")),
    ...paging(MCP_TOKENS.list),
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
