import type { SessionSummary } from "../store/browse.ts";
import { printable } from "../text/invisible.ts";
import { namesMatter } from "../text/names.ts";
import { wrap } from "../text/width.ts";
import { askedOrPasted } from "../turn/asked.ts";
import { plural } from "./plural.ts";
import type { Style } from "./style.ts";

/** Where lists are printed. */
export interface Screen {
  style: Style;
  /** Width in characters; null for no limit, as in a pipe. */
  width: number | null;
  now: Date;
  /** The start of a command line for the memory that is shown: `mementor` unless it was named. */
  program?: string;
}

/** Shown characters of a session's id. They are unique in practice, and commands accept any unique start of an id. */
const SHORT_ID = 8;
/**
 * The start of an id that begins with a time, up to its milliseconds: a UUID of version 7, `ses_dfde8641...`,
 * `1795331273082_...`.
 */
const TIME = /^(?:[\da-f]{8}-[\da-f]{4}(?=-7)|[a-z]+_[\da-f]{8}|\d{13}(?=_))/;

/** Returns the start of a session's id as lists show it. */
export function shortId(sessionId: string): string {
  return TIME.exec(sessionId)?.[0] ?? sessionId.slice(0, SHORT_ID);
}

/**
 * Renders how many rows there are, if the list does not show all: `20 of 98 sessions; -n 98 shows all`. `without` says
 * what never is in the list.
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

/** A memory that holds nothing yet, and the folder through which other devices' memories arrive; null for none. */
export interface EmptyMemory {
  folder: string | null;
}

/** Says why an empty memory has nothing to show, and what to do. */
export function renderEmptyMemory(
  { folder }: EmptyMemory,
  { program = "mementor" }: Pick<Screen, "program">,
): string {
  if (folder !== null)
    return `The memory is empty: what your other devices remember arrives through ${printable(folder)}, in the background. How far it is: ${program} sync status\n`;
  return `The memory is empty: nothing was read yet. The next session will be; to read earlier ones: ${program} ingest\n`;
}

/**
 * Returns a session's name: its title, else the words of its first prompt that tell it from others, else what its first
 * turns were about.
 */
export function sessionName({
  title,
  firstPrompt,
  opening,
}: Pick<SessionSummary, "title" | "firstPrompt" | "opening">): string {
  if (title !== null && namesMatter(title)) return title;
  if (firstPrompt === null) return opening ?? title ?? "(untitled)";
  return askedOrPasted(firstPrompt.replace(LATER_HEADING, ""));
}

/** The first prompt is stored on one line: what follows a second heading is no part of the name. */
const LATER_HEADING = /(?<=\S)\s#{2,6} (?=\p{Lu})[\s\S]*$/u;
