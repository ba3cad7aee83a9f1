import { printableWords } from "../../agents/notices.ts";
import { type MementorError, sentence } from "../../errors.ts";
import { type Host, type Output, transformOutput } from "../../host.ts";
import { localTime } from "../../io/local-time.ts";
import { MARK_WORDS } from "../../recall/telling/origin.ts";
import type { MarkKind } from "../../store/marks.ts";
import { hasUtf8Locale, printable, toAscii } from "../../text/invisible.ts";
import { plural } from "../../text/numbers.ts";
import { renderAgo } from "../../text/when.ts";
import { wrap } from "../../text/width.ts";

/** Colours and characters of a terminal. Without a terminal, the functions for colours return the text unchanged. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** Returns a text in characters that can be shown: unchanged, or in ASCII on a terminal without UTF-8. */
  text(text: string): string;
  /** Marks the place where a text was truncated. */
  ellipsis: string;
  /** Separates facts on a line. */
  dot: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns colours for a terminal; none for a pipe, or when `NO_COLOR` (no-color.org) or `TERM=dumb` is set. On a
 * terminal without a UTF-8 locale, the characters are those of ASCII.
 */
export function styleFor(output: { isTerminal: boolean }, env: Environment): Style {
  const isPlain = !output.isTerminal || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  const paint = (open: number, close: number) => (text: string) =>
    isPlain || text === "" ? text : `\x1b[${open}m${text}\x1b[${close}m`;
  const hasUnicode = !output.isTerminal || hasUtf8Locale(env);
  return {
    text: hasUnicode ? (text) => text : toAscii,
    ellipsis: hasUnicode ? "…" : "...",
    dot: hasUnicode ? "·" : "-",
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** Renders marks beside a turn, such as ` [bad] [muted]`; empty without marks. */
export function renderMarkWords(marks: readonly MarkKind[], style: Style): string {
  return marks.map((kind) => ` ${style.yellow(`[${MARK_WORDS[kind]}]`)}`).join("");
}

/** Width of a text where there is no terminal, in columns. */
export const PIPE_WIDTH = 100;

/** Properties of the output that lists are printed to. */
export interface Screen {
  style: Style;
  /** Width in characters; null for no limit, as in a pipe. */
  width: number | null;
  now: Date;
  /** The start of a command line for the memory that is shown: `mementor`, with options if the user named the memory. */
  program?: string;
}

/**
 * Renders how many rows there are, if the list does not show all: `20 of 98 sessions; -n 98 shows all`. `without` says what the
 * list always leaves out.
 */
export function renderMore(
  shown: number,
  total: number,
  noun: string,
  { style, width }: Screen,
  without = "",
): string {
  const counted = `${shown} of ${plural(total, noun)}${without && `, ${without}`}`;
  if (shown >= total) return "";
  const lines = wrap(`${counted}; -n ${total} shows all`, width ?? Number.POSITIVE_INFINITY);
  return lines.map((line) => `${style.dim(line)}\n`).join("");
}

/** An empty memory, with the folder through which other devices' memories arrive; null without one. */
export interface EmptyMemory {
  folder: string | null;
}

/** Says why an empty memory has nothing to show, and what to do. */
export function renderEmptyMemory(
  { folder }: EmptyMemory,
  { program = "mementor" }: Pick<Screen, "program">,
): string {
  if (folder !== null)
    return `The memory is empty: what your other devices remember arrives through ${printable(folder)}, in the background. To see the progress: ${program} sync status\n`;
  return `The memory is empty: nothing was read yet. The next session will be; to read earlier ones: ${program} ingest\n`;
}

/** Renders an error for a terminal: what is wrong, and what to do about it. */
export function renderError(
  error: MementorError,
  output: { isTerminal: boolean },
  env: Readonly<Record<string, string | undefined>>,
): string {
  const style = styleFor(output, env);
  const hint = error.hint ? `  ${style.text(printableWords(error.hint))}\n` : "";
  return `${style.red("mementor:")} ${style.text(printableWords(sentence(error.message)))}\n${hint}`;
}

/** Returns the host with ASCII output on a terminal, for a locale without UTF-8. A pipe still gets all characters. */
export function asciiHost(host: Host): Host {
  return { ...host, stdout: readable(host.stdout), stderr: readable(host.stderr) };
}

function readable(output: Output): Output {
  return output.isTerminal ? transformOutput(output, toAscii) : output;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const DAY_MS = 86_400_000;

/**
 * Renders a time so that the rows of a list differ: `3 hours ago` today, `Tue 10:22` within a week, `23 Feb 10:22` in this
 * year, `23 Feb 2025` before; in the local time zone. Null becomes `at an unknown time`.
 */
export function renderWhen(time: string | null, now: Date): string {
  const date = new Date(time ?? Number.NaN);
  const age = now.getTime() - date.getTime();
  if (Number.isNaN(age) || age < DAY_MS) return renderAgo(time, now);
  const { year, month, day, weekday, hours, minutes } = localTime(date);
  const clock = `${two(hours)}:${two(minutes)}`;
  if (age < 6 * DAY_MS) return `${DAYS[weekday]} ${clock}`;
  const dayOfYear = `${day} ${MONTHS[month - 1]}`;
  return year === localTime(now).year ? `${dayOfYear} ${clock}` : `${dayOfYear} ${year}`;
}

/** Renders a local date, `2026-03-04`, as a cell: ` 4 Mar 2026`. */
export function renderDay(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)}`.padStart(2).concat(` ${MONTHS[Number(month) - 1]} ${year}`);
}

/** Renders an ISO 8601 time to the minute in the local time zone, whatever the year: `4 Mar 2026 10:22`. */
export function renderLocalMinute(time: string | null): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "unknown time";
  const { year, month, day, hours, minutes } = localTime(date);
  return `${day} ${MONTHS[month - 1]} ${year} ${two(hours)}:${two(minutes)}`;
}

function two(value: number): string {
  return `${value}`.padStart(2, "0");
}
