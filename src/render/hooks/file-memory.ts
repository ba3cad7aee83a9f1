import type { FileFailure } from "../../project/file-failure.ts";
import type { FilePast } from "../../project/file-past.ts";
import { voiceOf } from "../../project/voice.ts";
import type { FileTouch } from "../../store/contract/types/browse.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import { type Origin, originOf } from "../origin.ts";
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
/** Said where somebody else's turns are told. */
const OTHERS = "What names its author or where it was imported from is not the user's word.";
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
  const sessions = [...Map.groupBy(touches, voiceOf)].slice(0, MAX.sessions);
  const [first = [], ...others] = sessions.map(([voice, turns]) => [
    sessionLine(turns),
    ...quoteLine(past, voice),
  ]);
  const failure = past.failure ? [failureLine(past.failure)] : [];
  const notice = touches.every((touch) => originOf(touch) === null) ? "" : ` ${OTHERS}`;
  const heading = `Earlier work on ${onOneLine(path)} (\`${SHOW_COMMAND} <turn>\` prints a whole turn):${notice}`;
  return renderInjected(heading, [...first, ...failure, ...others.flat()], budget);
}

function quoteLine({ statements }: FilePast, voice: string): string[] {
  const statement = statements.get(voice);
  if (statement === undefined) return [];
  const { text, isDecision, turnId } = statement;
  const words = truncateGraphemes(onOneLine(text), MAX.quoteGraphemes);
  return [`  ${isDecision ? "Decided" : "Said"}${byWhom(statement)}: "${words}" (turn ${turnId})`];
}

function failureLine(failure: NonNullable<FilePast["failure"]>): string {
  const { turnId, createdAt, command, error } = failure;
  const call = command === null ? "" : `${truncateGraphemes(onOneLine(command), MAX.callGraphemes)}: `;
  const what = truncateGraphemes(onOneLine(reasonOf(error)), MAX.errorGraphemes);
  return `- Failed on ${renderDate(createdAt)} (turn ${turnId}${byWhom(failure)}): ${call}${what}; ${fate(failure)}`;
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
  const what = `${[...verbs].join(", ")} (turn${turns.length > 1 ? "s" : ""} ${turns.join(", ")}${more})`;
  return `- ${renderDate(first.createdAt)}${branch}, "${title}": ${what}${byWhom(first)}`;
}

/** Stands in each line that quotes what was not made here. */
function byWhom(row: Origin): string {
  const origin = originOf(row);
  return origin === null ? "" : `, ${onOneLine(origin)}`;
}
