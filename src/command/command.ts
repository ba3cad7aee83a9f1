import type { Runtime } from "../runtime.ts";
import type { Arguments, ArgumentValues } from "./argument.ts";
import type { Options, OptionValues } from "./option.ts";
import { type Typed, validate } from "./validate.ts";

/** The sections of the help, in their order. */
export const GROUPS = ["Ask", "Set up", "Look after", "More"] as const;

/** All that there is to know of a command: parsing, help, completions and suggestions come from here. */
export interface CommandDefinition<A extends Arguments, O extends Options> {
  /** As it is typed, and the name of the command's file. */
  name: string;
  aliases?: readonly string[];
  /** The section of the help, and the place in it. Without it help and completions leave the command out. */
  help?: { group: (typeof GROUPS)[number]; position: number };
  /** One line for the list of commands, without a full stop. */
  summary: string;
  arguments: A;
  options: O;
  examples: readonly string[];
  /** Does the work and resolves to the exit code: 0, 1 for an error. What takes long to load is imported in here. */
  run(
    input: { args: ArgumentValues<A>; options: OptionValues<O> },
    runtime: Runtime,
    program: Program,
  ): number | Promise<number>;
}

/** The program as a command sees it. */
export interface Program {
  /** Loads every command. */
  commands(): Promise<readonly Command[]>;
}

/** A command, whatever its arguments and options are. */
export interface Command extends Omit<CommandDefinition<Arguments, Options>, "run"> {
  /** Checks what was typed, then does the work; throws `usage` for what does not fit. */
  run(typed: Typed, runtime: Runtime, program: Program): Promise<number>;
}

/** Makes a command; the types of its arguments and options are those of their schemas. */
export function defineCommand<const A extends Arguments, const O extends Options>(
  definition: CommandDefinition<A, O>,
): Command {
  return {
    ...definition,
    run: async (typed, runtime, program) => definition.run(validate(definition, typed), runtime, program),
  };
}
