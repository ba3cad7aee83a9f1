import type { FileTouch } from "../../store/browse/types.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import { renderDate } from "../time.ts";
import { renderInjected } from "./injected.ts";

/** Limits of the text: sessions, turns per session, grapheme clusters of a title. */
const MAX = { sessions: 6, turnsOfSession: 3, titleGraphemes: 90 } as const;

export interface FileMemory {
  path: string;
  touches: readonly FileTouch[];
}

/** The verb for using a tool on a file. For any other tool it is "used". */
const VERBS: Record<string, string> = {
  Edit: "edited",
  MultiEdit: "edited",
  NotebookEdit: "edited",
  Write: "wrote",
  Read: "read",
  Grep: "searched",
  Glob: "searched",
  mention: "mentioned",
};

/** Renders what other sessions did with a file, one line per session; null when there is nothing or it does not fit. */
export function renderFileMemory({ path, touches }: FileMemory, budget: number): string | null {
  const sessions = Map.groupBy(touches, ({ sessionId }) => sessionId);
  const lines = [...sessions.values()].slice(0, MAX.sessions).map(sessionLine);
  const heading = `Earlier work on ${onOneLine(path)} (\`mementor show <turn>\` prints a whole turn):`;
  return renderInjected(heading, lines, budget);
}

function sessionLine(touches: readonly FileTouch[]): string {
  const [first] = touches;
  if (!first) return "";
  const verbs = new Set(touches.flatMap(({ toolNames }) => toolNames.map((tool) => VERBS[tool] ?? "used")));
  const turns = touches.slice(0, MAX.turnsOfSession).map(({ turnId }) => turnId);
  const more = touches.length > turns.length ? ", ..." : "";
  const title = truncateGraphemes(onOneLine(first.sessionTitle ?? first.firstWords), MAX.titleGraphemes);
  const branch = first.branch === null ? "" : ` on ${onOneLine(first.branch)}`;
  const foreign = first.foreign === null ? "" : `, imported from ${onOneLine(first.foreign)}`;
  const what = `${[...verbs].join(", ")} (turn${turns.length > 1 ? "s" : ""} ${turns.join(", ")}${more})`;
  return `- ${renderDate(first.createdAt)}${branch}, "${title}": ${what}${foreign}`;
}
