import * as v from "valibot";
import { oneLine } from "../../agents/notices.ts";
import type { PathTouch } from "../../recall/file-history.ts";
import { authorJson, originJson, originMark } from "../../recall/telling/origin.ts";
import type { FileSummary } from "../../store/browse.ts";
import type { Filter } from "../../store/filter.ts";
import type { BrowseStore } from "../../store/store.ts";
import { shortId } from "../../turn/title.ts";
import { defineCommand } from "../command-line/command.ts";
import { filterOf, filterOptions, optional, rows, viewOptions } from "../command-line/option.ts";
import { renderList } from "../terminal/list.ts";
import { renderMore, renderWhen, type Screen } from "../terminal/screen.ts";
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

const HERE = { foreign: null, author: null };

/** Returns a file for `--json`. */
export function fileJson(file: FileSummary) {
  const { path, touches, changes, lastTime, others } = file;
  const whose = others === undefined ? {} : { foreign: others.foreign, ...authorJson(others) };
  return { path, touches, changes, last_time: lastTime, ...whose, device: file.device };
}

/** Returns a touch for `--json`. */
function touchJson(touch: PathTouch) {
  return {
    path: touch.path,
    turn_id: touch.turnId,
    session_id: touch.sessionId,
    session_title: touch.sessionTitle,
    agent_id: touch.agentId,
    first_words: touch.firstWords,
    tools: touch.toolNames,
    time: touch.createdAt,
    branch: touch.branch,
    foreign: touch.foreign,
    ...originJson(touch),
  };
}

/** Renders a list of files for a terminal. */
export function renderFiles(
  { files, total }: { files: readonly FileSummary[]; total: number },
  screen: Screen,
): string {
  if (files.length === 0) return "No files.\n";
  const { style, now } = screen;
  const list = renderList(
    [
      { title: "FILE", cut: "middle" },
      { title: "TOUCHED", align: "right" },
      { title: "CHANGED", align: "right", isOptional: true },
      { title: "LAST", isOptional: true, paint: style.dim },
    ],
    files.map(({ path, touches, changes, lastTime, others = HERE, device }) => [
      `${originMark(device === undefined ? others : { ...others, device })}${path}`,
      `${touches}`,
      `${changes}`,
      renderWhen(lastTime, now),
    ]),
    screen,
  );
  return list + renderMore(files.length, total, "file", screen);
}

/** Renders the history of a file, or of several files that match, for a terminal. */
function renderFileHistory(
  paths: readonly string[],
  { touches, total }: { touches: readonly PathTouch[]; total: number },
  screen: Screen,
): string {
  const { style, now } = screen;
  const several = paths.length > 1;
  const heading = paths.map((path) => `${style.bold(oneLine(path))}\n`).join("");
  return `${heading}\n${renderList(
    [
      { title: "TURN", align: "right", paint: style.cyan },
      ...(several ? [{ title: "FILE", cut: "middle", maxWidth: 40 } as const] : []),
      { title: "TOOLS", maxWidth: 24, isOptional: true },
      { title: "PROMPT", cut: "end", maxWidth: 120 },
      { title: "WHEN", isOptional: true, paint: style.dim },
      { title: "SESSION", isOptional: true, paint: style.dim },
    ],
    touches.map((touch) => [
      `${touch.turnId}`,
      ...(several ? [touch.path] : []),
      touch.toolNames.join(", "),
      `${originMark(touch)}${touch.title}`,
      renderWhen(touch.createdAt, now),
      shortId(touch.sessionId),
    ]),
    screen,
  )}${renderMore(touches.length, total, "turn", screen)}`;
}
