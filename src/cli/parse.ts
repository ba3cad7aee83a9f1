import { cac } from "cac";
import type { Command } from "../command/command.ts";
import {
  ACCEPTED_OPTIONS,
  CONFINED_OPTIONS,
  GLOBAL_OPTIONS,
  PROGRAM_OPTIONS,
} from "../command/common-options.ts";
import type { Typed } from "../command/validate.ts";
import { type Mistake, readWords } from "./words.ts";

export interface Parsed extends Typed {
  /** Whether the first word names the command. Then `words` does not include it. */
  isMatch: boolean;
  mistakes: readonly Mistake[];
}

/**
 * Parses a command line for a command, or for no command when `command` is null. cac knows the command's names and is
 * asked with the word as typed. It would turn `0012` into 12, drop an empty value, and take a text that begins with a
 * dash for an option. So `readWords` reads the rest.
 */
export function parse(argv: readonly string[], command: Command | null): Parsed {
  const own = command ? { ...ACCEPTED_OPTIONS, ...command.options } : PROGRAM_OPTIONS;
  const globals = command?.isConfined ? CONFINED_OPTIONS : GLOBAL_OPTIONS;
  const { words, options, flags, mistakes } = readWords(argv, { ...globals, ...own });
  const [first, ...rest] = words;
  const isMatch = command !== null && first !== undefined && isCalled(command, first);
  const named = { options: Object.fromEntries(options), flags: Object.fromEntries(flags) };
  return { isMatch, words: isMatch ? rest : words, ...named, mistakes };
}

function isCalled({ name, summary, aliases = [] }: Command, word: string): boolean {
  const known = cac("mementor").command(name, summary);
  for (const alias of aliases) known.alias(alias);
  return known.isMatched(word);
}
