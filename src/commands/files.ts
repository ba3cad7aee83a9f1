import * as v from "valibot";
import { optional } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { rows, viewOptions } from "../command/common-options.ts";
import { CHANGING_TOOLS } from "../constants.ts";
import type { Filter } from "../filter/filter.ts";
import { fileJson, type PathTouch, renderFileHistory, renderFiles, touchJson } from "../render/files.ts";
import { typedPath } from "../search/typed-path.ts";
import type { BrowseStore } from "../store/store.ts";
import { filterOf, filterOptions } from "./shared/filter.ts";
import { type View, view } from "./shared/view.ts";

/** So many files of one name have their histories merged. */
const MOST_PATHS = 10;

export const command = defineCommand({
  name: "files",
  help: { group: "Ask", position: 7 },
  summary: "List the busiest files, or the history of one",
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
  const files = await browse.files(options);
  return {
    json: () => ({ files: files.map(fileJson), history: [] }),
    text: (screen) => renderFiles(files, screen),
  };
}

/** The history of the files that a typed path names or, where it names a directory, the busiest files in it. */
async function history(
  browse: BrowseStore,
  typed: string,
  { cwd, ...wanted }: { limit: number; filter: Filter; cwd: string },
): Promise<View> {
  const { exact, suffix } = typedPath(typed, cwd);
  const isExact = (paths: readonly string[]) => paths.some((path) => exact.includes(path));
  const found = await browse.findPaths(exact, suffix);
  if (!isExact(found)) {
    for (const below of exact) {
      const inside = await busiest(browse, { ...wanted, below });
      if ((await browse.files({ limit: 1, below })).length > 0) return inside;
    }
  }
  const paths = found.slice(0, MOST_PATHS);
  const touches = await touchesOf(browse, paths, wanted);
  const files = await browse.files({ ...wanted, limit: MOST_PATHS, paths });
  return {
    json: () => ({ files: files.map(fileJson), history: touches.map(touchJson) }),
    text: (screen) =>
      paths.length === 0 ? renderFiles([], screen) : renderFileHistory(paths, touches, screen),
  };
}

async function touchesOf(
  browse: BrowseStore,
  paths: readonly string[],
  wanted: { limit: number; filter: Filter },
): Promise<PathTouch[]> {
  const histories = await Promise.all(
    paths.map(async (path) => (await browse.fileHistory(path, wanted)).map((touch) => ({ ...touch, path }))),
  );
  if (histories.length < 2) return histories.flat();
  return histories.flat().sort(changedThenNewest).slice(0, wanted.limit);
}

function changedThenNewest(a: PathTouch, b: PathTouch): number {
  const changed = (touch: PathTouch) => Number(touch.toolNames.some((tool) => CHANGING.has(tool)));
  return (
    changed(b) - changed(a) || (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || b.turnId - a.turnId
  );
}

const CHANGING: ReadonlySet<string> = new Set(CHANGING_TOOLS);
