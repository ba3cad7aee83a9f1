import type { FileFailure } from "../../project/file-failure.ts";
import type { FilePast } from "../../project/file-past.ts";
import type { FileTouch } from "../../store/contract/types/browse.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import { originOf } from "../origin.ts";
import { renderDate } from "../time.ts";
import { renderInjected, SHOW_COMMAND } from "./injected.ts";

/** Limits of the text: sessions, turns per session, grapheme clusters of a title, of a quote and of an error. */
const MAX = {
  sessions: 6,
  turnsOfSession: 3,
  titleGraphemes: 70,
  quoteGraphemes: 200,
  callGraphemes: 70,
  errorGraphemes: 110,
} as const;
/** Lines that say only that a command failed, or repeat the command. */
const NO_REASON = /^\s*(?:(?:Error: )?Exit code \d+\s*|\$ .*|>.*)?$/;
const REASON =
  /error|fail|expected|not found|cannot|unknown|unrecognized|undefined|denied|missing|invalid|✗|×/i;

export interface FileMemory {
  path: string;
  touches: readonly FileTouch[];
  past: FilePast;
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

/**
 * Renders what other sessions did with a file, one line per session with what they decided about it, and its latest
 * failure; null when there is nothing or it does not fit.
 */
export function renderFileMemory({ path, touches, past }: FileMemory, budget: number): string | null {
  const sessions = [...Map.groupBy(touches, ({ sessionId }) => sessionId)].slice(0, MAX.sessions);
  const [first = [], ...others] = sessions.map(([sessionId, turns]) => [
    sessionLine(turns),
    ...quoteLine(past, sessionId),
  ]);
  const failure = past.failure ? [failureLine(past.failure)] : [];
  const heading = `Earlier work on ${onOneLine(path)} (\`${SHOW_COMMAND} <turn>\` prints a whole turn):`;
  return renderInjected(heading, [...first, ...failure, ...others.flat()], budget);
}

function quoteLine({ statements }: FilePast, sessionId: string): string[] {
  const statement = statements.get(sessionId);
  if (statement === undefined) return [];
  const { text, isDecision, turnId } = statement;
  const words = truncateGraphemes(onOneLine(text), MAX.quoteGraphemes);
  return [`  ${isDecision ? "Decided" : "Said"}: "${words}" (turn ${turnId})`];
}

function failureLine(failure: FileFailure): string {
  const { turnId, createdAt, command, error } = failure;
  const call = command === null ? "" : `${truncateGraphemes(onOneLine(command), MAX.callGraphemes)}: `;
  const what = truncateGraphemes(onOneLine(reasonOf(error)), MAX.errorGraphemes);
  return `- Failed on ${renderDate(createdAt)} (turn ${turnId}): ${call}${what}; ${fate(failure)}`;
}

/** Returns an error from the line on that gives a reason. */
function reasonOf(error: string): string {
  const lines = error.split("\n").filter((line) => !NO_REASON.test(line));
  const at = lines.findIndex((line) => REASON.test(line));
  return lines.length === 0 ? error : lines.slice(Math.max(0, at)).join(" ");
}

/** Says what became of a failure, as far as it is known. */
function fate({ mended, later, createdAt }: FileFailure): string {
  if (mended) return "mended in the same turn";
  if (later === null) return "not seen mended";
  const day = renderDate(later.createdAt);
  const when = day === renderDate(createdAt) ? "the same day" : `on ${day}`;
  if (later.isSameCall) return `mended ${when} (turn ${later.turnId})`;
  return `changed again ${when} without a failure (turn ${later.turnId})`;
}

function sessionLine(touches: readonly FileTouch[]): string {
  const [first] = touches;
  if (!first) return "";
  const verbs = new Set(touches.flatMap(({ toolNames }) => toolNames.map((tool) => VERBS[tool] ?? "used")));
  const turns = touches.slice(0, MAX.turnsOfSession).map(({ turnId }) => turnId);
  const more = touches.length > turns.length ? ", ..." : "";
  const title = truncateGraphemes(onOneLine(first.sessionTitle ?? first.firstWords), MAX.titleGraphemes);
  const branch = first.branch === null ? "" : ` on ${onOneLine(first.branch)}`;
  const origin = originOf(first);
  const what = `${[...verbs].join(", ")} (turn${turns.length > 1 ? "s" : ""} ${turns.join(", ")}${more})`;
  return `- ${renderDate(first.createdAt)}${branch}, "${title}": ${what}${origin === null ? "" : `, ${onOneLine(origin)}`}`;
}
