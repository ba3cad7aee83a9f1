import { cac } from "cac";
import { shownArgument } from "../command/argument.ts";
import type { Command } from "../command/command.ts";
import {
  ACCEPTED_OPTIONS,
  CONFINED_OPTIONS,
  GLOBAL_OPTIONS,
  PROGRAM_OPTIONS,
} from "../command/common-options.ts";
import { longName, type Options } from "../command/option.ts";
import type { Typed } from "../command/validate.ts";
import { type Mistake, type Normalised, normalise } from "./normalise.ts";

export interface Parsed extends Typed {
  /** Whether the first word names the command. Then `words` does not include it. */
  isMatch: boolean;
  mistakes: readonly Mistake[];
}

/** Parses a command line for a command, or for no command when `command` is null. */
export function parse(argv: readonly string[], command: Command | null): Parsed {
  const options = command ? { ...ACCEPTED_OPTIONS, ...command.options } : PROGRAM_OPTIONS;
  const globals = command?.isConfined ? CONFINED_OPTIONS : GLOBAL_OPTIONS;
  const normalised = normalise(argv, { ...globals, ...options });
  const parser = cac("mementor");
  register(globals, parser);
  if (command) {
    const shown = Object.values(command.arguments).map(shownArgument);
    const registered = parser.command([command.name, ...shown].join(" "), command.summary).action(() => {});
    for (const alias of command.aliases ?? []) registered.alias(alias);
    register(options, registered);
  } else register(options, parser);
  parser.parse(["", "", ...protectedArgv(normalised)], { run: false });
  return {
    isMatch: parser.matchedCommand !== undefined,
    words: parser.args.map(plain),
    options: Object.fromEntries(
      Object.entries(parser.options).flatMap(([name, value]) =>
        normalised.options.has(name) ? [[name, typeof value === "boolean" ? value : plain(value)]] : [],
      ),
    ),
    mistakes: normalised.mistakes,
  };
}

function register(options: Options, target: { option(flags: string, description: string): unknown }) {
  for (const [name, { value, description, off }] of Object.entries(options))
    target.option(`--${longName(name)}${value === undefined ? "" : ` <${value}>`}`, description ?? off ?? "");
}

/**
 * Makes a command line that cac keeps as it is. cac turns `0012` into 12, drops an empty value, and reads a word with
 * a dash as an option. A NUL before a text prevents that, and no argument can contain one. cac knows a flag with a
 * dash in its name only in camel case.
 */
function protectedArgv({ words: [first, ...rest], options }: Normalised): string[] {
  const flags = [...options].map(([name, value]) =>
    typeof value === "boolean" ? `--${value ? "" : "no-"}${name}` : `--${name}=\0${value}`,
  );
  const protect = (word: string) => `\0${word}`;
  const name = first === undefined ? [] : [first.startsWith("-") ? protect(first) : first];
  return [...name, ...rest.map(protect), ...flags];
}

function plain(text: unknown): string {
  return String(text).replace(/^\0/, "");
}
