import type { Style } from "./style.ts";

/** What lists are drawn on. */
export interface Screen {
  style: Style;
  /** Characters a line; null where lines have no end (a pipe). */
  width: number | null;
  now: Date;
}

/** How many characters of a session's id are shown: enough to be unique, and any unique start of an id will do. */
const SHORT_ID = 8;

/** Returns the start of a session's id as lists show it. */
export function shortId(sessionId: string): string {
  return sessionId.slice(0, SHORT_ID);
}

/** Renders what a list shows in all, where that is more than it shows. */
export function renderMore(shown: number, total: number, noun: string, { style }: Screen): string {
  return shown < total ? `${style.dim(`${shown} of ${total} ${noun}; -n ${total} shows all`)}\n` : "";
}
