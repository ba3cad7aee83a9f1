import { shWord } from "../text/shell-words.ts";

/** Renders the start of a command line for a memory: `mementor`, or `mementor -C ../api`. */
export function programFor(memoryOptions: readonly string[]): string {
  return ["mementor", ...memoryOptions].map(shWord).join(" ");
}
