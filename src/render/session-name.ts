import { headline } from "../text/headline.ts";

/** Returns a session's name: its title, else the words of its first prompt that tell it from others. */
export function sessionName({
  title,
  firstPrompt,
}: {
  title: string | null;
  firstPrompt: string | null;
}): string {
  return title ?? (firstPrompt === null ? "(untitled)" : headline(firstPrompt));
}
