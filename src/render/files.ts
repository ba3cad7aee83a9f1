import type { PathTouch } from "../search/file-history.ts";
import type { FileSummary } from "../store/browse/types.ts";
import { foreignMark, oneLine, renderList } from "./list.ts";
import { type Screen, shortId } from "./screen.ts";
import { renderAgo } from "./time.ts";

/** A file as `--json` gives it. */
export function fileJson(file: FileSummary) {
  return { path: file.path, touches: file.touches, changes: file.changes, last_time: file.lastTime };
}

/** A touch as `--json` gives it. */
export function touchJson(touch: PathTouch) {
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
  };
}

/** Renders a list of files for a terminal. */
export function renderFiles(files: readonly FileSummary[], screen: Screen): string {
  if (files.length === 0) return "No files.\n";
  const { style, now } = screen;
  return renderList(
    [
      { title: "FILE", cut: "start" },
      { title: "TOUCHED", align: "right" },
      { title: "CHANGED", align: "right" },
      { title: "LAST", paint: style.dim },
    ],
    files.map(({ path, touches, changes, lastTime }) => [
      path,
      `${touches}`,
      `${changes}`,
      renderAgo(lastTime, now),
    ]),
    screen,
  );
}

/** Renders the history of a file, or of several files that match, for a terminal. */
export function renderFileHistory(
  paths: readonly string[],
  touches: readonly PathTouch[],
  screen: Screen,
): string {
  const { style, now } = screen;
  const several = paths.length > 1;
  const heading = paths.map((path) => `${style.bold(oneLine(path))}\n`).join("");
  return `${heading}\n${renderList(
    [
      { title: "TURN", align: "right", paint: style.cyan },
      ...(several ? [{ title: "FILE", cut: "start", maxWidth: 40 } as const] : []),
      { title: "TOOLS", maxWidth: 24 },
      { title: "PROMPT", cut: "end", maxWidth: 120 },
      { title: "WHEN", paint: style.dim },
      { title: "SESSION", paint: style.dim },
    ],
    touches.map((touch) => [
      `${touch.turnId}`,
      ...(several ? [touch.path] : []),
      touch.toolNames.join(", "),
      `${foreignMark(touch.foreign)}${touch.firstWords}`,
      renderAgo(touch.createdAt, now),
      shortId(touch.sessionId),
    ]),
    screen,
  )}`;
}
