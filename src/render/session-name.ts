import type { SessionSummary } from "../store/browse.ts";
import { namesMatter } from "../text/names-matter.ts";
import { askedOrPasted } from "../turn/asked.ts";

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
