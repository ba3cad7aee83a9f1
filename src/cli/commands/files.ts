import * as v from "valibot";
import type { Filter } from "../../store/filter.ts";
import type { BrowseStore } from "../../store/store.ts";
import { defineCommand } from "../definition/command.ts";
import { rows, viewOptions } from "../definition/common-options.ts";
import { optional } from "../definition/option.ts";
import { filterOf, filterOptions } from "../filter.ts";
import { type View, view } from "../terminal/view.ts";

export const command = defineCommand({
  name: "files",
  help: { group: "Ask", position: 6 },
  summary: "List the busiest files, or the history of one, newest first",
  readsTeam: true,
  arguments: { path: optional("path", v.string()) },
  options: { limit: rows, ...filterOptions("file"), ...viewOptions },
  examples: [
    "mementor files",
    "mementor files src/store.ts",
    "mementor files store.ts",
    "mementor files src/",
  ],
  async run({ args: { path }, options }, runtime) {
    return view(runtime, options, async ({ browse }) => {
      const wanted = { limit: options.limit, filter: await filterOf(options, runtime, browse) };
      return path === undefined
        ? busiest(browse, wanted)
        : history(browse, path, { ...wanted, cwd: runtime.host.cwd });
    });
  },
});

async function busiest(browse: BrowseStore, options: Parameters<BrowseStore["files"]>[0]): Promise<View> {
  const { fileJson, renderFiles } = await import("./files/text.ts");
  const files = await browse.files(options);
  const total = await browse.count("files", options);
  return {
    json: () => ({ files: files.map(fileJson), history: [], total }),
    text: (screen) => renderFiles({ files, total }, screen),
  };
}

/** Shows the history of the files that a typed path matches. For a directory, shows the busiest files in it. */
async function history(
  browse: BrowseStore,
  typed: string,
  { cwd, ...wanted }: { limit: number; filter: Filter; cwd: string },
): Promise<View> {
  const { fileJson, renderFileHistory, touchJson } = await import("./files/text.ts");
  const { fileHistory, filesNamed } = await import("../../recall/file-history.ts");
  const { unknownPath } = await import("../../recall/unknown.ts");
  const {
    paths,
    directories: [below],
  } = await filesNamed(typed, cwd, browse);
  if (below !== undefined) return busiest(browse, { ...wanted, below });
  if (paths.length === 0) throw await unknownPath(typed, browse);
  const touches = await fileHistory(paths, { ...wanted, byTime: true }, browse);
  const files = await browse.files({ ...wanted, limit: paths.length, paths });
  const total = await browse.count("touches", { filter: wanted.filter, paths });
  return {
    json: () => ({ files: files.map(fileJson), history: touches.map(touchJson), total }),
    text: (screen) => renderFileHistory(paths, { touches, total }, screen),
  };
}
