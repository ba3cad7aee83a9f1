import { shWord } from "../text/shell-words.ts";

/** Renders the start of a command line for a memory: `mementor`, or `mementor -C ../api`. */
export function programFor(named: readonly string[]): string {
  return ["mementor", ...named].map(shWord).join(" ");
}
